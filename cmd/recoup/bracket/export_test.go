package bracket

// ChiSquareTail lets the tests, which play worlds with the arms of package experiment,
// see what is not exported.
var ChiSquareTail = chiSquareTail

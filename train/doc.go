// Package train makes models from tables.
//
// A Task is one model to be made: a table, the meaning of its rows, and four
// slices of presentation time with an embargo between them (Cut). Run goes from
// the oldest to the second youngest: coefficients on train, the penalty on
// select, Platt on calibrate. Judge scores the youngest, test, with the model and
// with what it is compared to: other calibrators, a second fit without a fifth
// of the customers, and the model less each part. The attempt model and the cure
// model are two tasks of the same steps; CureCurve and HazardRatio say what the
// second means.
//
// Logistic finds the exact optimum of a penalised logistic regression by passes
// over chunks, so that a table larger than memory fits. Every sum has a fixed
// order: the same rows give the same bytes for any number of workers.
//
// RunLightGBM makes a forest of the same task through LightGBM's own Python package,
// which is handed the train and the select slice (lightgbm.py says how) and whose answer
// is checked as if anybody had written it.
//
// The package never sees a simulation's oracle, a policy or an arm.
package train

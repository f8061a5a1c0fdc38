// Package nightly is the night job: from an event log to a registered model
// with a report, in stages.
//
//	export    add what the ledger has recorded to the event log, where there is a ledger
//	log       open the log, check it against its manifest, count what is in it
//	bandit    learn the state anew that the explorer draws by, where D/bandit.json holds one
//	features  build both tables as of T
//	train     slices, L2, coefficients, Platt; a second fit must give the same bytes
//	evaluate  measure both models on the test slice
//	contenders  register the models of the night, put them and the champion on the same test rows
//	ope       value their policies on the logged decisions of the test slice (ope.html)
//	gate_replay  what they would have done at its failures, and whether the gate lets them
//	compare   decide who is to be champion
//	promote   promote or keep
//	report    JSON, HTML, Markdown, predictions.csv
//
// Each stage is a file of this package. It reads files, writes files (through a
// temporary name) and then a done-file in D/runs/<as_of>/stages with the sha256
// of its inputs and outputs. So a second run does nothing, and a killed run
// goes on from the last stage that ended and comes to the same bytes.
package nightly

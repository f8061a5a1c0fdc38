// Package nightly is the night job: from an event log to a registered model
// with a report, in stages.
//
//	export    add what the ledger has recorded to the event log, where there is a ledger
//	log       open the log, check it against its manifest, count what is in it
//	features  build both tables as of T
//	train     slices, L2, coefficients, Platt; a second fit must give the same bytes
//	evaluate  measure both models on the test slice
//	compare   register the challenger and compare it with the champion
//	promote   promote or keep
//	report    JSON, HTML, Markdown, predictions.csv
//
// Each stage is a file of this package. It reads files, writes files (through a
// temporary name) and then a done-file in D/runs/<as_of>/stages with the sha256
// of its inputs and outputs. So a second run does nothing, and a killed run
// goes on from the last stage that ended and comes to the same bytes.
//
// OPE, the replay of the policy gate and a LightGBM challenger are not stages
// yet: the report lists them as not assessed.
package nightly

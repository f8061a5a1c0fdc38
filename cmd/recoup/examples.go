package main

// Help ends the help text of a verb with a command to try.

func (*simulateCmd) Help() string {
	return "Example: recoup simulate --dir demo --cases 20000 --seed 1 --policy uniform --oracle demo-oracle"
}

func (*tableCmd) Help() string {
	return "Examples:\n\nrecoup table payments.csv\n\n" +
		"recoup table payments.csv --mapping map.yaml --csv --rejects rejects.csv"
}

func (*ingestCmd) Help() string {
	return "Examples:\n\nrecoup ingest --suggest payments.csv --out payments.yaml\n\n" +
		"recoup ingest payments.csv --mapping payments.yaml --dir shop\n\n" +
		"--suggest drafts the mapping from the names of the columns and, above all, from what stands in them. " +
		"What the file does not say (day or month first, rupees or paise, which zone) is asked in the draft, and never guessed.\n\n" +
		"Look first at what a mapping makes of a file: recoup table payments.csv --mapping payments.yaml --csv. " +
		"Rows that cannot be read are put aside with their line and reason; the same file again adds nothing. " +
		"Ids that a JSON file writes as numbers are taken by their digits where the mapping says {from: id, digits: true}."
}

func (*fitCmd) Help() string {
	return "Examples:\n\nrecoup fit --data old.csv --target y\n\n" +
		"recoup fit --data old.csv --target y --l2 5 --ref plan=basic --calibrate later.csv --test latest.csv --json"
}

func (*evaluateCmd) Help() string {
	return "Examples:\n\nrecoup evaluate --scores scores.csv --json\n\n" +
		"recoup evaluate --model champion --dir shop --rows attempts.parquet --target y --cluster customer_id"
}

func (*predictCmd) Help() string {
	return "Examples:\n\nrecoup predict --model champion --dir shop --rows rows.csv --out scored.csv\n\n" +
		"recoup predict --model model.txt --rows rows.parquet --columns columns.json --json\n\n" +
		"A LightGBM text file is refused unless three readings of it score alike, bit for bit. Texts get their codes from columns.json; a code is cut to a whole number, " +
		"and an unknown text, a negative code and one that was not in the training data are scored as LightGBM scores them, and told."
}

func (*modelsCmd) Help() string {
	return "Examples:\n\nrecoup models list --dir shop\n\nrecoup models show champion --dir shop\n\nrecoup models inspect model.txt"
}

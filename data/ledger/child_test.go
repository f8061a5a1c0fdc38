package ledger

func childJob() bool { return false }

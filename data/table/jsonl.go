package table

import "recoup/data"

func (f *File) openJSONL() error { return f.fault("JSONL files are not read yet") }
func (f *File) openLines(columns []data.Column) (records, error) {
	return nil, f.fault("JSONL files are not read yet")
}

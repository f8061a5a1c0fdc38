package table

import (
	"errors"

	"recoup/data"
)

type part struct{}

func (f *File) openFolder() error  { return f.fault("folders are not read yet") }
func (f *File) openParquet() error { return f.fault("Parquet files are not read yet") }
func (f *File) parquetFrames(columns []data.Column, yield func(*data.Frame, error) bool) {
	yield(nil, errors.New("table: Parquet files are not read yet"))
}
func (f *File) parquetProfile(columns []data.Column) ([]Profile, error) {
	return nil, errors.New("table: Parquet files are not read yet")
}

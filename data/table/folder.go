package table

import (
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"recoup/data"
)

// folderValue is a column whose value is the name of a folder, key=value, as
// Hive lays tables out.
type folderValue struct {
	key, value string
	null       bool
}

// openFolder opens a folder of Parquet files as one table, in the order of
// their paths. What begins with _ or . is no data.
func (f *File) openFolder() error {
	f.format = Parquet
	var paths []string
	err := filepath.WalkDir(f.path, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); path != f.path && (strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".")) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if !d.IsDir() {
			paths = append(paths, path)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("table: %w", err)
	}
	if len(paths) == 0 {
		return f.fault("the folder holds no files")
	}
	slices.Sort(paths)
	for _, path := range paths {
		if ext := strings.ToLower(filepath.Ext(path)); ext != ".parquet" && ext != ".pq" {
			return f.fault("%s is not a Parquet file: a folder is read where all its files are Parquet", path)
		}
		folders, err := f.foldersOf(path)
		if err != nil {
			return err
		}
		p, err := f.openPart(path, folders)
		if err != nil {
			return err
		}
		f.parts = append(f.parts, p)
	}
	return f.agree()
}

// foldersOf reads the key=value names between the table's folder and a file.
func (f *File) foldersOf(path string) ([]folderValue, error) {
	rel, err := filepath.Rel(f.path, filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	var out []folderValue
	for _, name := range strings.Split(filepath.ToSlash(rel), "/") {
		key, value, ok := strings.Cut(name, "=")
		if !ok {
			continue
		}
		if key, err = url.PathUnescape(key); err == nil {
			value, err = url.PathUnescape(value)
		}
		if err != nil {
			return nil, f.fault("folder %q: %v", name, err)
		}
		out = append(out, folderValue{key, value, value == "__HIVE_DEFAULT_PARTITION__"})
	}
	return out, nil
}

// agree makes the columns of the table from those of its parts, which must be
// the same by name, type and folders.
func (f *File) agree() error {
	first := &f.parts[0]
	f.codec = first.codec
	for _, l := range first.leaves {
		f.columns = append(f.columns, l.Column)
	}
	for _, v := range first.folders {
		if f.column(v.key) != nil {
			return f.fault("%s is a column of the files and the name of a folder", v.key)
		}
		f.columns = append(f.columns, Column{Name: v.key, Kind: data.String, Type: "folder"})
	}
	for _, p := range f.parts[1:] {
		if len(p.leaves) != len(first.leaves) || len(p.folders) != len(first.folders) {
			return p.fault("its columns are not those of %s", first.path)
		}
		for _, l := range first.leaves {
			other := p.leaf(l.Name)
			if other == nil {
				return p.fault("no column %s, which %s has", l.Name, first.path)
			}
			if a, b := other.Column, l.Column; a.Kind != b.Kind || a.Type != b.Type || a.Local != b.Local {
				return p.fault("column %s is %s, and %s in %s", l.Name, other.Type, l.Type, first.path)
			}
		}
		for i, v := range first.folders {
			if p.folders[i].key != v.key {
				return p.fault("it lies in folders of %s, and %s in folders of %s", p.folders[i].key, first.path, v.key)
			}
		}
	}
	return nil
}

// fill appends a folder's value n times.
func (p *part) fill(b *builder, name string, n int) {
	for _, v := range p.folders {
		if v.key != name {
			continue
		}
		c := cell{text: []byte(v.value)}
		if v.null {
			c = cell{kind: cellNull}
		}
		for range n {
			b.add(c)
		}
	}
}

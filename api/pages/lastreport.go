package pages

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"recoup/api/report"
)

// LastReport reads the newest night's report below D/runs, anew at each call:
// the folders are named by as_of, so that the last name is the newest night. A
// night that has no report yet is passed over; no night at all is nil, nil,
// nil. A report that does not read is an error that names its file.
func LastReport(runs string) func() (*report.Report, []byte, error) {
	return func() (*report.Report, []byte, error) {
		nights, err := os.ReadDir(runs)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil, nil
		}
		if err != nil {
			return nil, nil, fmt.Errorf("pages: reports: %w", err)
		}
		for _, n := range slices.Backward(nights) {
			path := filepath.Join(runs, n.Name(), "report")
			html, err := os.ReadFile(path + ".html")
			if errors.Is(err, fs.ErrNotExist) || !n.IsDir() {
				continue
			}
			if err != nil {
				return nil, nil, fmt.Errorf("pages: reports: %w", err)
			}
			js, err := os.ReadFile(path + ".json")
			if err != nil {
				return nil, nil, fmt.Errorf("pages: reports: %w", err)
			}
			r, err := report.Decode(js)
			if err != nil {
				return nil, nil, fmt.Errorf("pages: %s.json: %w", path, err)
			}
			return r, html, nil
		}
		return nil, nil, nil
	}
}

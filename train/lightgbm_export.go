package train

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"recoup/data"
	"recoup/features"
	"recoup/models"
)

// The files of the hand-off; lightgbm.py says what they hold.
const (
	rowsFile     = "rows.arrows"
	columnsFile  = "columns.json"
	settingsFile = "settings.json"
	scriptFile   = "fit.py" // under its own name it would hide the package from itself
)

// forestSettings is settings.json.
type forestSettings struct {
	Seed      int                `json:"seed"`
	Threads   int                `json:"threads"`
	Rounds    int                `json:"rounds"`     // trees at most
	StopAfter int                `json:"stop_after"` // rounds without a gain on the select slice
	Golden    int                `json:"golden"`     // rows, at most
	Weight    string             `json:"weight"`     // column of weights, "" = 1 each
	Trials    []ForestParameters `json:"trials"`
}

// inputsOf are a schema's columns as a forest takes them.
func inputsOf(s features.Schema) []models.Input {
	out := make([]models.Input, len(s.Columns))
	for i, c := range s.Columns {
		out[i] = models.Input{Name: c.Name, Levels: c.Levels}
	}
	return out
}

// handOver writes what the Python side reads into an empty folder.
func (t Task) handOver(g LightGBM, rows sources, trials []ForestParameters) error {
	if err := os.RemoveAll(g.Dir); err != nil {
		return err
	}
	if err := os.MkdirAll(g.Dir, 0o777); err != nil {
		return err
	}
	columns, err := models.ColumnsJSON(inputsOf(t.Schema))
	if err != nil {
		return err
	}
	settings, err := json.MarshalIndent(forestSettings{Seed: g.Seed, Threads: lightgbmThreads, Rounds: 2000, StopAfter: 50, Golden: 64, Weight: t.Weight, Trials: trials}, "", "  ")
	if err != nil {
		return err
	}
	for name, b := range map[string][]byte{columnsFile: columns, settingsFile: settings, scriptFile: lightgbmScript} {
		if err := data.WriteFile(filepath.Join(g.Dir, name), func(w io.Writer) error { _, err := w.Write(b); return err }); err != nil {
			return err
		}
	}
	return t.exportRows(filepath.Join(g.Dir, rowsFile), rows)
}

// exportRows writes the train and the select slice as one Arrow IPC stream.
func (t Task) exportRows(path string, rows sources) (err error) {
	names := append(t.columns(), colY)
	table := path + ".parquet" // an Arrow stream is made of a table on disk
	defer os.Remove(table)
	var out *data.FrameWriter
	for _, part := range []struct {
		rows   Source
		choose int64
	}{{rows.train, 0}, {rows.pick, 1}} {
		for f, err := range part.rows() {
			if err != nil {
				return err
			}
			chunk := &data.Frame{N: f.N}
			for _, name := range names {
				c := f.Column(name)
				if c == nil {
					return missing(name)
				}
				chunk.Columns = append(chunk.Columns, *c)
			}
			of := make([]int64, f.N)
			for i := range of {
				of[i] = part.choose
			}
			chunk.Columns = append(chunk.Columns, data.Column{Name: "select", Kind: data.Bool, I: of})
			if out == nil {
				if out, err = data.CreateFrames(table, chunk.Columns, nil); err != nil {
					return err
				}
				defer out.Abort() // does nothing once it is closed
			}
			if err := out.Write(chunk); err != nil {
				return err
			}
		}
	}
	if out == nil {
		return data.Faultf(data.ErrTooLittle, "no rows")
	}
	if err := out.Close(); err != nil {
		return err
	}
	f, err := data.OpenFrames(table)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := data.WriteFile(path, func(w io.Writer) error { return features.WriteArrow(w, f) }); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

package ope

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestReadLines: the same rows from JSON lines, with numbers as names of actions.
func TestReadLines(t *testing.T) {
	path := write(t, "rows.jsonl", `{"reward":1,"action":7,"propensity":0.5,"e_7":0.25,"e_8":0.75,"cluster":1}
{"reward":0,"action":"8","propensity":0.5,"e_7":1,"e_8":0,"cluster":"x"}
`)
	r := openRows(t, path)
	if strings.Join(r.Actions, " ") != "7 8" || r.Taken[0] != 0 || r.Taken[1] != 1 || r.Target[1] != .75 || r.Cluster[1] != 1 {
		t.Errorf("%+v", r)
	}
}

func TestKinds(t *testing.T) {
	for head, want := range map[string]FileKind{
		"reward,action,propensity,e_a\n": RowFile, "episode,step,reward,action,propensity,e_a\n": EpisodeFile,
		"step,reward,action,propensity,e_a\n": EpisodeFile, "reward,t_logged,t_eval,density\n": TimeFile,
	} {
		f, err := Open(write(t, "x.csv", head))
		if err != nil || f.Kind() != want {
			t.Errorf("%q: %v, %v", head, f, err)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	const head = "reward,action,propensity,e_a,e_b"
	for text, want := range map[string]Reason{
		head + ",logger,b1_a,b1_b\n1,a,.5,.5,.5,0,.5,.5\n":                LoggerUnknown,
		head + ",b1_a,b1_b\n1,a,.5,.5,.5,.5,.5\n":                         ColumnMissing, // whose is it, without a logger column?
		head + ",logger\n1,a,.5,.5,.5,-1\n":                               LoggerUnknown,
		head + "\n1,a,0x1p-1,.5,.5\n":                                     NotANumber,
		head + "\n1,a,1_0,.5,.5\n":                                        NotANumber,
		head + "\n1,a,1e400,.5,.5\n":                                      PropensityAboveOne,
		head + "\n1,a,1e-400,.5,.5\n":                                     PropensityZero,
		head + "\n1,a,50%,.5,.5\n":                                        NotANumber,
		head + ",q_c\n1,a,.5,.5,.5,.5\n":                                  ColumnMissing,
		head + ",b0_a,b0_b\n1,a,.5,.5,.5,.5,-.5\n":                        LoggerPolicyNegative,
		head + ",b0_a,b0_b\n1,a,.5,.5,.5,.5,\n":                           LoggerPolicyMissing,
		"episode,step,reward,action,propensity,e_a\n,1,1,a,1,1\n":         EpisodeMissing,
		"episode,step,reward,action,propensity,e_a\nx,1.0,1,a,1,1\n":      StepInvalid,
		"episode,step,reward,action,propensity,e_a\nx,2,1,a,1,1\n":        StepGap,
		"reward,t_logged,t_eval,density\n1,1,1,0\n":                       DensityZero,
		"reward,t_logged,t_eval,density\n1,1,1,\n":                        DensityMissing,
		"reward,t_logged,t_eval,density\n1,1,,1\n":                        TimeMissing,
		"reward,t_logged,t_eval,density\n1,1,1,inf\n":                     DensityNotFinite,
		"reward,t_logged,t_eval,density,t_from,t_to\n1,1,1,1,2,3\n":       TimeOutside,
		"reward,t_logged,t_eval,density,t_from,t_to\n1,1,1,1,,3\n":        TimeMissing,
		"reward,t_logged,t_eval,density,t_from\n1,1,1,1,0\n":              ColumnMissing,
		"reward,t_logged,t_eval,density\n":                                NoRows,
		"episode,step,reward,action,propensity,e_a,cluster\nx,1,1,a,1,1,": ClusterMissing,
	} {
		err := readAny(write(t, "x.csv", text))
		var r *Refusal
		if !errors.As(err, &r) || r.Reason != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		} else if !strings.Contains(err.Error(), "x.csv") {
			t.Errorf("%v does not name the file", err)
		}
	}
}

// TestRefusalSays: what is wrong, as it was written, and in which row.
func TestRefusalSays(t *testing.T) {
	const head = "reward,action,propensity,e_a,e_b,q_a,q_b\n"
	const sound = "1,a,.5,.5,.5,0,0\n"
	for _, c := range []struct{ name, text, want string }{
		{"x.csv", head + sound + "1.66e300,a,.5,.5,.5,0,0\n", "row 2, column reward: overflow: 1.66e+300: beyond"},
		{"x.csv", head + sound + "1,a,.5,.5,.5,1.8e150,0\n", "row 2, column q_a: overflow: 1.8e+150: beyond"},
		{"x.csv", head + sound + "1,a,.5,.5,.5,0,inf\n", "row 2, column q_b: q_missing: +Inf: give a prediction"},
		{"x.csv", head + sound + "1,a,.5,.5,,0,0\n", "row 2, column e_b: target_missing: nothing is there"},
		{"x.csv", head + sound + "1,a,.5,.5,nan,0,0\n", "row 2, column e_b: target_missing: NaN"},
		{"x.csv", head + sound + ",a,.5,.5,.5,0,0\n", "reward_missing: nothing is there"},
		{"x.csv", head + sound + "nan,a,.5,.5,.5,0,0\n", "reward_missing: NaN"},
		{"x.csv", head + sound + "1,a,,.5,.5,0,0\n", "propensity_missing: nothing is there"},
		{"x.csv", head + sound + "1,a,.5,.5,.5,,0\n", "q_missing: nothing is there"},
		{"x.jsonl", `{"reward":1,"action":"a","propensity":0.5,"e_a":0.5,"e_b":0.5}` + "\n" + `{"reward":1,"action":"a","propensity":0.5,"e_a":0.5}` + "\n", "row 2, column e_b: target_missing: nothing is there"},
		{"x.jsonl", `{"reward":1,"action":"a","propensity":0.5,"e_a":0.5,"e_b":"nan"}` + "\n", "row 1, column e_b: target_missing: NaN"},
		{"x.csv", head + sound + "\n" + sound + "1,a\n" + sound + "1\n", "row 3: ragged_row: line 5:"},
		{"x.csv", head + "1,a\n", "row 1: ragged_row: line 2:"},
		{"x.csv", head + strings.Repeat(sound, 150_000) + "1,a\n" + sound, "row 150001: ragged_row: line 150002:"},
		{"x.csv", "episode,step,reward,action,propensity,e_a\ny,1,1,a,1,1\nx,3,1,a,1,1\nx,1,1,a,1,1\n", `step_gap: episode "x" has no step 2, and row 2 is its step 3`},
		{"x.csv", "reward,t_logged,t_eval,density,q_eval\n1,1,1,1,1e200\n", "row 1, column q_eval: overflow"},
		{"x.csv", "reward,t_logged,t_eval,density\n1,,1,1\n", "time_missing: nothing is there"},
		{"x.csv", "reward,t_logged,t_eval,density\n1,1,1,nan\n", "density_missing: NaN"},
	} {
		if err := readAny(write(t, c.name, c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// readAny reads what the columns make of a file.
func readAny(path string) error {
	f, err := Open(path)
	if err != nil {
		return err
	}
	switch f.Kind() {
	case EpisodeFile:
		_, err = f.Episodes()
	case TimeFile:
		_, err = f.Times()
	default:
		_, err = f.Rows()
	}
	return err
}

func TestParseNumber(t *testing.T) {
	for text, want := range map[string]float64{"1": 1, "+.5": .5, "5.": 5, "-1E-3": -.001, " 2 ": 2, "1e999": math.Inf(1), "-inf": math.Inf(-1), "1e-999": 0} {
		if v, ok := parseNumber(text); !ok || v != want {
			t.Errorf("%q: %v, %v", text, v, ok)
		}
	}
	for _, text := range []string{"", "nan", "NaN", "  "} {
		if v, ok := parseNumber(text); !ok || !math.IsNaN(v) {
			t.Errorf("%q: %v, %v", text, v, ok)
		}
	}
	for _, text := range []string{"a", "1,5", "0x10", "1_000", "1 2", "--1", "1e", "e", "½", "infinit"} {
		if v, ok := parseNumber(text); ok {
			t.Errorf("%q is %v", text, v)
		}
	}
}

// FuzzRead: whatever a file holds, it is refused by name or judged, and what is judged
// has no NaN.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"toy/rows.csv", "episodes/one_step.csv", "times/toy.csv", "edge/names.csv", "edge/one_row.csv", "bad/logger_text.csv"} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("reward,action,propensity,e_a,e_b,q_a,q_b,logger\n1e308,a,1e-300,.5,.5,1e308,-1e308,3\n-1e308,b,.5,.5,.5,1,1,3\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "x.csv")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := Open(path)
		if err != nil {
			return
		}
		var out any
		switch file.Kind() {
		case EpisodeFile:
			e, err := file.Episodes()
			if err != nil {
				return
			}
			out, err = EstimateEpisodes(e, .9, .95)
			if err != nil {
				return
			}
		case TimeFile:
			times, err := file.Times()
			if err != nil {
				return
			}
			if out, err = EstimateTimes(times, Epanechnikov, .5, .95); err != nil {
				return
			}
		default:
			rows, err := file.Rows()
			if err != nil {
				return
			}
			r, err := Estimate(rows, Options{})
			if err != nil {
				t.Fatalf("%v after the rows were taken", err)
			}
			if _, err := r.Bootstrap(Bootstrap{Draws: 3}); err != nil {
				t.Fatal(err)
			}
			out = r
		}
		asJSON(t, out) // NaN and Inf cannot be written
	})
}

package train

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"recoup/data"
)

//go:embed lightgbm.py
var lightgbmScript []byte

// LightGBMRequirements are the pinned Python packages, in pip's form.
//
//go:embed lightgbm-requirements.txt
var LightGBMRequirements []byte

// lightgbmVersion is the version of the package that the requirements pin.
func lightgbmVersion() string {
	first, _, _ := strings.Cut(string(LightGBMRequirements), "\n")
	return strings.TrimPrefix(first, "lightgbm==")
}

// ErrPython is a Python that is missing or cannot be used; its message tells the way
// out. It comes with data.ErrUsage.
var ErrPython = errors.New("LightGBM is fitted by its Python package")

// wayOut says what a person can do without a Python that works.
const wayOut = "install Python 3.11 or later with its venv module (Debian: apt install python3 python3-venv), or name an interpreter that has the packages with --python; a LightGBM model that was trained elsewhere needs no Python here: recoup models add FOLDER --dir D"

// Python finds an interpreter with the pinned packages: the one that is named, which
// must have LightGBM's pinned version; else the environment in dir, which is made there
// with the machine's python3 where it is missing or of other requirements. say tells of
// what takes a while; nil = silent.
func Python(ctx context.Context, named, dir string, say func(string)) (string, error) {
	if named != "" {
		path, err := exec.LookPath(named)
		if err != nil {
			return "", data.Faultf(data.ErrUsage, "train: %w: %s: %w; %s", ErrPython, named, err, wayOut)
		}
		got, err := probe(ctx, path)
		if err != nil {
			return "", data.Faultf(data.ErrUsage, "train: %w: %s cannot import it: %w; install train/lightgbm-requirements.txt there, or leave --python out", ErrPython, named, err)
		}
		if want := lightgbmVersion(); got != want {
			return "", data.Faultf(data.ErrUsage, "train: %w: %s has version %s: %s is pinned, since another version may give other trees", ErrPython, named, got, want)
		}
		return path, nil
	}
	if say == nil {
		say = func(string) {}
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	python, made := filepath.Join(dir, "bin", "python"), filepath.Join(dir, "requirements.txt")
	if runtime.GOOS == "windows" {
		python = filepath.Join(dir, "Scripts", "python.exe")
	}
	if have, err := os.ReadFile(made); err == nil && bytes.Equal(have, LightGBMRequirements) {
		if got, err := probe(ctx, python); err == nil && got == lightgbmVersion() {
			return python, nil
		}
	}
	base, err := exec.LookPath("python3")
	if err != nil {
		return "", data.Faultf(data.ErrUsage, "train: %w, and there is no python3 here: %s", ErrPython, wayOut)
	}
	say("making a Python environment in " + dir + ", once")
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	if err := quietly(exec.CommandContext(ctx, base, "-m", "venv", dir)); err != nil {
		return "", errors.Join(ctx.Err(), data.Faultf(data.ErrUsage, "train: %w: python3 -m venv %s: %w; %s", ErrPython, dir, err, wayOut))
	}
	packages := strings.Fields(string(LightGBMRequirements))
	say("installing " + strings.Join(packages, ", "))
	pip := exec.CommandContext(ctx, python, append([]string{"-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"}, packages...)...)
	if err := quietly(pip); err != nil {
		return "", errors.Join(ctx.Err(), data.Faultf(data.ErrUsage, "train: %w: pip install: %w; a package index must be within reach, or %s", ErrPython, err, wayOut))
	}
	if _, err := probe(ctx, python); err != nil {
		return "", data.Faultf(data.ErrUsage, "train: %w: the environment in %s does not work: %w; %s", ErrPython, dir, err, wayOut)
	}
	return python, data.WriteFile(made, func(w io.Writer) error { _, err := w.Write(LightGBMRequirements); return err })
}

// probe is the version of LightGBM that an interpreter has.
func probe(ctx context.Context, python string) (string, error) {
	cmd := exec.CommandContext(ctx, python, "-I", "-c", "import lightgbm, numpy, pyarrow; print(lightgbm.__version__)")
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, lastLines(said.Bytes()))
	}
	return strings.TrimSpace(string(out)), nil
}

// quietly runs a command; an error carries the end of what it said.
func quietly(cmd *exec.Cmd) error {
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, lastLines(out))
	}
	return nil
}

// lastLines is the end of what a program said, on one line.
func lastLines(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return strings.Join(lines[max(0, len(lines)-3):], " | ")
}

// run runs the Python side on g.Dir.
func (g LightGBM) run(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, g.Python, "-I", filepath.Join(g.Dir, scriptFile), g.Dir)
	cmd.Env = append(os.Environ(), "OMP_WAIT_POLICY=passive") // waiting threads leave the processor to others
	var said bytes.Buffer
	cmd.Stderr = &said
	cmd.Stdout = &lineWriter{say: g.Progress}
	if err := cmd.Run(); err != nil {
		return errors.Join(ctx.Err(), fmt.Errorf("%s %s: %w: %s", g.Python, filepath.Join(g.Dir, scriptFile), err, lastLines(said.Bytes())))
	}
	return nil
}

// lineWriter hands on whole lines.
type lineWriter struct {
	say  func(string)
	rest []byte
}

func (l *lineWriter) Write(b []byte) (int, error) {
	l.rest = append(l.rest, b...)
	for {
		line, rest, found := bytes.Cut(l.rest, []byte("\n"))
		if !found {
			return len(b), nil
		}
		if l.say != nil {
			l.say(string(line))
		}
		l.rest = rest
	}
}

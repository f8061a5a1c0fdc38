// Package cmd_test holds the rules of the layout: who may import whom, and
// where clocks, dice and the simulator's oracle may appear. The table is a
// statement of policy: change it on purpose or not at all.
package cmd_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "recoup/"

// mayImport lists, for each package, the packages of this module it may import.
// cmd may import everything.
var mayImport = map[string][]string{
	"data":                 {},
	"data/table":           {"data"},
	"data/sim":             {"data", "data/table"},
	"data/ingest":          {"data", "data/table"},
	"data/ingest/razorpay": {"data", "data/table"},
	"data/ledger":          {"data", "data/table"},
	"features":             {"data", "features/key", "features/labels"},
	"features/key":         {"data"},
	"features/labels":      {"data", "features/key"}, // what came of it: see labelReaders
	"models/lightgbm":      {},
	"models":               {"data", "data/table", "features", "models/lightgbm"},
	"train":                {"data", "data/table", "features", "models"},
	"score":                {"data", "features", "models"},
	"ope":                  {"data", "data/table"},
	"ope/bandit":           {"data", "ope"},
	"api/report":           {"data", "models", "ope"},
	"api/pages":            {"data", "models", "score", "api/report", "api/live"},
	"api/live":             {"data", "data/ingest/razorpay", "data/ledger", "features", "models", "score"},
	"api":                  {"data", "data/ingest", "data/ingest/razorpay", "data/ledger", "features", "score", "models", "ope", "api/report", "api/pages", "api/live"},
}

// importers lists who may import each library (by path prefix). A library that
// is not here may be imported by nobody.
var importers = map[string][]string{
	"github.com/parquet-go/parquet-go":     {"data", "data/table"},
	"github.com/klauspost/compress":        {"data", "data/table"},
	"github.com/apache/arrow/go/v17":       {"data/table", "features"},
	"github.com/dmitryikh/leaves":          {"models/lightgbm", "cmd/bench"},
	"gonum.org/v1/gonum/stat":              {"ope", "models", "train"},
	"gonum.org/v1/gonum":                   {"train"},
	"gonum.org/v1/plot":                    {"api/report"},
	"github.com/goccy/go-yaml":             {"data/ingest", "score"},
	"github.com/gin-gonic/gin":             {"api"},
	"github.com/danielgtaylor/huma/v2":     {"api"},
	"github.com/prometheus/client_golang":  {"api"},
	"github.com/chromedp/chromedp":         {"tests"},
	"github.com/chromedp/cdproto":          {"tests"},
	"golang.org/x/text":                    {"data/table"},
	"golang.org/x/term":                    {"cmd"},
	"github.com/alecthomas/kong":           {"cmd"},
	"github.com/schollz/progressbar/v3":    {"cmd"},
	"golang.org/x/sys":                     {"data"},
	"modernc.org/sqlite":                   {"data/ledger"},
	"github.com/jackc/pgx/v5":              {"data/ledger"},
	"github.com/pressly/goose/v3":          {"data/ledger"},
	"golang.org/x/mod/sumdb":               {"data/ledger"},
	"github.com/rogpeppe/go-internal":      {"tests"},
	"github.com/google/go-cmp":             {"tests"},
	"pgregory.net/rapid":                   {"tests"},
	"go.uber.org/goleak":                   {"tests"},
	"github.com/google/go-cmp/cmp/cmpopts": {"tests"},
}

// oracleReaders are the files outside data/sim that may name the simulator's
// package: the verbs that simulate or judge in simulation.
var oracleReaders = []string{"cmd/recoup/simulate", "cmd/recoup/nightly/report", "cmd/recoup/nightly/oracle", "cmd/recoup/bracket/oracle", "cmd/recoup/experiment", "cmd/recoup/selftest", "cmd/recoup/compare", "cmd/bench/", "cmd/tour/"}

// labelReaders are the files of package features that may see outcomes: those
// that write them beside a finished row, never those that compute one.
var labelReaders = []string{"features/build.go", "features/shard.go"}

func TestImports(t *testing.T) {
	for _, f := range sources(t) {
		pkg := filepath.ToSlash(filepath.Dir(f.path))
		for _, spec := range f.ast.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			if err := checkImport(pkg, f.path, path, f.test); err != nil {
				t.Errorf("%s: %v", f.path, err)
			}
		}
	}
}

// TestImportsCatches shows that the rules can fail.
func TestImportsCatches(t *testing.T) {
	for _, c := range []struct{ pkg, imports string }{
		{"ope", module + "score"},
		{"score", module + "train"},
		{"features", "github.com/parquet-go/parquet-go"},
		{"models", "gonum.org/v1/gonum/optimize"},
		{"train", module + "data/sim"},
		{"data", "example.com/unknown"},
		{"util", module + "data"},
		{"features", module + "features/labels"},
	} {
		if checkImport(c.pkg, c.pkg+"/x.go", c.imports, false) == nil {
			t.Errorf("%s importing %s went through", c.pkg, c.imports)
		}
	}
}

func checkImport(pkg, file, path string, test bool) error {
	switch {
	case strings.HasPrefix(path, module):
		dep := strings.TrimPrefix(path, module)
		if dep == "data/sim" && !test && pkg != "data/sim" {
			if !slices.ContainsFunc(oracleReaders, func(p string) bool { return strings.HasPrefix(file, p) }) {
				return fmt.Errorf("imports the oracle's package %s: only %v may", dep, oracleReaders)
			}
			return nil
		}
		if strings.HasPrefix(pkg, "cmd") || test {
			return nil
		}
		if dep == "features/labels" && !slices.Contains(labelReaders, file) {
			return fmt.Errorf("imports %s: only %v may see outcomes", dep, labelReaders)
		}
		allowed, known := mayImport[pkg]
		if !known {
			return fmt.Errorf("package %s is not in the layout", pkg)
		}
		if !slices.Contains(allowed, dep) {
			return fmt.Errorf("imports %s: %s may import %v of this module", dep, pkg, allowed)
		}
	case strings.Contains(strings.Split(path, "/")[0], "."):
		return checkLibrary(pkg, path, test)
	}
	return nil
}

func checkLibrary(pkg, path string, test bool) error {
	lib := ""
	for l := range importers {
		if (path == l || strings.HasPrefix(path, l+"/")) && len(l) > len(lib) {
			lib = l
		}
	}
	if lib == "" {
		return fmt.Errorf("imports %s, which no package may", path)
	}
	for _, who := range importers[lib] {
		if who == pkg || who == "cmd" && strings.HasPrefix(pkg, "cmd") || test {
			return nil
		}
	}
	return fmt.Errorf("imports %s: only %v may", path, importers[lib])
}

// TestClocksAndDice: time and randomness are arguments outside cmd.
func TestClocksAndDice(t *testing.T) {
	for _, f := range sources(t) {
		if f.test || strings.HasPrefix(f.path, "cmd/") {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			call, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			id, ok := call.X.(*ast.Ident)
			if !ok || id.Obj != nil {
				return true
			}
			name := id.Name + "." + call.Sel.Name
			if globalDice(name) {
				t.Errorf("%s: %s: pass the time or a generator in", f.fset.Position(n.Pos()), name)
			}
			return true
		})
	}
}

func globalDice(name string) bool {
	if name == "time.Now" || name == "time.Since" || name == "time.Until" || name == "time.Local" {
		return true
	}
	sel, ok := strings.CutPrefix(name, "rand.")
	if !ok {
		return false
	}
	return !slices.Contains([]string{"New", "NewPCG", "NewChaCha8", "NewZipf", "Rand", "Source", "PCG", "ChaCha8"}, sel)
}

// TestTopLevel: the names at the top are fixed.
func TestTopLevel(t *testing.T) {
	allowed := []string{"cmd", "features", "train", "score", "ope", "data", "models", "api", "engine", "go.mod", "go.sum",
		"Makefile", "README.md", "CHANGELOG.md", "LICENSE", ".ci", ".git", ".gitignore"}
	entries, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	ignored, err := os.ReadFile("../.gitignore")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !slices.Contains(allowed, e.Name()) && !strings.Contains(string(ignored), e.Name()) {
			t.Errorf("%s does not belong at the top", e.Name())
		}
	}
}

type source struct {
	path string // from the top of the module
	test bool
	fset *token.FileSet
	ast  *ast.File
}

func sources(t *testing.T) []source {
	t.Helper()
	var out []source
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "engine" || strings.HasPrefix(d.Name(), ".") && d.Name() != "..") {
			return filepath.SkipDir
		}
		if filepath.ToSlash(path) == "../models/lightgbm/bench" { // a module of its own, for cmd/bench alone
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel("..", path)
		out = append(out, source{filepath.ToSlash(rel), strings.HasSuffix(path, "_test.go"), fset, f})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 10 {
		t.Fatalf("only %d Go files found", len(out))
	}
	return out
}

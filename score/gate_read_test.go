package score

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"

	"recoup/data"
)

// Every rule that an answer can name is printed: the gate's own, and those that
// this package's code writes into a refusal.
func TestEveryRuleIsPrinted(t *testing.T) {
	p := Default()
	var printed []string
	for _, r := range append(p.Rules(), p.AfterRules()...) {
		if r.Why == "" || r.Source == "" || slices.Contains(printed, r.ID) {
			t.Errorf("%+v is told badly, or twice", r)
		}
		printed = append(printed, r.ID)
	}
	for _, r := range p.Table().After {
		if !slices.Contains(printed, r.ID) || r.Refuses == "" {
			t.Errorf("%+v is not what AfterRules says", r)
		}
	}
	files, err := os.ReadDir(".")
	must(t, err)
	consts, named := map[string]string{}, []string{}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, 0)
		must(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				for i, v := range n.Values {
					if lit, ok := v.(*ast.BasicLit); ok {
						consts[n.Names[i].Name] = strings.Trim(lit.Value, `"`)
					}
				}
			case *ast.CompositeLit:
				if of, ok := n.Type.(*ast.Ident); !ok || of.Name != "Refusal" {
					return true
				}
				for _, e := range n.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok && kv.Key.(*ast.Ident).Name == "Rule" {
						switch v := kv.Value.(type) {
						case *ast.Ident:
							named = append(named, v.Name)
						case *ast.BasicLit:
							t.Errorf("%s writes %s into a refusal: expected a constant", f.Name(), v.Value)
						}
					}
				}
			}
			return true
		})
	}
	if len(named) < 3 {
		t.Errorf("only %v write refusals", named)
	}
	for _, n := range named {
		if id := consts[n]; !slices.Contains(printed, id) {
			t.Errorf("%s = %q is named in refusals and printed nowhere", n, id)
		}
	}
}

// A row of the class table, and none.
func TestClass(t *testing.T) {
	p := Default()
	for c := range p.classes {
		r := p.Class(data.Class(c))
		for _, word := range []string{r.Retry, r.Link, r.Nudge, r.Escalate, r.When} {
			if word == "" {
				t.Errorf("class %d: %+v lacks a word", c, r)
			}
		}
	}
	now := p.Class(1)
	if now.Retry != "yes" || now.Link != "after_attempts" || len(now.After) != 3 {
		t.Errorf("RETRY_NOW: %+v", now)
	}
	now.After[0] = 0
	if p.Class(1).After[0] == 0 {
		t.Error("a caller can change the policy")
	}
	if got := p.Class(200); got.Retry != "" {
		t.Errorf("no class: %+v", got)
	}
}

package data

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// namedNode is a column or group of a Parquet schema in its place.
type namedNode struct {
	name string
	node parquet.Node
}

// group is a Parquet group that keeps the order of its fields; parquet.Group
// alone orders them by name.
type group struct {
	parquet.Group
	fields []parquet.Field
}

func (g group) Fields() []parquet.Field { return g.fields }

func groupOf(nodes []namedNode) group {
	g := group{Group: parquet.Group{}}
	for _, n := range nodes {
		g.Group[n.name] = n.node
	}
	byName := g.Group.Fields()
	for _, n := range nodes {
		i := slices.IndexFunc(byName, func(f parquet.Field) bool { return f.Name() == n.name })
		g.fields = append(g.fields, byName[i])
	}
	return g
}

func (t *table[T]) schema() *parquet.Schema {
	nodes := make([]namedNode, len(t.columns))
	for i, c := range t.columns {
		nodes[i] = namedNode{c.columnName(), c.node()}
	}
	return parquet.NewSchema(t.name, groupOf(nodes))
}

// checkSchema compares a file's columns with the expected ones by name,
// physical and logical type and optionality, in any order. All differences are
// told at once. A missing column would read as zeros and a retyped one would be
// converted in silence, so nothing is read before this holds.
func checkSchema(got, want *parquet.Schema) error {
	var faults []string
	for _, path := range want.Columns() {
		name := columnPath(path)
		w, _ := want.Lookup(path...)
		g, ok := got.Lookup(path...)
		if !ok {
			faults = append(faults, fmt.Sprintf("column %s is missing (expected %s)", name, leafType(w)))
		} else if leafType(g) != leafType(w) {
			faults = append(faults, fmt.Sprintf("column %s is %s, expected %s", name, leafType(g), leafType(w)))
		}
	}
	for _, path := range got.Columns() {
		if _, ok := want.Lookup(path...); !ok {
			faults = append(faults, fmt.Sprintf("column %s is unknown", columnPath(path)))
		}
	}
	if len(faults) > 0 {
		return Faultf(ErrContract, "%s", strings.Join(faults, "; "))
	}
	return nil
}

func leafType(c parquet.LeafColumn) string {
	t := c.Node.Type()
	s := t.Kind().String()
	if l := t.LogicalType(); l != nil && l.Value != nil {
		s += " " + l.String()
	}
	switch {
	case c.MaxRepetitionLevel > 0:
		s += fmt.Sprintf(", repeated %d", c.MaxRepetitionLevel)
	case c.MaxDefinitionLevel > 0:
		return s + ", optional"
	default:
		return s + ", required"
	}
	return fmt.Sprintf("%s, depth %d", s, c.MaxDefinitionLevel)
}

// columnPath drops the two levels that a Parquet LIST puts between a list and
// its fields.
func columnPath(path []string) string {
	if len(path) == 4 && path[1] == "list" {
		path = []string{path[0], path[3]}
	}
	return strings.Join(path, ".")
}

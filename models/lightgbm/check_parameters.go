package lightgbm

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// parameter compares one of the parameters of training with the header and the trees.
func (m *Model) parameter(f field, key, value string, h *header) error {
	switch key {
	case "objective":
		if o := value; o == "xentropy" {
			value = "cross_entropy"
		}
		if value != m.Objective.Name {
			return f.fault("%q, but the header (line %d) says %s", value, h.objects.line, m.Objective.Name)
		}
	case "sigmoid":
		s, err := f.finite([]byte(value))
		if err != nil {
			return err
		}
		// The header's slope has six digits.
		if m.Objective.Name == "binary" && strconv.FormatFloat(s, 'g', 6, 64) != strconv.FormatFloat(m.Objective.Sigmoid, 'g', 6, 64) {
			return f.fault("%s, but the header (line %d) says sigmoid:%v", value, h.objects.line, m.Objective.Sigmoid)
		}
	case "linear_tree":
		if i := slices.IndexFunc(m.Trees, func(t Tree) bool { return t.Linear != nil }); value == "0" && i >= 0 {
			return f.fault("0, but Tree=%d has linear leaves", i)
		}
	case "num_class":
		if value != "1" {
			return f.fault("%q, but the header says num_class=1", value)
		}
	case "boosting":
		if forest := value == "rf" || value == "random_forest"; forest != m.Average {
			return f.fault("%q, but the header %s average_output, the mark of a random forest", value, map[bool]string{true: "has", false: "lacks"}[m.Average])
		}
	}
	return nil
}

// importance compares the importances with the splits: they count those of a gain above 0,
// or, by the exporter's choice, add up the gains. What fits neither is only told: LightGBM
// itself counts other trees when it saves from a later round on.
func (m *Model) importance(told map[string]uint64) error {
	if len(told) == 0 {
		return nil
	}
	for name := range told {
		if !slices.Contains(m.Names, name) {
			return &Fault{Key: "feature_importances", Tree: -1, Cause: fmt.Sprintf("%s is not one of feature_names", clipped([]byte(name)))}
		}
	}
	byCount, byGain := true, true
	for j, name := range m.Names {
		k := float64(told[name])
		byCount = byCount && k == float64(m.Splits[j])
		byGain = byGain && math.Abs(k-m.Gains[j]) <= 1+1e-4*m.Gains[j]
	}
	if !byCount && !byGain {
		m.Warnings = append(m.Warnings, "feature_importances do not belong to these trees: it was saved from a later round on (start_iteration), or was edited")
	}
	return nil
}

// warn tells what a reader of the file should know.
func (m *Model) warn() {
	for i := range m.Trees {
		for _, n := range m.Trees[i].Nodes {
			if n.Category >= 0 && n.Missing == MissingNone && m.Version < 4 {
				m.Warnings = append(m.Warnings, "a missing category goes right, as in LightGBM 3.3 and later; older ones took it for category 0")
				return
			}
		}
	}
}

// MissingAsZero says of each feature whether a missing value counts as 0 somewhere: no
// missing value was seen in training.
func (m *Model) MissingAsZero() []bool {
	zero := make([]bool, len(m.Names))
	for i := range m.Trees {
		for _, n := range m.Trees[i].Nodes {
			if n.Missing == MissingNone && n.Category < 0 {
				zero[n.Feature] = true
			}
		}
	}
	return zero
}

package lightgbm

// Model is a LightGBM text file as the strict loader read it. It is not changed
// after Parse and safe for concurrent use.
type Model struct {
	Version   int      // 2, 3 or 4
	Names     []string // of the features, in the order of a row
	Kinds     []Kind   // by feature
	Infos     []string // by feature: the file's feature_infos
	Objective Objective
	Average   bool // a random forest: p is the link of the mean over the trees, raw their sum
	Trees     []Tree
	// PandasLevels are the levels of the category-dtype columns as Python wrote them, in
	// column order; nil = the line is absent or null. Which columns they are is not said.
	PandasLevels [][]any
	Splits       []int     // by feature: splits on it with a gain above 0
	Gains        []float64 // by feature: the sum of its splits' gains above 0, which the file has to six digits
	Warnings     []string  // what a reader of the file should know; it was accepted all the same
	SHA256       string    // of the bytes, in hex
}

// Kind is what a feature is to the trees.
type Kind uint8

// The kinds of feature.
const (
	Unused      Kind = iota // feature_infos is "none": no split uses it
	Numeric                 // split by <=
	Categorical             // split by a set of codes
)

// Objective is what raw scores mean.
type Objective struct {
	Name    string  // "binary" or "cross_entropy"
	Sigmoid float64 // s of p = 1/(1+exp(-s raw)); 1 for cross_entropy
}

// Missing is how a node treats missing values.
type Missing uint8

// The rules for missing values, with LightGBM's numbers.
const (
	MissingNone Missing = iota // NaN counts as 0
	MissingZero                // 0 and NaN go the default way
	MissingNaN                 // NaN goes the default way
)

// Node is one split. A child >= 0 is a node, a child < 0 the leaf ^child.
type Node struct {
	Feature     int32
	Threshold   float64 // numeric: x <= Threshold goes left; may be infinite
	Category    int32   // categorical: index into the tree's CatBoundaries; -1 = numeric
	Missing     Missing
	DefaultLeft bool
	Left, Right int32
}

// Tree is one tree. A tree of one leaf has no nodes.
type Tree struct {
	Nodes         []Node
	Leaves        []float64 // values, shrinkage included
	CatBoundaries []int32   // set k is the words CatBoundaries[k] to CatBoundaries[k+1] of CatBits
	CatBits       []uint32  // bit c set: category c goes left
	Linear        []Linear  // by leaf; nil = constant leaves
}

// Linear is a leaf's linear model: Const + sum of Coef[i]*x[Features[i]], from left to
// right, each product rounded before it is added. A missing value among its features
// gives the leaf's plain value.
type Linear struct {
	Const    float64
	Features []int32
	Coef     []float64
}

/*
Package lightgbm reads LightGBM's text models strictly and scores them exactly.

	text -> Parse -> Model -> Compile -> Forest -> Grid
	                   |                   |
	                   +---- Load: all readings agree, or the model is refused

Parse (parse*, header*, tree*, check*) takes the text that Booster.save_model writes, of
LightGBM 2 to 4, and nothing else. LightGBM itself is no judge of a file: it reads beyond
its arrays, hangs or takes half of the trees where a file is damaged. What Parse checks:

 1. At most MaxBytes; line ends of one byte; the first line is "tree"; version v2, v3 or v4.
 2. The lines of the header, each known and once; one probability per row: num_class 1,
    objective binary with its slope, or cross_entropy.
 3. As many names and feature_infos as max_feature_idx says; no name twice.
 4. tree_sizes leads from tree to tree, and ends at "end of trees": a byte lost or added
    shows. Parts that were begun are ended.
 5. The lines of a tree, each known and once; at most MaxLeaves leaves, before anything is
    allocated; arrays of the length that num_leaves says; numbers as LightGBM writes them;
    leaves and coefficients finite, thresholds not NaN.
 6. From the first split every split and every leaf is reached, once. Features, sets and
    missing types in range; a feature is split as feature_infos says: as a number, or as a
    category.
 7. What the parameters repeat is what the header says: objective, sigmoid, linear_tree,
    boosting, num_class.

A refusal is a *Fault: line, key, cause and the way out. Load goes on:

 8. The compiled form, the plain walk (Model.Raw) and the leaves library, which reads the
    trees on its own, give the same raw scores, bit for bit, on HostileRows made-up rows
    (hostile.go) and on golden rows with LightGBM's own scores, which alone can show that a
    file was saved from a later round on, shortened with care, or coded otherwise.
 9. A panic of leaves is an error.

What a row is: float64 in the order of Names, categories as codes, NaN where missing. What
is within ZeroEdge of 0 is 0 before anything looks at it, as LightGBM takes dense rows; its
Arrow and sparse rows are not snapped. A code is cut to a whole number; missing, negative
and unseen ones go right. Raw is the sum over the trees in the order of the file, of a
random forest too; p is the link of raw, of a random forest of the mean.

Rejected: leaves as the scorer. It reads no v4, scores linear leaves, random forests and
values near 0 wrongly without a word, panics or hangs on damaged files, and takes several
times as long. Rejected: refusing numbers that are not the shortest or 17 digits: people
set leaf values by hand.
*/
package lightgbm

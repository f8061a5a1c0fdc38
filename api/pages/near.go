package pages

import (
	"cmp"
	"slices"
)

// near are the reasons whose names look most like text, best first, at most
// four; none where nothing is alike.
func (s *site) near(text string) []link {
	const longest = 100 // no name is half as long
	folded := fold(text)
	if folded == "" || len(folded) > longest {
		return nil
	}
	type scored struct {
		name string
		far  int
	}
	var all []scored
	for i := range s.reasons {
		name := s.reasons[i].Name
		if d := distance(folded, fold(name)); 2*d <= max(len(folded), len(name)) {
			all = append(all, scored{name, d})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(a.far, b.far) })
	var out []link
	for _, c := range all[:min(len(all), 4)] {
		out = append(out, link{"/reasons/" + c.name, c.name})
	}
	return out
}

// distance is the number of bytes to insert, delete or replace (Levenshtein
// 1966) to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}

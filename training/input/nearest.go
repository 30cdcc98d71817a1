package input

import (
	"slices"
	"strings"
)

// nearestHint gives ", perhaps X" or ", perhaps X or Y" for names that a typing
// error away from name, or nothing.
func nearestHint(name string, valid []string) string {
	near := nearest(name, valid)
	if len(near) == 0 {
		return ""
	}
	return "; perhaps " + strings.Join(near, " or ")
}

// nearest lists at most three of valid, nearest first, within a third of
// their length in edits, or with name as a part.
func nearest(name string, valid []string) []string {
	type candidate struct {
		name  string
		edits int
	}
	if len(name) > 64 {
		return nil
	}
	lower := strings.ToLower(name)
	var found []candidate
	for _, v := range valid {
		d := edits(lower, strings.ToLower(v))
		if len(lower) >= 3 && strings.Contains(strings.ToLower(v), lower) {
			d = min(d, 2)
		}
		if d <= max(1, (len(v)+2)/3) {
			found = append(found, candidate{v, d})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return a.edits - b.edits })
	var names []string
	for _, c := range found[:min(len(found), 3)] {
		names = append(names, c.name)
	}
	return names
}

// edits is the Levenshtein distance of two byte strings.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

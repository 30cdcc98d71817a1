package selector

import (
	"slices"
	"strings"
)

// Nearest returns at most most of the names that are close enough to name to be what the user meant, closest first;
// letter case does not count, and a name that holds all of it is close. Names at equal distance keep their order.
func Nearest(name string, names []string, most int) []string {
	type scored struct {
		name     string
		distance int
	}
	if len(name) > 200 { // nobody types that
		return nil
	}
	var near []scored
	limit := min(max(2, len(name)/3), max(1, len(name)-1)) // not all letters of a short name
	lower := strings.ToLower(name)
	for _, n := range names {
		d := distance(lower, strings.ToLower(n))
		if len(name) >= 3 && strings.Contains(strings.ToLower(n), lower) {
			d = min(d, limit)
		}
		if d <= limit {
			near = append(near, scored{n, d})
		}
	}
	slices.SortStableFunc(near, func(a, b scored) int { return a.distance - b.distance })
	var result []string
	for _, n := range near[:min(most, len(near))] {
		result = append(result, n.name)
	}
	return result
}

// distance is the Levenshtein distance in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(diagonal+cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// didYouMean returns "; did you mean X or Y?", or "; there are A, B" when nothing is near, or nothing without names.
func didYouMean(name string, names []string) string {
	if near := Nearest(name, names, 3); len(near) > 0 {
		return "; did you mean " + strings.Join(near, " or ") + "?"
	}
	if len(names) == 0 || len(names) > 12 {
		return ""
	}
	return "; there are " + strings.Join(names, ", ")
}

// Suggest says what a person may have meant by a name that does not exist: the nearest ones, and all that there are; ""
// if there are none.
func Suggest(name string, names []string) string {
	all := strings.Join(names, ", ")
	switch near := Nearest(name, names, 3); {
	case len(names) == 0:
		return ""
	case len(near) > 0 && len(names) > 1:
		return "did you mean " + strings.Join(near, " or ") + "? There are " + all
	case len(near) > 0:
		return "did you mean " + near[0] + "?"
	case len(names) == 1:
		return "the only one is " + all
	}
	return "there are " + all
}

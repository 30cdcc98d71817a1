package fit

import (
	"cmp"
	"math"
	"slices"
)

// The machine by which inputs are picked: one that is smooth.
const (
	condenseGamma   = 2
	condensePenalty = 10
)

// condense returns which inputs a machine is to be trained on, at most n: a decision takes the longer the more there
// are. Three quarters of them cover the features of all. The others are added a few at a time: those that a machine
// trained on what was taken before chooses worst for, and then those that it is least sure of. Most lie where one
// variant stops being the best and another starts.
func condense(t *Table, z [][]float64, classes []int, n int) ([]bool, error) {
	if len(z) <= n {
		return slices.Repeat([]bool{true}, len(z)), nil
	}
	taken := make([]bool, len(z))
	left := (n + 3) / 4
	cover(z, taken, n-left)
	for left > 0 {
		cl, err := trainedOn(t, z, taken, classes, condenseGamma, condensePenalty)
		if err != nil {
			return nil, err
		}
		regrets, margins := make([]float64, len(z)), make([]float64, len(z))
		var order []int
		for i := range z {
			if taken[i] {
				continue
			}
			order = append(order, i)
			verdict, _ := decide(cl, t.Features, &t.Inputs[i])
			if regrets[i] = t.Inputs[i].loss(classes[verdict.Order[0]]); verdict.Count > 1 {
				margins[i] = verdict.Values[verdict.Order[0]] - verdict.Values[verdict.Order[1]]
			}
		}
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Or(cmp.Compare(regrets[b], regrets[a]), cmp.Compare(margins[a], margins[b]))
		})
		some := min(left, max(n/16, 1))
		for _, i := range order[:some] {
			taken[i] = true
		}
		left -= some
	}
	return taken, nil
}

// cover takes n more inputs, each the farthest from those that are taken.
func cover(z [][]float64, taken []bool, n int) {
	distance := slices.Repeat([]float64{math.Inf(1)}, len(z))
	near := func(at int) {
		for i := range z {
			square := 0.0
			for f := range z[i] {
				square += (z[i][f] - z[at][f]) * (z[i][f] - z[at][f])
			}
			distance[i] = min(distance[i], square)
		}
	}
	for i := range z {
		if taken[i] {
			near(i)
		}
	}
	for range n {
		next := -1
		for i := range z {
			if !taken[i] && (next < 0 || distance[i] > distance[next]) {
				next = i
			}
		}
		if next < 0 {
			return
		}
		taken[next] = true
		near(next)
	}
}

// parts assigns each input to a fold: in the order of their features, in turn, so that every fold has inputs of every
// kind. Inputs with the same features are in one fold: otherwise they would be known already.
func parts(z [][]float64) []int {
	order := make([]int, len(z))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(slices.Compare(z[a], z[b]), a-b) })
	part := make([]int, len(z))
	n := -1
	for k, i := range order {
		if k == 0 || !slices.Equal(z[i], z[order[k-1]]) {
			n++
		}
		part[i] = n % folds
	}
	return part
}

// pick returns the inputs that are taken, with their points.
func pick(t *Table, z [][]float64, taken []bool) (*Table, [][]float64) {
	var zu [][]float64
	for i := range z {
		if taken[i] {
			zu = append(zu, z[i])
		}
	}
	return t.without(func(i int) bool { return !taken[i] }), zu
}

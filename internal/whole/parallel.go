package whole

import (
	"errors"
	"math"
	"sort"
	"strings"
)

// Here are kernels with parallel loops.

// Distinct counts how many values of each row there are.
//
//surge:kernel
func Distinct(rows [][]int) []int {
	out := make([]int, len(rows))
	for i, row := range rows {
		seen := map[int]bool{}
		for _, x := range row {
			seen[x] = true
		}
		out[i] = len(seen)
	}
	return out
}

// Commonest collects the commonest values of rows that have some, and how many values there are in all.
//
//surge:kernel
func Commonest(rows [][]int) (commonest []int, all int, most int) {
	for _, row := range rows {
		counts := map[int]int{}
		for _, x := range row {
			counts[x]++
			all++
		}
		if len(row) == 0 {
			continue
		}
		best := row[0]
		for _, x := range row {
			if counts[x] > counts[best] || counts[x] == counts[best] && x < best {
				best = x
			}
		}
		most = max(most, counts[best])
		commonest = append(commonest, best)
	}
	return commonest, all, most
}

var errNegative = errors.New("a value is negative")

// Roots takes roots of all values, unless one is negative.
//
//surge:kernel
func Roots(rows [][]int) ([][]float64, error) {
	out := make([][]float64, len(rows))
	for i := 0; i < len(rows); i++ {
		known := map[int]float64{}
		for _, x := range rows[i] {
			if x < 0 {
				return nil, errNegative
			}
			if _, ok := known[x]; !ok {
				known[x] = math.Sqrt(float64(x))
			}
			out[i] = append(out[i], known[x])
		}
	}
	return out, nil
}

// A node is one of a search tree.
type node struct {
	key         int
	left, right *node
}

func (n *node) insert(key int) *node {
	switch {
	case n == nil:
		return &node{key: key}
	case key < n.key:
		n.left = n.left.insert(key)
	case key > n.key:
		n.right = n.right.insert(key)
	}
	return n
}

func (n *node) height() int {
	if n == nil {
		return 0
	}
	return 1 + max(n.left.height(), n.right.height())
}

// Heights are the heights of search trees.
//
//surge:kernel
func Heights(rows [][]int) []int {
	out := make([]int, len(rows))
	for i := range rows {
		var root *node
		for _, x := range rows[i] {
			root = root.insert(x)
		}
		out[i] = root.height()
	}
	return out
}

// An Account has entries.
type Account struct {
	Balance int
	Entries []int
}

// Accounts are filled one by one, by pointers to them, and then changed in another loop.
//
//surge:kernel
func Accounts(rows [][]int) []Account {
	accounts := make([]Account, len(rows))
	for i, row := range rows {
		a := &accounts[i]
		seen := map[int]bool{}
		for _, x := range row {
			if !seen[x] {
				a.Entries = append(a.Entries, x)
				a.Balance += x
			}
			seen[x] = true
		}
	}
	for i := range accounts {
		sort.Slice(accounts[i].Entries, func(a, b int) bool { return accounts[i].Entries[a] > accounts[i].Entries[b] })
		for j := range accounts[i].Entries {
			accounts[i].Entries[j] += accounts[i].Balance
		}
	}
	return accounts
}

// Divided divides by what rows begin with, which may panic.
//
//surge:kernel
func Divided(rows [][]int, by int) []int {
	out := make([]int, len(rows))
next:
	for i, row := range rows {
		m := map[int]int{}
		for _, x := range row {
			if x == 7 {
				continue next
			}
			m[x/(row[0]-by)]++
		}
		out[i] = len(m)
	}
	return out
}

// An Index knows the words of texts.
type Index struct {
	words map[string]int
	parts []string
}

func newIndex(texts []string) *Index {
	x := &Index{words: map[string]int{}, parts: make([]string, len(texts))}
	for i, t := range texts {
		x.words[t] = i
		x.parts[i] = strings.ToUpper(t)
	}
	return x
}

func (x *Index) find(t string) (int, string) {
	if i, ok := x.words[t]; ok {
		return i, x.parts[i]
	}
	return -1, ""
}

// Found looks words up in an index that is made before, and sets bits for what is found.
//
//surge:kernel
func Found(texts, asked []string) ([]string, uint64) {
	index := newIndex(texts)
	out := make([]string, len(asked))
	bits := uint64(0)
	for i, t := range asked {
		at, text := index.find(t)
		out[i] = text
		if at >= 0 {
			bits |= 1 << (at % 64)
		}
	}
	return out, bits
}

// Sorted are sorted copies of rows, in a helper that recurses.
//
//surge:kernel
func Sorted(rows [][]int) [][]int {
	var out [][]int
	for _, row := range rows {
		out = append(out, mergeSort(row))
	}
	return out
}

func mergeSort(x []int) []int {
	if len(x) < 2 {
		return append([]int(nil), x...)
	}
	a, b := mergeSort(x[:len(x)/2]), mergeSort(x[len(x)/2:])
	out := make([]int, 0, len(x))
	for len(a) > 0 && len(b) > 0 {
		if b[0] < a[0] {
			out, b = append(out, b[0]), b[1:]
		} else {
			out, a = append(out, a[0]), a[1:]
		}
	}
	return append(append(out, a...), b...)
}

// Groups are filled one value at a time, and then sorted, each by itself.
//
//surge:kernel
func Groups(rows [][]int) [][]int {
	groups := make([][]int, 8)
	for _, row := range rows {
		for _, x := range row {
			groups[x&7] = append(groups[x&7], x)
		}
	}
	for g, group := range groups {
		sort.Ints(group)
		seen := map[int]bool{}
		for _, x := range group {
			seen[x] = true
		}
		if len(group) > len(seen) {
			groups[g] = group[:len(seen)]
		}
	}
	return groups
}

// Keyed counts its turns by a variable of the name of the slice that it ranges over.
//
//surge:kernel
func Keyed(rows [][]int) []int {
	out := make([]int, len(rows))
	for rows, row := range rows {
		seen := map[int]bool{}
		for _, x := range row {
			seen[x] = true
		}
		out[rows] = len(seen)
	}
	return out
}

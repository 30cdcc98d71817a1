package kir

import "strconv"

// Names gives out names that code does not have yet, to passes that declare something.
type Names struct{ taken map[string]bool }

// NamesOf knows the names of the variables and arrays in body.
func NamesOf(body []Stmt) *Names {
	n := &Names{taken: map[string]bool{}}
	Arrays(body, func(a *Array) { n.taken[a.Name] = true })
	Walk(body, func(s Stmt) {
		for _, v := range Declares(s) {
			n.taken[v.Name] = true
		}
	}, func(x Expr) {
		if r, ok := x.(*Ref); ok {
			n.taken[r.V.Name] = true
		}
	})
	return n
}

// Fresh returns base, or base and a number.
func (n *Names) Fresh(base string) string {
	if last := len(base) - 1; last >= 0 && base[last] >= '0' && base[last] <= '9' {
		base += "_"
	}
	name := base
	for k := 2; n.taken[name]; k++ {
		name = base + strconv.Itoa(k)
	}
	n.taken[name] = true
	return name
}

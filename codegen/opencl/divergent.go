package opencl

import (
	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/pass"
)

// markDivergent marks where work-items of a group may go different ways in a statement and come out with different
// values.
//
// POCL 3.1 has to know, because it makes loops over the work-items from one barrier to the next and keeps what is the
// same for all of them once. It takes a value for the same if what it is computed from is, and if all work-items come
// to where it is computed. They do, it believes, also where they come a different number of times, as in a loop that
// all of them enter, and where some come by a branch that is the same for all and others by another. Then all of them
// go on with the value of the last one. Under a condition on the number of the work-item it believes neither:
// [Prelude] has DIVERGENT. No value comes out where nothing is assigned to; loops are marked because it puts barriers
// into those that it takes for the same. Inside a statement that is marked no other one is.
//
// The condition is another one in each line. Where it was the same, and the bounds of two loops too, its compiler
// decided about both before the first; then nothing stood between a barrier and the branch to the second loop, and all
// work-items went the way of one of them.
var markDivergent = pass.Pass[*kir.Device]{
	Name: "divergent", Doc: "statements in which work-items of a group go different ways are marked, for POCL",
	Behind: []string{"prune"},
	Run: func(d *kir.Device) error {
		for _, launch := range d.Launches {
			if kir.HasBarrier(launch.Body) {
				launch.Body = uniformIn(launch.Body).mark(launch.Body)
			}
		}
		return nil
	},
}

// uniform are variables that have one value in all work-items of a group that come to where they are declared.
type uniform map[*kir.Var]bool

func (alike uniform) mark(body []kir.Stmt) []kir.Stmt {
	out := make([]kir.Stmt, len(body))
	for i, s := range body {
		if alike.diverges(s) {
			out[i] = &kir.Divergent{Body: []kir.Stmt{s}}
			continue
		}
		kir.Rewrite(s, alike.mark)
		out[i] = s
	}
	return out
}

// diverges reports whether work-items of a group may go different ways in a statement and come out with different
// values.
func (alike uniform) diverges(s kir.Stmt) bool {
	if meets(s) {
		return false
	}
	own := kir.Shallow(s)
	switch s.(type) {
	case *kir.For, *kir.Stride, *kir.While:
		return !alike.decides(own) || leaves(s)
	case *kir.If:
		return !alike.decides(own) && assigns(s)
	}
	return false
}

// meets reports whether the work-items of a group, or of a subgroup, wait for each other in a statement.
func meets(s kir.Stmt) bool {
	found := kir.HasBarrier([]kir.Stmt{s})
	kir.Walk([]kir.Stmt{s}, nil, func(x kir.Expr) {
		switch x.(type) {
		case *kir.Shuffle, *kir.Collective:
			found = true
		}
	})
	return found
}

// leaves reports whether a statement has checks, from which a work-item leaves it.
func leaves(s kir.Stmt) bool {
	found := false
	kir.Walk([]kir.Stmt{s}, func(s kir.Stmt) {
		_, check := s.(*kir.Check)
		found = found || check
	}, nil)
	return found
}

// assigns reports whether a statement assigns to variables, or loops.
func assigns(s kir.Stmt) bool {
	found := false
	kir.Walk([]kir.Stmt{s}, func(s kir.Stmt) {
		switch s.(type) {
		case *kir.Set, *kir.For, *kir.Stride, *kir.While:
			found = true
		}
	}, nil)
	return found
}

// uniformIn returns variables that have one value in all work-items of a group that come to where they are declared.
func uniformIn(body []kir.Stmt) uniform {
	alike := uniform{}
	set := map[*kir.Var]bool{}
	kir.Walk(body, func(s kir.Stmt) {
		switch s := s.(type) {
		case *kir.Set:
			set[s.V] = true
		case *kir.For:
			set[s.V] = set[s.V] || s.Keep
		}
	}, nil)
	kir.Walk(body, func(s kir.Stmt) {
		var v *kir.Var
		switch s := s.(type) {
		case *kir.Let:
			v = s.V
		case *kir.For:
			v = s.V
		case *kir.Stride:
			v = s.V
		}
		if v != nil && !set[v] && alike.decides(kir.Shallow(s)) {
			alike[v] = true
		}
	}, nil)
	return alike
}

// decides reports whether what a statement evaluates is the same for all work-items of a group: what is loaded is not
// known to be.
func (alike uniform) decides(s kir.Stmt) bool {
	return kir.Uniform{Var: func(v *kir.Var) bool { return alike[v] }}.Stmt(s)
}

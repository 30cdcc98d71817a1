package lower

import "github.com/surge-ndp/surge/codegen/kir"

// Where a compiler makes the vectors, a level on lanes is a loop over scalars that is marked: what its turns have in
// common are variables that they combine something into, and everything else is theirs alone. So no turn may leave the
// loop, take memory that another takes as well, or call a routine; and a loop inside it that has another length in each
// turn would not run in lanes, which is what the level without them does.

// mark is a loop whose turns run in lanes, while its body is lowered.
type mark struct{ level int }

// marking lowers the body of a loop of a level.
func (l *lowerer) marking(lv level, level int, body func()) {
	if lv.marked > 0 {
		l.marked = &mark{level}
		defer func() { l.marked = nil }()
	}
	body()
}

// inLanesOf vetoes a loop whose turns cannot run in lanes.
func inLanesOf(loop *kir.For, level int) {
	changes := map[*kir.Var]bool{loop.V: true} // from turn to turn
	kir.Walk(loop.Body, func(s kir.Stmt) {
		for _, v := range kir.Declares(s) {
			changes[v] = true
		}
		if set, ok := s.(*kir.Set); ok {
			changes[set.V] = true
		}
	}, nil)
	fixed := kir.Uniform{Var: func(v *kir.Var) bool { return !changes[v] }}
	kir.Walk(loop.Body, func(s kir.Stmt) {
		switch s := s.(type) {
		case *kir.Check, *kir.CheckAll:
			veto("level %d cannot use lanes: a turn of its loop checks something, and leaves it if that fails", level)
		case *kir.While:
			veto("level %d cannot use lanes: each of its elements has a loop that ends on a condition", level)
		case *kir.AllocScratch:
			veto("level %d cannot use lanes: each of its elements needs memory of its own (%s)", level, s.A.Name)
		case *kir.Call:
			veto("level %d cannot use lanes: each of its elements calls a routine (%s)", level, s.R.Name)
		case *kir.For:
			if !fixed.Expr(s.Hi) || !s.Keep && !fixed.Expr(s.Lo) || s.Watched {
				veto("level %d cannot use lanes: the loops inside it may differ in length", level)
			}
		}
	}, nil)
}

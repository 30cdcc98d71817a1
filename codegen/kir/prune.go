package kir

// Prune removes variables whose value nothing uses, and loops and conditions that are left empty. It works in place and
// returns the body.
func Prune(body []Stmt) []Stmt {
	used := map[*Var]bool{}
	for {
		clear(used)
		Walk(body, nil, func(x Expr) {
			if r, ok := x.(*Ref); ok {
				used[r.V] = true
			}
		})
		changed := false
		body = prune(body, used, &changed)
		if !changed {
			return body
		}
	}
}

func prune(body []Stmt, used map[*Var]bool, changed *bool) []Stmt {
	var kept []Stmt
	for _, s := range body {
		eachBlock(s, func(b *[]Stmt) { *b = prune(*b, used, changed) })
		drop := false
		switch s := s.(type) {
		case *Let:
			drop = !used[s.V]
		case *Set:
			_, routine := s.X.(*Routine) // a routine stores besides
			drop = !used[s.V] && !routine
		case *For:
			drop = len(s.Body) == 0 && !s.Keep
		case *Stride:
			drop = len(s.Body) == 0
		case *If:
			drop = len(s.Then)+len(s.Else) == 0
		case *Scoped:
			drop = len(s.Body) == 0
		case *Divergent:
			drop = len(s.Body) == 0
		case *Vectors:
			drop = len(s.Body) == 0
		}
		if drop {
			*changed = true
			continue
		}
		kept = append(kept, s)
	}
	return kept
}

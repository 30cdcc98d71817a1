package kir

import "reflect"

// Equal reports whether two expressions have the same structure: the same nodes over the same variables, arrays and
// constants. Expressions have no side effects, so that equal ones have equal values where nothing is assigned in
// between. Two nils are equal.
func Equal(x, y Expr) bool {
	if x == nil || y == nil {
		return x == nil && y == nil
	}
	if reflect.TypeOf(x) != reflect.TypeOf(y) || x.Type() != y.Type() || ArrayOf(x) != ArrayOf(y) {
		return false
	}
	switch a := x.(type) {
	case *Ref:
		return a.V == y.(*Ref).V
	case *Const:
		return a.C == y.(*Const).C
	case *Place:
		return *a == *y.(*Place)
	case *GroupsOf:
		return *a == *y.(*GroupsOf)
	case *Found:
		return *a == *y.(*Found)
	case *Bin:
		if b := y.(*Bin); a.Fn != b.Fn || a.Wrap != b.Wrap {
			return false
		}
	case *Un:
		if a.Fn != y.(*Un).Fn {
			return false
		}
	case *Every:
		if a.By != y.(*Every).By {
			return false
		}
	case *IotaBy:
		if a.Fn != y.(*IotaBy).Fn {
			return false
		}
	case *FirstLanes:
		if a.OrEqual != y.(*FirstLanes).OrEqual {
			return false
		}
	case *Half:
		if a.High != y.(*Half).High {
			return false
		}
	case *Lane:
		if a.K != y.(*Lane).K {
			return false
		}
	case *Horizontal:
		if a.Fn != y.(*Horizontal).Fn {
			return false
		}
	case *Collective:
		if b := y.(*Collective); a.Fn != b.Fn || a.Scan != b.Scan {
			return false
		}
	case *Routine:
		b := y.(*Routine)
		if a.Name != b.Name || len(a.Args) != len(b.Args) {
			return false
		}
		for i := range a.Args {
			if a.Args[i].A != b.Args[i].A {
				return false
			}
		}
	}
	p, q := Operands(x), Operands(y)
	if len(p) != len(q) {
		return false
	}
	for i := range p {
		if !Equal(p[i], q[i]) {
			return false
		}
	}
	return true
}

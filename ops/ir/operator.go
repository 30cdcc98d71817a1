package ir

import "slices"

// Loop-like access to the parallel operators, [Map], [Reduce], [Scan], [Scatter], [Hist], [Sort] and a [Loop] whose
// turns are independent: all run a body for every index below a length.

// OperatorIndex returns the index variable of a parallel operator, nil for every other operation.
func OperatorIndex(op Op) *Var {
	switch op := op.(type) {
	case *Map:
		return op.I
	case *Reduce:
		return op.I
	case *Scan:
		return op.I
	case *Scatter:
		return op.I
	case *Hist:
		return op.I
	case *Sort:
		return op.I
	case *Loop:
		if op.Independent {
			return op.I
		}
	}
	return nil
}

// OperatorLength returns the number of elements that a parallel operator runs over, nil for every other operation.
func OperatorLength(op Op) Atom {
	switch op := op.(type) {
	case *Map:
		return op.N
	case *Reduce:
		return op.N
	case *Scan:
		return op.N
	case *Scatter:
		return op.N
	case *Hist:
		return op.N
	case *Sort:
		return op.N
	case *Loop:
		if op.Independent {
			return op.Hi
		}
	}
	return nil
}

// OperatorName returns the name of a parallel operator in expression sequences, such as "map" or "sort_by_key", ""
// for every other operation.
func OperatorName(op Op) string {
	switch op := op.(type) {
	case *Map:
		return "map"
	case *Reduce:
		return "reduce"
	case *Scan:
		return "scan"
	case *Scatter:
		return "scatter"
	case *Hist:
		return "histogram"
	case *Sort:
		return "sort_by_key"
	case *Loop:
		if op.Independent {
			return "update"
		}
	}
	return ""
}

// Row returns the Map that computes the rows which the Hist combines, nil if its elements are scalars.
func (h *Hist) Row() *Stmt {
	for _, s := range h.Body.Stmts {
		if _, ok := s.Op.(*Map); ok && slices.Equal(atomsOf(s.Dst), h.Body.Results[1:]) {
			return s
		}
	}
	return nil
}

func atomsOf(vs []*Var) []Atom {
	as := make([]Atom, len(vs))
	for i, v := range vs {
		as[i] = v
	}
	return as
}

// ResultLength returns the length of the arrays that a parallel operator yields, nil for a [Reduce] and for every other
// operation.
func ResultLength(op Op) Atom {
	switch op := op.(type) {
	case *Map:
		return op.N
	case *Scan:
		return op.N
	case *Scatter:
		return op.W
	case *Hist:
		return op.W
	case *Sort:
		return op.N
	}
	return nil
}

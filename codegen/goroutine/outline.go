package goroutine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/codegen/kir"
)

// outline prints a loop as a function of its own and the call of it. The parameters are what the loop uses of what is
// declared around it, the results are what it assigns to. Vectors that stayed in memory are loaded before the loop:
// it has the registers, and what it stores then cannot look like them (see package rt). It reports false, having done
// nothing, for a loop that uses something else than variables and arrays that a pointer stands for, or more of them
// than there are registers.
func (p *printer) outline(s *kir.For) bool {
	var names, types, results, resultTypes []string
	ints, vectors, ok := 0, 0, true
	declared, loaded := map[*kir.Var]bool{}, map[*kir.Var]bool{}
	param := func(name, typ string) {
		if slices.Contains(names, name) {
			return
		}
		names, types = append(names, name), append(types, typ)
		if strings.HasPrefix(typ, "vec.") || strings.HasPrefix(typ, "float") {
			vectors++
		} else {
			ints++
		}
	}
	array := func(a *kir.Array) {
		switch {
		case a == nil:
		case a.Field != nil: // the type of the structs is not known here
			ok = false
		case a.Space == kir.Global || a.Space == kir.Scratch || a.Space == kir.Lines:
			param(a.Name, "*"+a.Kind.String())
		default:
			ok = false
		}
	}
	inner := &printer{unit: p.unit, name: p.name, inMemory: map[*kir.Var]string{}, saved: map[*kir.Var]string{}}
	use := func(v *kir.Var) {
		text, inMemory := p.inMemory[v]
		switch {
		case declared[v]:
		case !inMemory:
			param(v.Name, goType(v.T))
		case !loaded[v]:
			loaded[v] = true
			vectors++
			inner.printf("%s := %s\n", v.Name, text)
			if !strings.Contains(text, "(&") && !strings.HasSuffix(text, "()") { // a constant is reached from everywhere
				array(v.Memory)
			}
		}
	}
	kir.Walk([]kir.Stmt{s}, func(s kir.Stmt) {
		for _, v := range kir.Declares(s) {
			declared[v] = true
		}
	}, nil)
	assigned := func(v *kir.Var) {
		if use(v); !declared[v] && !slices.Contains(results, v.Name) {
			results, resultTypes = append(results, v.Name), append(resultTypes, goType(v.T))
		}
	}
	kir.Walk([]kir.Stmt{s}, func(s kir.Stmt) {
		switch s := s.(type) {
		case *kir.If:
		case *kir.While:
			ok = ok && !s.Watched // the worker is not among the parameters
		case *kir.Let:
			if !constantVector(s.X) {
				array(s.V.Memory)
			}
		case *kir.Store:
			array(s.A)
		case *kir.Set:
			assigned(s.V)
		case *kir.For:
			assigned(s.V)
			ok = ok && !s.Watched
		default:
			ok = false
		}
	}, func(x kir.Expr) {
		switch x := x.(type) {
		case *kir.Ref:
			use(x.V)
		case *kir.Length, *kir.Routine:
			ok = false
		case *kir.Load:
			array(x.A)
			ok = ok && !(x.Mask != nil && narrow(x.T.Kind) && hasLength(x.A)) // the frame is not among the parameters
		default:
			array(kir.ArrayOf(x))
		}
	})
	if !ok || ints > intParameters || vectors > vectorParameters {
		return false
	}
	p.calls++
	name := fmt.Sprintf("%s_loop%d", p.name, p.calls)
	inner.loop(s)
	for i := range names {
		types[i] = names[i] + " " + types[i]
	}
	to := strings.Join(results, ", ")
	name = p.define("//go:noinline\n", name, fmt.Sprintf("(%s) (%s) {\n%sreturn %s\n}\n\n", strings.Join(types, ", "), strings.Join(resultTypes, ", "), inner.out.String(), to))
	p.printf("%s = %s(%s)\n", to, name, strings.Join(names, ", "))
	return true
}

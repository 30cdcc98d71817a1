package goroutine

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/surge-ndp/surge/codegen/kir"
)

type printer struct {
	unit   *Unit
	name   string
	doc    string // of the first body of a loop that is printed
	out    strings.Builder
	bodies []string
	// starts says that the function gets the bodies of its loops from its launch: started are their names. single says
	// that there is one, which has the name of the code.
	starts, single bool
	started        []string
	inBody         bool
	calls          int
	labels         int
	leave          string // the statement that leaves the loop at hand
	nested         bool   // a region is started inside a region
	// launched are the partial arrays of the loops that this function starts, with the variable of their region's struct.
	launched map[*kir.Array]string
	params   map[*kir.Var]bool
	inMemory map[*kir.Var]string // the vectors that stay in memory, as operands
	saved    map[*kir.Var]string // those that are in registers up to the next call
	inText   bool                // vectors are loaded where the text does so, see splatted
	// rowStarts are the variables that say where rows begin (see rowstarts.go), rows those that have pointers now; names
	// are taken.
	rowStarts map[*kir.Var]*kir.Array
	rows      map[*kir.Var]rowPointer
	names     map[string]bool
	// places are the indices that get pointers to vectors near them (see places.go), placesAt the pointers that there are.
	places   map[*kir.Var][]*kir.Array
	placesAt map[place]string
	// onlyStored are vectors whose upper bits make no difference (see lowbits.go).
	onlyStored map[*kir.Var]bool
	// reset are the variables that are assigned to behind their declaration; loops says that there are loops.
	reset map[*kir.Var]bool
	loops bool
	used  map[*kir.Var]bool // what is read somewhere
	// final are the loops with which the function ends: it returns behind them anyway.
	final map[*kir.Par]bool
	// carries says of the body of a parallel loop that it takes more from around it than the frame.
	carries bool
	// caught says that functions of the program are called, which may panic.
	caught bool
}

func (p *printer) printf(format string, args ...any) { fmt.Fprintf(&p.out, format, args...) }

// text prints what stands behind a function's name: its parameters, its declarations of what it takes from the frame,
// and its body.
func (p *printer) text(params string, body []kir.Stmt, region bool) string {
	inner := &printer{unit: p.unit, name: p.name, doc: p.doc, starts: p.starts, single: p.single, inBody: region, calls: p.calls, launched: map[*kir.Array]string{}, inMemory: map[*kir.Var]string{}, saved: map[*kir.Var]string{}}
	inner.rowStarts, inner.rows, inner.names = rowStarts(body), map[*kir.Var]rowPointer{}, namesIn(body)
	inner.onlyStored = onlyStored(body)
	inner.places, inner.placesAt = places(body), map[place]string{}
	inner.final = map[*kir.Par]bool{}
	inner.ends(body)
	inner.reset, inner.used = map[*kir.Var]bool{}, map[*kir.Var]bool{}
	kir.Walk(body, func(s kir.Stmt) {
		switch s := s.(type) {
		case *kir.For, *kir.While, *kir.Par:
			inner.loops = true
		case *kir.Set:
			inner.reset[s.V] = true
		}
	}, func(x kir.Expr) {
		if r, ok := x.(*kir.Ref); ok {
			inner.used[r.V] = true
		}
	})
	loads := inner.frameLoads(body)
	inner.stmts(body)
	p.calls, p.nested, p.started = inner.calls, p.nested || inner.nested, inner.started
	text := strings.TrimSuffix(inner.withoutUnused(inner.out.String()), ifStopped) // it returns anyway
	var head strings.Builder
	fmt.Fprintf(&head, "(%s) {\n", params)
	var captured string
	if region {
		captured = p.captured(body)
	}
	loads += strips(body)
	if !region && inner.nested {
		loads += fmt.Sprintf("\tf.%ss = rt.Grow(f.%ss, l.Threads)\n", p.unit.Env, p.unit.Env)
		p.unit.nested = true
	}
	usesFrame := mentions(loads+text, "f")
	if region {
		usesL := mentions(loads+text, "l")
		p.carries = p.carries || usesL || mentions(captured+loads+text, "e")
		switch {
		case p.carries:
			fmt.Fprintf(&head, "\te := env.(*%sEnv)\n", p.unit.Prefix)
			if usesFrame {
				head.WriteString("\tf := e.f\n")
			}
			if usesL {
				head.WriteString("\tl := e.l\n")
			}
		case usesFrame:
			fmt.Fprintf(&head, "\tf := env.(*%s)\n", p.unit.Frame)
		}
	} else if usesFrame {
		fmt.Fprintf(&head, "\tf := frame.(*%s)\n", p.unit.Frame)
	}
	p.bodies = append(p.bodies, inner.bodies...)
	if inner.caught {
		head.WriteString(caught)
	}
	return head.String() + captured + loads + text + "}\n\n"
}

// ends finds the parallel loops with which a body ends, in each branch.
func (p *printer) ends(body []kir.Stmt) {
	if len(body) == 0 {
		return
	}
	switch s := body[len(body)-1].(type) {
	case *kir.Par:
		p.final[s] = s.CombinePartial == nil && s.Long == nil && s.Count == nil
	case *kir.If:
		p.ends(s.Then)
		p.ends(s.Else)
	}
}

func comment(doc string) string {
	var sb strings.Builder
	for _, line := range strings.Split(doc, "\n") {
		sb.WriteString(strings.TrimRight("// "+line, " ") + "\n")
	}
	return sb.String()
}

// frameLoads declares locals for the frame's arrays and host scalars that body uses outside of the regions inside it,
// but for scalars that are used once.
func (p *printer) frameLoads(body []kir.Stmt) string {
	arrays, hosts, uses, loops := map[string]bool{}, map[string]bool{}, map[*kir.Var]int{}, false
	array := func(a *kir.Array) {
		if a != nil && a.Space == kir.Global {
			arrays[stored(a)] = true
		}
	}
	visitDirect(body, func(s kir.Stmt) {
		if _, par := s.(*kir.Par); !par { // which names the sequence itself
			array(kir.ArrayOf(s))
		}
		switch s := s.(type) {
		case *kir.Call:
			for _, a := range s.R.Args {
				array(a.A)
			}
		case *kir.For, *kir.While:
			loops = true
		}
	}, func(x kir.Expr) {
		switch x := x.(type) {
		case *kir.Ref:
			if x.V.Host {
				hosts[x.V.Name] = true
				uses[x.V]++
			}
		case *kir.Length:
			return
		case *kir.Routine:
			for _, a := range x.Args {
				array(a.A)
			}
		}
		if _, ok := x.(*kir.Length); !ok {
			array(kir.ArrayOf(x))
		}
	})
	for v, n := range uses { // read where it is used once, and not in turns of a loop
		if n == 1 && !loops {
			p.inMemory[v] = "f." + v.Name
			delete(hosts, v.Name)
		}
	}
	var decls Pairs
	for _, n := range sorted(arrays) {
		decls.Add(n, "vec.Ptr(f."+n+")")
	}
	for _, n := range sorted(hosts) {
		decls.Add(n, "f."+n)
	}
	return decls.Text(":=")
}

// lineBytes is the size of the cache lines that vec.Line goes to.
const lineBytes = 64

// leastStrip is how many elements a buffer has at least: one of a single element whose address nothing takes may be in
// a register, and it is what scalars are kept in so that they are in none.
const leastStrip = 2

// strips declares the buffers of a function, once: declared in a loop they would be cleared each time.
func strips(body []kir.Stmt) string {
	var sb strings.Builder
	var buffers Fields
	seen := map[*kir.Array]bool{}
	add := func(a *kir.Array) {
		if a == nil || a.Space != kir.Strip && a.Space != kir.Lines || seen[a] {
			return
		}
		seen[a] = true
		if a.Space == kir.Lines {
			fmt.Fprintf(&sb, "\t%s := vec.Line(&new([%d]%s)[0])\n", a.Name, a.Size+lineBytes/a.Kind.Bytes()-1, a.Kind)
			return
		}
		buffers.Add(a.Name, fmt.Sprintf("[%d]%s", max(a.Size, leastStrip), a.Kind))
	}
	visitDirect(body, func(s kir.Stmt) {
		add(kir.ArrayOf(s))
		switch s := s.(type) {
		case *kir.Call:
			for _, a := range s.R.Args {
				add(a.A)
			}
		case *kir.Let:
			if !constantVector(s.X) {
				add(s.V.Memory)
			}
		}
	}, func(x kir.Expr) {
		if r, ok := x.(*kir.Routine); ok {
			for _, a := range r.Args {
				add(a.A)
			}
		}
	})
	return buffers.Text("\tvar ") + sb.String()
}

func sorted(m map[string]bool) []string {
	var ns []string
	for n := range m {
		ns = append(ns, n)
	}
	sort.Strings(ns)
	return ns
}

// visitDirect walks body but not the bodies of parallel loops, which are functions of their own.
func visitDirect(body []kir.Stmt, stmt func(kir.Stmt), expr func(kir.Expr)) {
	for _, s := range body {
		if par, ok := s.(*kir.Par); ok {
			header := *par
			header.Body, header.Long = nil, nil
			kir.Walk([]kir.Stmt{&header}, stmt, expr)
			if par.Long != nil {
				visitDirect(par.Long.Body, stmt, expr)
			}
			continue
		}
		shallow := kir.Shallow(s)
		kir.Walk([]kir.Stmt{shallow}, stmt, expr)
		for _, b := range kir.Blocks(s) {
			visitDirect(b, stmt, expr)
		}
	}
}

// free returns the variables and the scratch arrays that body uses and does not declare.
func free(body []kir.Stmt) (vars []*kir.Var, scratch []*kir.Array) {
	declared, seen := map[*kir.Var]bool{}, map[*kir.Var]bool{}
	own, seenA := map[*kir.Array]bool{}, map[*kir.Array]bool{}
	kir.Walk(body, func(s kir.Stmt) {
		for _, v := range kir.Declares(s) {
			declared[v] = true
		}
		if a, ok := s.(*kir.AllocScratch); ok {
			own[a.A] = true
		}
	}, nil)
	use := func(v *kir.Var) {
		if v != nil && !declared[v] && !seen[v] && !v.Host {
			seen[v] = true
			vars = append(vars, v)
		}
	}
	array := func(a *kir.Array) {
		if a != nil && a.Space == kir.Scratch && !own[a] && !seenA[a] {
			seenA[a] = true
			scratch = append(scratch, a)
		}
	}
	kir.Walk(body, func(s kir.Stmt) {
		array(kir.ArrayOf(s))
		switch s := s.(type) {
		case *kir.Set:
			use(s.V)
		case *kir.For:
			use(s.V)
		case *kir.Call:
			for _, a := range s.R.Args {
				array(a.A)
			}
		}
	}, func(x kir.Expr) {
		switch x := x.(type) {
		case *kir.Ref:
			use(x.V)
		case *kir.Routine:
			for _, a := range x.Args {
				array(a.A)
			}
		}
		array(kir.ArrayOf(x))
	})
	return vars, scratch
}

// regionFree is what a parallel loop's body takes from around it.
func regionFree(p *kir.Par) (vars []*kir.Var, scratch []*kir.Array) {
	all, scratch := free(p.Body)
	slices.SortFunc(all, func(a, b *kir.Var) int { return byName(a.Name, b.Name) })
	for _, v := range all {
		if v != p.Lo && v != p.Hi && v != p.Chunk {
			vars = append(vars, v)
		}
	}
	return vars, scratch
}

// captured declares locals for what the region's struct carries.
func (p *printer) captured(body []kir.Stmt) string {
	var decls Pairs
	vars, scratch := free(body)
	slices.SortFunc(vars, func(a, b *kir.Var) int { return byName(a.Name, b.Name) })
	for _, v := range vars {
		if p.isParam(v) {
			continue
		}
		decls.Add(v.Name, "e."+p.unit.field(v.Name, goType(v.T)))
	}
	for _, a := range scratch {
		decls.Add(a.Name, "e."+p.unit.field(a.Name, "*"+a.Kind.String()))
	}
	return decls.Text(":=")
}

func (p *printer) isParam(v *kir.Var) bool { return p.params[v] }

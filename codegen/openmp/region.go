package openmp

import (
	"fmt"
	"strings"

	"github.com/surge-ndp/surge/codegen/kir"
)

// par prints the start of a loop over chunks, what follows it, and its body as a function of its own.
func (q *function) par(s *kir.Par) {
	r := regionOf(s)
	q.regions++
	number := q.regions
	q.loops++
	fn := fmt.Sprintf("%s_region%d", q.fn, number)
	env, loop := fmt.Sprintf("e%d", q.loops), fmt.Sprintf("l%d", q.loops)
	for q.names.taken[env] || q.names.taken[loop] {
		env, loop = env+"_", loop+"_"
	}
	q.names.taken[env], q.names.taken[loop] = true, true
	rows := fmt.Sprintf("surge_rows%d", number)
	width := "0"
	if s.Even {
		width = "1"
		if s.PartialWidth != nil {
			width = q.expr(s.PartialWidth)
		}
	}
	q.line("surge_loop %s;%s", loop, remark(s.What, s.Pos))
	if s.Even {
		q.line("surge_open(&%s, at, %d, %s, surge_max_i64(%s, 1));", loop, s.Level, q.expr(s.N), width)
	} else {
		q.line("surge_open(&%s, at, %d, %s, 0);", loop, s.Level, q.expr(s.N))
	}
	if s.By != nil {
		q.line("surge_rows %s;", rows)
		q.leave(fmt.Sprintf("!surge_by(&%s, &%s, arena, %s, surge_offset_%s, %t)", loop, rows, q.array(s.By), typed(s.By.Kind), s.Long != nil), "surge_memory(at);")
	}
	if s.Work != nil {
		q.line("surge_worth(&%s, %s);", loop, q.expr(s.Work))
	}
	for _, a := range s.Partials {
		n := q.names.name(a, a.Name)
		count := loop + ".chunks"
		if s.PartialWidth != nil {
			count += " * " + q.operand(s.PartialWidth)
		}
		q.line("%s *restrict %s = surge_scratch(arena, %s, sizeof(%s));", ctypes[a.Kind], n, count, ctypes[a.Kind])
		q.leave("!"+n, "surge_memory(at);")
	}
	inits := []string{".f = f"}
	for _, v := range r.vars {
		n := q.variable(v)
		inits = append(inits, fmt.Sprintf(".%s = %s", regionName(r, v), n))
	}
	for _, a := range r.arrays {
		inits = append(inits, fmt.Sprintf(".%s = %s", regionName(r, a), q.array(a)))
	}
	if s.Chain != nil {
		q.line("const %s surge_seed%d = %s;", ctypes[s.Chain.Kind], number, q.expr(s.Chain.Seed))
		inits = append(inits, fmt.Sprintf(".surge_links = surge_chain(arena, %s.chunks, &surge_seed%d, sizeof surge_seed%d)", loop, number, number))
	}
	q.line("struct %s %s = {%s};", fn, env, strings.Join(inits, ", "))
	if s.Chain != nil {
		q.leave("!"+env+".surge_links", "surge_memory(at);")
	}
	q.line("surge_for(&%s, %s_chunk, &%s, at, arena, %t);", loop, fn, env, s.Chain != nil)
	q.leave("surge_stopped(at)")
	if s.Count != nil {
		q.line("const int64_t %s = %s.chunks;", q.names.name(s.Count, s.Count.Name), loop)
	}
	if c := s.CombinePartial; c != nil {
		k := q.names.name(c.K, c.K.Name)
		q.line("for (int64_t %s = 0; %s < %s.chunks; %s++) {", k, k, loop, k)
		q.block(c.Body)
		q.line("}")
	}
	if long := s.Long; long != nil {
		k := q.names.name(long, "long")
		q.line("for (int64_t %s = 0; %s < %s.left; %s++) {", k, k, rows, k)
		q.indent++
		q.line("const int64_t %s = %s.longs[%s];", q.names.name(long.I, long.I.Name), rows, k)
		q.indent--
		q.block(long.Body)
		q.line("}")
	}
	q.region(fn, r)
}

// regionName is the member of a region's struct that holds a thing: what the body's function calls it.
func regionName(r *region, thing any) string {
	n := newNames()
	n.name(r.par.Chunk, "chunk")
	n.name(r.par.Lo, "lo")
	n.name(r.par.Hi, "hi")
	for _, v := range r.vars {
		n.name(v, v.Name)
	}
	for _, a := range r.arrays {
		n.name(a, a.Name)
	}
	return n.of[thing]
}

// region prints the struct that carries values into a loop over chunks, and the function of its body.
func (q *function) region(fn string, r *region) {
	fmt.Fprintf(q.printer.out, "struct %s {\n\t%s *f;\n", fn, q.unit.name)
	for _, v := range r.vars {
		fmt.Fprintf(q.printer.out, "\t%s %s;\n", ctypes[v.T.Kind], regionName(r, v))
	}
	for _, a := range r.arrays {
		fmt.Fprintf(q.printer.out, "\t%s *%s;\n", ctypes[a.Kind], regionName(r, a))
	}
	if r.chain != nil {
		fmt.Fprintf(q.printer.out, "\tsurge_link *surge_links;\n")
	}
	fmt.Fprintf(q.printer.out, "};\n\n")
	q.printer.print(fmt.Sprintf("static void %s_chunk(const surge_at *at, surge_arena *arena, void *env, int64_t %%s, int64_t %%s, int64_t %%s)", fn),
		fmt.Sprintf("\tconst struct %s *e = env;\n\t%s *f = e->f;\n", fn, q.unit.name), r.par.Body, r)
}

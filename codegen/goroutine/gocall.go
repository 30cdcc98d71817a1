package goroutine

import (
	"strings"

	"github.com/surge-ndp/surge/codegen/kir"
)

// goCall prints the call of a function of the program. It panics where that does: the run time makes an error of it.
func (p *printer) goCall(s *kir.GoCall) {
	var names, args []string
	declares := false
	for _, v := range s.Dst {
		name := "_"
		if p.used[v] {
			name, declares = v.Name, true
		}
		names = append(names, name)
	}
	for i := 0; i < len(s.R.Args); i++ {
		a := s.R.Args[i]
		if a.A == nil {
			args = append(args, p.expr(a.X))
			continue
		}
		i++
		args = append(args, "vec.Slice("+p.base(a.A, false)+", "+p.expr(a.X)+", "+p.expr(s.R.Args[i].X)+")")
	}
	equals := " = "
	if declares {
		equals = " := "
	}
	p.caught = true
	p.printf("called = &%s\n", p.unit.site("call", s.Fn, s.Pos))
	p.printf("%s%s%s(%s)\n", strings.Join(names, ", "), equals, p.unit.Call(s.Fn), strings.Join(args, ", "))
	p.printf("called = nil\n")
}

// caught makes a panic of a function of the program that is called the error of the run.
const caught = "\tvar called *exec.Site\n\tdefer exec.Caught(w, &called)\n"

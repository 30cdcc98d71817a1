package opencl

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/opencl/clrt"
	"github.com/surge-ndp/surge/codegen/target"
	"github.com/surge-ndp/surge/selector"
)

func (platform) File(base string) target.File {
	return &file{prelude: identifierOf(base) + "OpenCLPrelude", used: map[bool]bool{}}
}

// file is what generated Go has of OpenCL for the kernels of one source file.
type file struct {
	prelude string        // the constant that stands before every source; that with doubles has a suffix
	used    map[bool]bool // which of the two
}

func (f *file) preludeName(doubles bool) string {
	f.used[doubles] = true
	if doubles {
		return f.prelude + "Doubles"
	}
	return f.prelude
}

func (f *file) End() string {
	text := ""
	for _, doubles := range []bool{false, true} {
		if f.used[doubles] {
			text += fmt.Sprintf("// %s stands before the OpenCL C of every variant%s.\nconst %[1]s = `%[3]s`\n\n", f.preludeName(doubles),
				map[bool]string{false: " without doubles", true: " with doubles"}[doubles], Prelude(doubles))
		}
	}
	return text
}

func (f *file) Others() (map[string][]byte, error) { return nil, nil }

func (f *file) Kernel(frame *target.Frame) target.Kernel {
	return &kernel{file: f, frame: frame, units: make([]Unit, len(frame.Kernel.Computations))}
}

// kernel prints the variants of one kernel.
type kernel struct {
	file  *file
	frame *target.Frame
	units []Unit // by computation
}

func (k *kernel) End() string {
	var sb strings.Builder
	for i, u := range k.units {
		if len(u.Sites) == 0 {
			continue
		}
		fmt.Fprintf(&sb, "var %s = []exec.Check{\n", k.sites(i))
		for _, s := range u.Sites {
			fmt.Fprintf(&sb, "{Site: exec.Site{Kernel: %q, Pos: %q, Op: %q, Arg: %q}, Kind: exec.%s},\n", k.frame.Source, s.Pos, s.Op, s.Arg, target.CheckKind(s.Kind))
		}
		sb.WriteString("}\n\n")
	}
	return sb.String()
}

// sites is the name of the table of what computation i checks.
func (k *kernel) sites(i int) string { return fmt.Sprintf("%s%dOpenCLSites", k.frame.Base, i+1) }

var perResource = map[kir.Resource]string{kir.Item: "PerItem", kir.Warp: "PerWarp", kir.Group: "PerGroup", kir.OneGroup: "OneGroup"}

func (k *kernel) Func(i int, variant selector.Code, lowered target.Code) (string, error) {
	d, c, f := lowered.(code).Device, k.frame.Kernel.Computations[i], k.frame
	p := k.units[i].Print(d, fmt.Sprintf("%s (%s:%d) under\n%s", c.Name, filepath.Base(c.Stmt.Pos.File), c.Stmt.Pos.Line, variant.Variant))
	var sb strings.Builder
	fmt.Fprintf(&sb, "&clrt.Code{\nFrame: %s,\n", f.Name)
	fmt.Fprintf(&sb, "Source: %s + `\n%s`,\n", k.file.preludeName(p.Doubles), p.Source)
	if p.Doubles {
		sb.WriteString("Doubles: true,\n")
	}
	if p.Subgroups {
		sb.WriteString("Subgroups: true,\n")
	}
	if p.Shuffles {
		sb.WriteString("Shuffles: true,\n")
	}
	if len(d.Temps) > 0 {
		sb.WriteString("Temps: []clrt.Temp{\n")
		for _, t := range d.Temps {
			fmt.Fprintf(&sb, "{Elem: %d, Step: %d, Count: %s},\n", t.A.Kind.Bytes(), t.Step,
				f.HostFunc(", g clrt.Geometry", t.N, func(n string) string { return size(t, n) }))
		}
		sb.WriteString("},\n")
	}
	sb.WriteString("Steps: []clrt.Step{\n")
	for _, step := range p.Kernels {
		fmt.Fprintf(&sb, "{Kernel: %q, Args: []clrt.Arg{%s},\n", step.Name, k.args(step.Args))
		if step.Launch.Count != nil {
			fmt.Fprintf(&sb, "Count: %s,\n", f.HostFunc("", step.Launch.Count, func(n string) string { return n }))
		}
		sb.WriteString("Per: clrt." + perResource[step.Launch.Per])
		if step.Launch.Grain > 0 && grained(variant, step.Launch.Grain) {
			fmt.Fprintf(&sb, ", Grain: %d", step.Launch.Grain)
		}
		if step.Launch.MaxGroups > 0 {
			fmt.Fprintf(&sb, ", MaxGroups: %d", step.Launch.MaxGroups)
		}
		if step.Launch.Always {
			sb.WriteString(", Always: true")
		}
		if step.Launch.Finds != nil {
			sb.WriteString(", Finds: true")
		}
		sb.WriteString("},\n")
	}
	sb.WriteString("},\n")
	if d.Rounds > 0 {
		fmt.Fprintf(&sb, "Round: %d, Rounds: %d,\n", d.Round, d.Rounds)
	}
	if results := f.Indices(append(p.Writes, p.Results...)); len(results) > 0 {
		fmt.Fprintf(&sb, "Results: %s,\n", target.IntList(results))
	}
	reads, err := f.Reads(i)
	if err != nil {
		return "", err
	}
	if len(reads) > 0 {
		fmt.Fprintf(&sb, "Reads: %s,\n", target.IntList(reads))
	}
	if p.Checks {
		fmt.Fprintf(&sb, "Sites: %s,\n", k.sites(i))
	}
	return sb.String() + "}", nil
}

// grained reports whether the code has a grain size at a level.
func grained(code selector.Code, level int) bool {
	return code.Launches(&clrt.GrainSize.Key, level)
}

func (k *kernel) args(as []Arg) string {
	parts := make([]string, len(as))
	for i, a := range as {
		at, _ := k.frame.Index(a.Name)
		switch a.Kind {
		case Field:
			parts[i] = fmt.Sprintf("{Kind: clrt.Field, Index: %d}", at)
		case Length:
			parts[i] = fmt.Sprintf("{Kind: clrt.Length, Index: %d}", at)
		case Result:
			parts[i] = fmt.Sprintf("{Kind: clrt.Result, Index: %d}", at)
		case Temporary:
			parts[i] = fmt.Sprintf("{Kind: clrt.Temporary, Index: %d}", a.Number)
		case Status:
			parts[i] = "{Kind: clrt.Status}"
		case Round:
			parts[i] = "{Kind: clrt.Round}"
		case Found:
			parts[i] = fmt.Sprintf("{Kind: clrt.Found, Index: %d}", a.Number)
		case Groups:
			parts[i] = fmt.Sprintf("{Kind: clrt.Groups, Index: %d}", a.Number)
		}
	}
	return strings.Join(parts, ", ")
}

// size is how many elements a buffer of the device has, n for each of what it is for.
func size(t *kir.Temp, n string) string {
	so := "g.Groups * g.Block()"
	switch t.Per {
	case kir.OneGroup:
		return "max(" + n + ", 1)"
	case kir.Group:
		so = "g.Groups"
	case kir.Warp:
		so = "g.Groups * (g.Block() / g.Warp)"
	}
	if n == "1" {
		return so
	}
	return fmt.Sprintf("exec.Times(%s, max(%s, 1))", so, n)
}

// identifierOf makes the name of a file the beginning of an unexported Go identifier.
func identifierOf(name string) string {
	var sb strings.Builder
	up := false
	for _, r := range name {
		switch {
		case r == '_' || r == '-' || r == '.':
			up = true
			continue
		case r >= '0' && r <= '9', r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
		default:
			r = 'x'
		}
		if up {
			r = []rune(strings.ToUpper(string(r)))[0]
			up = false
		}
		if sb.Len() == 0 && r >= '0' && r <= '9' {
			sb.WriteRune('x')
		}
		sb.WriteRune(r)
	}
	first := []rune(sb.String())
	first[0] = unicode.ToLower(first[0])
	return string(first)
}

package input

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// GeneratorInfo describes a generator for help texts.
type GeneratorInfo struct {
	Name       string
	About      string          // one line
	Parameters []ParameterInfo // those that come first may be given without a name
	Example    string          // a complete spec
}

// ParameterInfo describes one argument of a generator.
type ParameterInfo struct {
	Name    string
	Default string // an expression; empty: see About of the generator
	About   string
}

// generator makes a source from checked arguments.
type generator struct {
	GeneratorInfo
	aliases    []string
	positional int // how many parameters 1000x1000 gives, 0 and 1 being the first
	vector     func(a *arguments, n int) Value
	matrix     func(a *arguments) *csr
	table      func(a *arguments) Value
}

// Generators lists what gen: specs can make, in the order of help texts. All of
// them are deterministic: the same spec gives the same bits on every machine.
//
// Arguments are written NAME=VALUE, separated by commas; the first may come
// without its name. A value is a number or an expression: 1000000, 1e6, 1<<20,
// 4*1000. The suffixes k, M, G multiply by 1000, 10^6, 10^9 and Ki, Mi, Gi by
// 2^10, 2^20, 2^30.
//
// Random numbers are Knuth's MMIX generator (x ← 6364136223846793005·x +
// 1442695040888963407 mod 2^64 from x = seed, stepped before each value, top 53
// bits); random matrices draw row lengths with seed, columns with seed+1,
// values in [0,1) with seed+2, and where rows are partly sorted their places with seed+3.
func Generators() []GeneratorInfo {
	list := generators()
	infos := make([]GeneratorInfo, len(list))
	for i, g := range list {
		infos[i] = g.GeneratorInfo
	}
	return infos
}

func generators() []*generator {
	return slices.Concat(matrixGenerators(), skewedGenerators(), vectorGenerators())
}

func generatorNames() []string {
	var names []string
	for _, g := range generators() {
		names = append(names, g.Name)
	}
	return names
}

func findGenerator(list []*generator, name string) *generator {
	for _, g := range list {
		if g.Name == name || slices.Contains(g.aliases, name) {
			return g
		}
	}
	return nil
}

// openGenerated opens gen:NAME:ARGUMENTS; text is what follows "gen:".
func openGenerated(ctx context.Context, spec, text string, opts Options) (*Source, error) {
	name, text, _ := strings.Cut(text, ":")
	name = strings.TrimSpace(name)
	g := findGenerator(generators(), name)
	if g == nil {
		names := generatorNames()
		return nil, &Error{File: spec, What: "there is no generator " + excerpt(name), Code: "unknown-generator",
			Why: "the generators are " + strings.Join(names, ", "), Do: "use one of these" + nearestHint(name, names)}
	}
	a, err := g.parse(ctx, name, spec, text, opts.MaxBytes)
	if err != nil {
		return nil, err
	}
	s, err := g.make(a)
	if err != nil {
		return nil, err
	}
	s.spec, s.fingerprint = spec, hash(fingerprintVersion, "gen", g.Name, a.canonical())
	return s, nil
}

func (g *generator) make(a *arguments) (*Source, error) {
	var s *Source
	switch {
	case g.matrix != nil && (g.vector == nil || a.given["rows"]):
		if a.given["n"] {
			a.fail("bad-argument", "both n and rows are given", "n makes a vector, rows a matrix", "give one of them")
			break
		}
		if m := g.matrix(a); m != nil && a.err == nil {
			s = m.source()
		}
	case g.table != nil:
		if v := g.table(a); a.err == nil {
			s = newTable(v)
		}
	default:
		if n := a.length("n", 8); a.err == nil {
			s = newVector(g.vector(a, n))
		}
	}
	if a.err != nil {
		return nil, a.err
	}
	return s, nil
}

// parse checks names and evaluates the values; what is not given gets its default.
func (g *generator) parse(ctx context.Context, called, spec, text string, limit int64) (*arguments, error) {
	a := &arguments{ctx: ctx, spec: spec, generator: g, called: called, limit: limit,
		values: map[string]Value{}, given: map[string]bool{}}
	var names []string
	for _, p := range g.Parameters {
		names = append(names, p.Name)
	}
	for i, part := range strings.Split(text, ",") {
		name, value, named := strings.Cut(part, "=")
		name = strings.TrimSpace(name)
		switch {
		case strings.TrimSpace(part) == "" && i == 0:
			continue
		case named:
			a.set(name, value, names)
		case i > 0:
			a.fail("bad-argument", "argument "+excerpt(part)+" has no name", "only the first may stand alone", "write NAME=VALUE; the names are "+strings.Join(names, ", "))
		default:
			sizes := []string{part}
			if g.positional > 1 {
				sizes = strings.Split(part, "x")
			}
			if want := max(g.positional, 1); len(sizes) != want {
				a.fail("bad-argument", fmt.Sprintf("%s gives %d sizes", excerpt(part), len(sizes)),
					fmt.Sprintf("%s takes %d", called, want), "for example "+g.Example)
			} else {
				for d, size := range sizes {
					a.set(names[d], size, names)
				}
			}
		}
		if a.err != nil {
			return nil, a.err
		}
	}
	for _, p := range g.Parameters {
		if _, ok := a.values[p.Name]; !ok && p.Default != "" {
			v, err := evalScalar(p.Default)
			if err != nil {
				return nil, err
			}
			a.values[p.Name] = v
		}
	}
	return a, nil
}

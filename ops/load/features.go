package load

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/format"
	"go/types"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/selector"
)

// Feature is a function that is marked with //surge:feature KERNEL [UNIT]: it computes a property of a kernel's inputs
// that helps to choose a variant. It is plain Go and runs as such, before the kernel.
type Feature struct {
	Name string // of the function, and of the feature
	Unit string // what it counts, "" if the directive does not say it
	Pos  ir.Pos
	// Args are the kernel's parameters that the function takes, by number (a method's receiver is the first) and in
	// the order of its own.
	Args []int
	// Version is a hash of the function's text: values of another version mean something else.
	Version string
}

// MaxFeatures is how many features can be declared for a kernel.
const MaxFeatures = 8

// featureLine is a directive //surge:feature or //surge:features with the function in whose doc comment it stands.
type featureLine struct {
	directive
	decl *ast.FuncDecl
}

const featuresWhy = "a feature is computed from the arguments of a kernel before it runs, and helps to choose a variant"

// declareFeatures checks the directives about features, and assigns what they say to the kernels.
func (p *program) declareFeatures(marked []*function) {
	p.features, p.requested = map[*function][]Feature{}, map[*function][]string{}
	for _, line := range p.featureLines {
		switch {
		case line.decl == nil:
			p.rep.at(line.pos, problem{CodeDirective, "//surge:" + line.name + " does not belong to a function",
				"the directive marks the function whose doc comment it stands in",
				"put it in the last comment lines before a top-level func, with no empty line between"})
		case line.name == "features":
			p.requestFeatures(line, marked)
		default:
			p.declareFeature(line, marked)
		}
	}
	for _, f := range marked { // another algorithm has the features of its kernel
		for _, g := range marked {
			if a, ok := p.variantOf[f]; ok && called(g, a.kernel) {
				p.features[f], p.requested[f] = p.features[g], p.requested[g]
			}
		}
	}
}

// requestFeatures reads //surge:features NAME…
func (p *program) requestFeatures(line featureLine, marked []*function) {
	at := slices.IndexFunc(marked, func(f *function) bool { return f.decl == line.decl })
	var names []string
	for _, ready := range selector.ReadyMade {
		names = append(names, ready.Name)
	}
	use := "name some of " + strings.Join(names, ", ")
	if _, other := p.variantOf[markedAt(marked, at)]; at < 0 || other {
		p.rep.at(line.pos, problem{CodeFeature, line.decl.Name.Name + " is no kernel, and asks for features",
			"features are those of a kernel's inputs; another algorithm for it has the same", "put the line into the doc comment of a kernel, which has the line //surge:kernel"})
		return
	}
	if len(line.args) == 0 {
		p.rep.at(line.pos, problem{CodeFeature, "//surge:features names no feature", "it asks for features that are not computed otherwise", use})
	}
	for _, name := range line.args {
		switch {
		case !slices.Contains(names, name):
			fix := use
			if near := selector.Nearest(name, names, 1); len(near) > 0 {
				fix = "did you mean " + near[0] + "?"
			}
			p.rep.at(line.pos, problem{CodeFeature, "there is no ready-made feature " + name, "//surge:features asks for features of irregular rows that surge itself computes", fix})
		case !slices.Contains(p.requested[marked[at]], name):
			p.requested[marked[at]] = append(p.requested[marked[at]], name)
		}
	}
}

func markedAt(marked []*function, at int) *function {
	if at < 0 {
		return nil
	}
	return marked[at]
}

// declareFeature reads //surge:feature KERNEL [UNIT].
func (p *program) declareFeature(line featureLine, marked []*function) {
	name := line.decl.Name.Name
	report := func(n ast.Node, what, why, fix string) { p.rep.at(n.Pos(), problem{CodeFeature, what, why, fix}) }
	atLine := func(what, why, fix string) { p.rep.at(line.pos, problem{CodeFeature, what, why, fix}) }
	if line.first() == "" {
		atLine("//surge:feature names no kernel", featuresWhy, "write //surge:feature KERNEL, or //surge:feature KERNEL UNIT")
		return
	}
	if slices.ContainsFunc(marked, func(f *function) bool { return f.decl == line.decl }) {
		atLine(name+" is a kernel and a feature", "a kernel is compiled, and a feature is plain Go that returns one number", "keep one of the lines")
		return
	}
	obj, ok := p.root.info.Defs[line.decl.Name].(*types.Func)
	if !ok {
		return // reported by the type checker
	}
	sig := obj.Signature()
	result := sig.Results()
	switch {
	case sig.Recv() != nil || sig.TypeParams() != nil || sig.Variadic():
		report(line.decl.Name, "the feature "+name+" is a method, is generic, or takes any number of arguments", featuresWhy, "write a function of some of the kernel's parameters")
		return
	case result.Len() != 1 || !types.Identical(result.At(0).Type(), types.Typ[types.Float64]):
		report(line.decl.Name, fmt.Sprintf("the feature %s returns %s", name, typeName(result)), "a feature is one number", "return a float64")
		return
	case name == "_" || name == "init" || name == "main":
		report(line.decl.Name, "the function "+name+" cannot be a feature", "nobody can call it", "give it another name")
		return
	}
	reserved := slices.Clone(selector.Inferred[:])
	for _, ready := range selector.ReadyMade {
		reserved = append(reserved, ready.Name)
	}
	if slices.Contains(reserved, name) {
		report(line.decl.Name, name+" is the name of a feature that surge infers", "a model names its features", "give the function another name")
		return
	}
	at := slices.IndexFunc(marked, func(f *function) bool { return called(f, line.first()) })
	if _, other := p.variantOf[markedAt(marked, at)]; at < 0 || other {
		var names []string
		for _, f := range marked {
			if _, other := p.variantOf[f]; !other {
				names = append(names, kernelName(f))
			}
		}
		fix := "name a function of the package that has the line //surge:kernel"
		if near := selector.Nearest(line.first(), names, 1); len(near) > 0 {
			fix = "did you mean " + near[0] + "?"
		}
		atLine(line.first()+" is no kernel of this package", featuresWhy, fix)
		return
	}
	kernel := marked[at]
	f := Feature{Name: name, Unit: strings.Join(line.args[1:], "_"), Pos: p.irPos(line.decl.Name.Pos()), Version: p.textHash(line.decl)}
	params := inputs(kernel.obj.Signature())
	for i := range sig.Params().Len() {
		v := sig.Params().At(i)
		j := 0
		for j < len(params) && params[j].Name() != v.Name() {
			j++
		}
		var names []string
		for _, param := range params {
			names = append(names, param.Name()+" "+typeName(param.Type()))
		}
		switch {
		case j == len(params):
			p.rep.at(v.Pos(), problem{CodeFeature, fmt.Sprintf("%s has no parameter %s, which the feature %s takes", kernelName(kernel), quoteName(v, v.Name()), name),
				"a feature takes some of the kernel's parameters, by their names", "take some of " + strings.Join(names, ", ")})
			return
		case !types.Identical(params[j].Type(), v.Type()):
			p.rep.at(v.Pos(), problem{CodeFeature, fmt.Sprintf("%s is a %s in the feature %s, and a %s in %s", v.Name(), typeName(v.Type()), name, typeName(params[j].Type()), kernelName(kernel)),
				"the feature gets what the kernel gets", "give it the kernel's type"})
			return
		}
		f.Args = append(f.Args, j)
	}
	if len(p.features[kernel]) == MaxFeatures {
		atLine(fmt.Sprintf("%s has more than %d features", kernelName(kernel), MaxFeatures), "every feature costs time in every call", "remove the least useful ones")
		return
	}
	p.features[kernel] = append(p.features[kernel], f)
}

// textHash is a hash of a function's text, formatted and without comments.
func (p *program) textHash(decl *ast.FuncDecl) string {
	plain := *decl
	plain.Doc = nil
	var sb strings.Builder
	if err := format.Node(&sb, p.fset, &plain); err != nil {
		return ""
	}
	sum := sha256.Sum256([]byte(sb.String()))
	return hex.EncodeToString(sum[:4])
}

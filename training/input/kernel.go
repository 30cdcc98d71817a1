package input

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/selector"
)

// Codes of errors about names that a kernel does not have, whatever the input.
const (
	CodeUnknownData      = "unknown-data"
	CodeUnknownParameter = "unknown-parameter"
	CodeUnbound          = "unbound" // a parameter without a value
)

// Kernel is what binding needs to know of a kernel.
type Kernel struct {
	Name   string
	Params []Parameter // without expressions
	// Others are the names of parameters of the package's other kernels; Partial says that not all of them are known.
	// Bindings that stand in a file are left alone where they may be theirs.
	Others  []string
	Partial bool
}

// Argument is a parameter of a kernel with what it was bound to.
type Argument struct {
	Name, Expr string
	Value      Value
}

// Values returns the values of arguments, in order.
func Values(args []Argument) []Value {
	values := make([]Value, len(args))
	for i := range args {
		values[i] = args[i].Value
	}
	return values
}

// Set is the inputs that were read so far.
type Set struct {
	opts    Options
	sources map[string]*Source
	read    []Entry
}

// NewSet returns an empty set. The directory of the options is not looked at: entries say where they stand.
func NewSet(opts Options) *Set { return &Set{opts: opts, sources: map[string]*Source{}} }

// Open reads an input unless it is there.
func (s *Set) Open(ctx context.Context, d Entry) error {
	if s.sources[d.Name] != nil {
		return nil
	}
	opts := s.opts
	if opts.Dir = ""; d.File != "" {
		opts.Dir = filepath.Dir(d.File)
	}
	source, err := Open(ctx, d.Value, opts)
	if err != nil {
		return d.place(err)
	}
	s.sources[d.Name] = source
	s.read = append(s.read, d)
	return nil
}

// Source returns the input of that name, nil if it was not read.
func (s *Set) Source(name string) *Source { return s.sources[name] }

// Bind evaluates the bindings of the kernel's parameters, and reads the inputs that they need. Entries of a file that
// belong to another kernel of the package are left alone; names that belong to nothing are errors. used are the inputs
// of the set that the kernel's parameters are bound to.
func (s *Set) Bind(ctx context.Context, k *Kernel, data, bind []Entry) (args []Argument, used []Entry, err error) {
	mentioned, wanted := mentions(bind), k.wanted(bind)
	var helpers []Parameter
	var counts []Entry // the bindings that count for this kernel
	for _, b := range bind {
		switch {
		case k.has(b.Name):
		case mentioned[b.Name]:
			helpers = append(helpers, Parameter{Name: b.Name, Expr: b.Value})
		case b.File != "" && (slices.Contains(k.Others, b.Name) || k.Partial):
			continue
		default:
			return nil, nil, b.wrong(CodeUnknownParameter, fmt.Sprintf("kernel %s has no parameter %q", k.Name, b.Name), selector.Suggest(b.Name, k.names()))
		}
		counts = append(counts, b)
	}
	params := slices.Clone(k.Params)
	for i := range params {
		if at := slices.IndexFunc(bind, func(e Entry) bool { return e.Name == params[i].Name }); at >= 0 {
			params[i].Expr = bind[at].Value
		}
	}
	for _, d := range data {
		if wanted[d.Name] {
			if err := s.Open(ctx, d); err != nil {
				return nil, nil, err
			}
		} else if d.File == "" {
			return nil, nil, k.unused(d, data, wanted)
		}
	}
	if err := k.unbound(params, bind, s.sources); err != nil {
		return nil, nil, err
	}
	for _, d := range s.read {
		if wanted[d.Name] {
			used = append(used, d)
		}
	}
	values, err := Bind(append(params, helpers...), s.sources, Options{})
	if err != nil {
		for _, b := range counts {
			if of := (*Error)(nil); b.File != "" && errors.As(err, &of) && strings.HasPrefix(of.File, b.Name+" = ") {
				whole := *of
				whole.Line, whole.Col = 0, 0
				return nil, nil, b.place(&whole)
			}
		}
		return nil, nil, err
	}
	for i, p := range params {
		args = append(args, Argument{p.Name, cmp.Or(p.Expr, p.Name), values[i]})
	}
	return args, used, nil
}

// CheckUsed refuses the first of the entries that no parameter of the kernel is bound to, given the inputs and the
// bindings of a case.
func (k *Kernel) CheckUsed(entries []Entry, c Case) error {
	wanted := k.wanted(c.Bind)
	for _, d := range entries {
		if !wanted[d.Name] {
			return k.unused(d, c.Data, wanted)
		}
	}
	return nil
}

// unused is the error for an input that nothing is bound to.
func (k *Kernel) unused(d Entry, data []Entry, wanted map[string]bool) *Error {
	var candidates []string
	for _, other := range data {
		candidates = append(candidates, other.Name)
	}
	candidates = slices.DeleteFunc(append(candidates, k.names()...), func(name string) bool { return !wanted[name] })
	do := selector.Suggest(d.Name, candidates)
	if len(candidates) == 0 && len(k.Params) > 0 {
		do = "say what it binds to, for example --bind " + k.Params[0].Name + "=" + d.Name
	}
	return d.wrong(CodeUnknownData, fmt.Sprintf("no parameter of %s is bound to an input %q", k.Name, d.Name), do)
}

func (k *Kernel) names() (all []string) {
	for _, p := range k.Params {
		all = append(all, p.Name)
	}
	return all
}

func (k *Kernel) has(name string) bool { return slices.Contains(k.names(), name) }

var identifier = regexp.MustCompile(`[\pL_][\pL\pN_]*`)

// mentions returns the names that expressions use: inputs, parameters, and names that only help to bind others.
func mentions(bind []Entry) map[string]bool {
	found := map[string]bool{}
	for _, b := range bind {
		for _, name := range identifier.FindAllString(b.Value, -1) {
			found[name] = true
		}
	}
	return found
}

// wanted returns the names that parameters of the kernel are bound to, or are themselves where nothing is said of them.
func (k *Kernel) wanted(bind []Entry) map[string]bool {
	mentioned := mentions(bind)
	wanted := mentions(slices.DeleteFunc(slices.Clone(bind), func(b Entry) bool { return !k.has(b.Name) && !mentioned[b.Name] }))
	for _, name := range k.names() {
		if !slices.ContainsFunc(bind, func(b Entry) bool { return b.Name == name }) {
			wanted[name] = true
			base, _, _ := strings.Cut(name, ".")
			wanted[base] = true // which may be an archive of the parts
		}
	}
	return wanted
}

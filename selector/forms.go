package selector

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/selector/param"
)

// Nest is the name of the form that a computation has in the source.
const Nest = "nest"

// Form is what an [Input] has for a form besides the nest: see Strided and Costs there. A feature of a form is called
// as [FormFeature] says; of the inferred ones it has these and no others.
type Form struct {
	Name string
	// AsNest says that Strided, Costs and all features are those of the nest.
	AsNest  bool
	Strided int
	Costs   []LevelCost
}

// flatForm is the rule whose forms share the elements of rows among threads, stripsForm the one that puts turns of
// loops on lanes in place of elements.
const flatForm, stripsForm = "flat", "strips"

// FormFeature is the name of a feature of a form: that of the nest has the feature's own name.
func FormFeature(form, feature string) string {
	if form == Nest {
		return feature
	}
	return form + "." + feature
}

// inForm returns what is asked of the codes that have a form, on a platform unless that is "".
func (in *Input) inForm(name, platform string) Input {
	of := *in
	if slices.ContainsFunc(in.Codes, func(c Code) bool { return !in.among(&c, name, platform) }) {
		of.Codes = slices.DeleteFunc(slices.Clone(in.Codes), func(c Code) bool { return !in.among(&c, name, platform) })
	}
	steps := strings.Split(name, "+")
	of.flat = slices.Contains(steps, flatForm)
	at := slices.IndexFunc(in.Forms, func(f Form) bool { return f.Name == name })
	if of.Forms = nil; at < 0 || in.Forms[at].AsNest {
		return of
	}
	of.Strided, of.Costs, of.Features = in.Forms[at].Strided, in.Forms[at].Costs, nil
	for _, f := range in.Features {
		own, ok := strings.CutPrefix(f.Name, FormFeature(name, ""))
		// The loops of an element are in every form.
		if f.Name = own; ok || f.Name == LoopOperations || !slices.Contains(Inferred[:], f.Name) {
			of.Features = append(of.Features, f)
		}
	}
	if _, told := of.Feature(InnerRowLength); !told && len(of.Costs) == len(in.Costs)+1 {
		// The outermost level has become two: the rows inside are those of the nest.
		if inner, ok := in.innerRows(); ok {
			of.Features = append(of.Features, Feature{Name: InnerRowLength, Value: inner})
		}
	}
	return of
}

// innerRows is how long the rows of the innermost level are, if a feature tells.
func (in *Input) innerRows() (length float64, ok bool) {
	if len(in.Costs) == 2 {
		return in.Feature(AverageRowLength)
	}
	return in.Feature(InnerRowLength)
}

// among reports whether a code is one of the computation and the platform that are asked about, in a form, and on
// another platform unless that is "".
func (in *Input) among(c *Code, form, platform string) bool {
	return c.Form == form && (in.Computation == "" || c.Computation == in.Computation) &&
		(in.Platform == "" || c.Platform == in.Platform) && (platform == "" || c.Platform == platform)
}

// alike is by how much two estimates may differ that are taken for equal.
const alike = 1. / 32

// leastForm returns the form whose codes take the least time by estimate, each on as many threads as its elements are
// enough for, and says why if there are several. Between turns and elements on lanes [Input.onLanes] decides. Where
// nothing is known of the input, and on devices, whose time is not estimated, it is the nest, or, without codes of
// that, the form of the last code.
func (in *Input) leastForm() (form, why string) {
	var names []string
	for i := range in.Codes {
		if c := &in.Codes[i]; in.among(c, c.Form, "") {
			form, names = c.Form, appendNew(names, c.Form)
		}
	}
	if _, known := in.Feature(Length); len(names) < 2 || !known || launches(in.inForm(form, "").Codes, &param.BlockSizeX.Key, 0) {
		return form, ""
	}
	names, why = in.onLanes(names)
	least, estimates := 0.0, make([]string, len(names))
	for i, name := range slices.Backward(names) { // of equals the nest, which does without dividing and multiplying indices
		of := in.inForm(name, "")
		operations, threads := of.onThreads()
		waits := of.waits(threads)
		if t := operations / threads * waits; i == len(names)-1 || t < least*(1-alike) {
			form, least = name, t
		}
		estimates[i] = fmt.Sprintf("%s %.3g", name, operations)
		if threads > 1 {
			estimates[i] += fmt.Sprintf(" on %.0f threads", threads)
		}
		if waits > 1 && threads > 1 {
			estimates[i] += fmt.Sprintf(", the last of which takes %.2g of its share", waits)
		}
	}
	if len(names) > 1 {
		why += "operations by form: " + strings.Join(estimates, ", ") + "; "
	}
	return form, why
}

// fullVector is how many elements fill a vector, whatever their type.
const fullVector = 8

// onLanes leaves out of forms either those that have turns of loops on lanes or those that they were made of, which do
// the same work: elements are on lanes where they fill vectors, and some code has them there.
func (in *Input) onLanes(names []string) (left []string, why string) {
	left = names
	for _, name := range names {
		steps := strings.Split(name, "+")
		if at := len(steps) - 1; steps[at] != stripsForm {
			continue
		}
		base := strings.Join(steps[:len(steps)-1], "+")
		if base == "" {
			base = Nest
		}
		if !slices.Contains(names, base) {
			continue
		}
		of := in.inForm(base, "")
		depth := min(max(len(of.Costs), 1), maxLevels)
		rows := of.rows(depth)
		out := name
		if n := survey(&of, depth, rows[:]...); rows[depth-1] < fullVector || n.lanes[depth-1].widths == 0 {
			out = base
			why += fmt.Sprintf("the elements of %s do not fill vectors, turns of their loops do; ", base)
		} else {
			why += fmt.Sprintf("the elements of %s fill vectors; ", base)
		}
		left = slices.DeleteFunc(slices.Clone(left), func(s string) bool { return s == out })
	}
	return left, why
}

// onThreads estimates the codes of one form, and says how many threads they can use.
func (in *Input) onThreads() (operations, threads float64) {
	operations, _ = in.estimate()
	limit := max(in.Cores, 1)
	if in.Threads > 0 {
		limit = min(limit, in.Threads)
	}
	threads = float64(threadsFor(operations, workPerThread, limit, in.Cores))
	rows := in.rows(max(len(in.Costs), 2))
	if rows[0] < threads && (len(in.Costs) < 2 || rows[1] < longRow) {
		threads = max(rows[0], 1)
	}
	return operations, threads
}

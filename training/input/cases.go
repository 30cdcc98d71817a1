package input

import (
	"path/filepath"
	"slices"
	"strings"
)

// Case is an input of a kernel among several: a spec for each name, and the bindings.
type Case struct {
	Name       string
	Data, Bind []Entry
}

// Cases expands patterns, directories and ranges. Every name of data has one spec or several; with several names each
// spec of one is combined with each of the others. base holds the inputs that are the same in every case. Ranges are
// sampled n times, in the given phase; see [Sweep].
func Cases(base, data, bind []Entry, n, phase int) ([]Case, error) {
	combined, err := combine(data)
	if err != nil {
		return nil, err
	}
	var all []Case
	seen := map[string]bool{}
	sampled := 0
	for _, chosen := range combined {
		texts := make([]string, 0, len(chosen)+len(bind))
		for _, e := range append(slices.Clone(chosen), bind...) {
			texts = append(texts, e.Value)
		}
		for _, e := range chosen {
			if !strings.HasPrefix(e.Value, "gen:") && IsSweep(e.Value) {
				return nil, &Error{File: e.Value, Code: "bad-range", What: "the name of this file looks like a range LOW..HIGH", Do: "rename it"}
			}
		}
		swept, err := Sweep(texts, n, phase, sampled)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(texts, IsSweep) {
			sampled += n
		}
		for _, values := range swept {
			if c := caseOf(base, chosen, bind, values); !seen[c.Name] {
				seen[c.Name] = true
				all = append(all, c)
			}
		}
	}
	return all, nil
}

// combine returns all ways to take one spec for each name.
func combine(data []Entry) ([][]Entry, error) {
	var names []string
	specs := map[string][]Entry{}
	for _, d := range data {
		if !slices.Contains(names, d.Name) {
			names = append(names, d.Name)
		}
		if strings.HasPrefix(d.Value, "gen:") {
			specs[d.Name] = append(specs[d.Name], d)
			continue
		}
		dir := ""
		if d.File != "" {
			dir = filepath.Dir(d.File)
		}
		paths, err := Match(d.Value, dir)
		if err != nil {
			return nil, d.place(err)
		}
		for _, path := range paths {
			// The path is complete now: it is relative to the working directory.
			specs[d.Name] = append(specs[d.Name], Entry{Name: d.Name, Value: path})
		}
	}
	combined := [][]Entry{nil}
	for _, name := range names {
		var longer [][]Entry
		for _, before := range combined {
			for _, d := range specs[name] {
				longer = append(longer, append(slices.Clone(before), d))
			}
		}
		combined = longer
	}
	return combined, nil
}

// caseOf is the case of chosen inputs with the values that sampling gave these and the bindings. Its name says what
// differs from case to case.
func caseOf(base, chosen, bind []Entry, values []string) Case {
	c := Case{Bind: slices.Clone(bind)}
	var parts []string
	own := slices.Clone(chosen)
	for i := range own {
		own[i].Value = values[i]
		parts = append(parts, own[i].Name+"="+values[i])
	}
	for i := range c.Bind {
		if v := values[len(own)+i]; v != c.Bind[i].Value {
			c.Bind[i].Value = v
			parts = append(parts, c.Bind[i].Name+"="+v)
		}
	}
	c.Data = Merge(base, own)
	if len(parts) == 0 {
		for _, d := range base {
			parts = append(parts, d.Name+"="+d.Value)
		}
	}
	c.Name = strings.Join(parts, ", ")
	return c
}

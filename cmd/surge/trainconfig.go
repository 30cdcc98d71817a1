package main

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/training"
	"github.com/surge-ndp/surge/training/input"
)

// trainConfig is the train section of surge.yaml: what surge train measures when the command line does not say.
type trainConfig struct {
	// Data, Bind and Test are as the flags of those names; a name may occur several times in Data and Test.
	Data, Bind, Test []entry
	Samples          int
}

// readTrain reads the section.
func (c *kernelConfig) readTrain(n *yaml.Node) error {
	return c.eachKey(n, "train", func(key, value *yaml.Node) (err error) {
		switch key.Value {
		case "data":
			c.Train.Data, err = c.lists(value, "train.data")
		case "test":
			c.Train.Test, err = c.lists(value, "train.test")
		case "bind":
			c.Train.Bind, err = c.mapping(value, "train.bind", "an expression, such as 1Ki..1Mi")
		case "samples":
			if c.Train.Samples, err = strconv.Atoi(value.Value); err != nil || c.Train.Samples < 1 {
				return c.wrong(value, "train.samples is not a whole number from 1", "write samples: 24")
			}
		default:
			p := unknown("config", "key", "train."+key.Value, []string{"data", "test", "bind", "samples"})
			p.File, p.Line, p.Col = c.Path, key.Line, key.Column
			return p
		}
		return err
	})
}

// lists reads names with one value or a list of values each.
func (c *kernelConfig) lists(n *yaml.Node, what string) ([]entry, error) {
	var all []entry
	err := c.eachKey(n, what, func(key, value *yaml.Node) error {
		values := []*yaml.Node{value}
		if value.Kind == yaml.SequenceNode {
			values = value.Content
		}
		for _, v := range values {
			if v.Kind != yaml.ScalarNode || v.Tag == "!!null" {
				return c.wrong(v, what+"."+key.Value+" is not a list of inputs", "write "+key.Value+": [\"*.mtx\", \"gen:powerlaw:rows=1e3..1e6\"]")
			}
			all = append(all, entry{key.Value, v.Value, v.Line, v.Column})
		}
		return nil
	})
	return all, err
}

// checkTrain refuses an input of the section that nothing of the kernel is bound to. One that the command line names
// instead is not looked at.
func (c *kernelConfig) checkTrain(f *trainFlags, k *harness.KernelInfo, train []trainCase) error {
	if len(f.data) > 0 || len(train) == 0 {
		return nil
	}
	inputs := slices.Clone(c.Train.Data)
	if len(f.test) == 0 {
		inputs = append(inputs, c.Train.Test...)
	}
	wanted := wantedInputs(k, train[0].bind)
	for _, d := range inputs {
		if !wanted[d.Name] {
			return c.place(d, unusedInput(k, d, c, wanted))
		}
	}
	return nil
}

// splitAll is split for a flag whose names may be given several times.
func splitAll(cmd *cobra.Command, flag string, pairs []string, example string) ([]entry, error) {
	var all []entry
	for _, pair := range pairs {
		one, err := split(cmd, flag, []string{pair}, example)
		if err != nil {
			return nil, err
		}
		all = append(all, one...)
	}
	return all, nil
}

// trainCase is an input of training: a spec for each name, and the bindings.
type trainCase struct {
	name       string
	data, bind []entry
}

// cases expands globs, directories and ranges. Every name has one spec or several; with several names each spec of
// one is combined with each of the others. base holds the inputs and bindings that are the same in every case.
func (a *app) cases(cfg *kernelConfig, base, data, bind []entry, samples, phase int) ([]trainCase, error) {
	var names []string
	specs := map[string][]entry{}
	for _, d := range data {
		if !slices.Contains(names, d.Name) {
			names = append(names, d.Name)
		}
		if strings.HasPrefix(d.Value, "gen:") {
			specs[d.Name] = append(specs[d.Name], d)
			continue
		}
		dir := ""
		if d.Line > 0 {
			dir = filepath.Dir(cfg.Path)
		}
		paths, err := input.Match(d.Value, dir)
		if err != nil {
			return nil, cfg.placeInput(d, err)
		}
		for _, path := range paths {
			// The path is complete now: it is relative to the working directory.
			specs[d.Name] = append(specs[d.Name], entry{Name: d.Name, Value: path})
		}
	}
	combined := [][]entry{nil}
	for _, name := range names {
		var longer [][]entry
		for _, before := range combined {
			for _, d := range specs[name] {
				longer = append(longer, append(slices.Clone(before), d))
			}
		}
		combined = longer
	}
	var all []trainCase
	seen := map[string]bool{}
	sampled := 0
	for _, chosen := range combined {
		texts := make([]string, 0, len(chosen)+len(bind))
		for _, e := range append(slices.Clone(chosen), bind...) {
			texts = append(texts, e.Value)
		}
		for _, e := range chosen {
			if !strings.HasPrefix(e.Value, "gen:") && input.IsSweep(e.Value) {
				return nil, problem{File: e.Value, Code: "bad-range", What: "the name of this file looks like a range LOW..HIGH", Fix: "rename it"}
			}
		}
		swept, err := input.Sweep(texts, samples, phase, sampled)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(texts, input.IsSweep) {
			sampled += samples
		}
		for _, values := range swept {
			c := trainCase{data: base, bind: slices.Clone(bind)}
			var parts []string
			own := slices.Clone(chosen)
			for i := range own {
				own[i].Value = values[i]
				parts = append(parts, own[i].Name+"="+values[i])
			}
			for i := range c.bind {
				if v := values[len(own)+i]; v != c.bind[i].Value {
					c.bind[i].Value = v
					parts = append(parts, c.bind[i].Name+"="+v)
				}
			}
			c.data = merge(c.data, own)
			if c.name = strings.Join(parts, ", "); c.name == "" {
				for _, d := range base {
					parts = append(parts, d.Name+"="+d.Value)
				}
				c.name = strings.Join(parts, ", ")
			}
			if !seen[c.name] {
				seen[c.name] = true
				all = append(all, c)
			}
		}
	}
	return all, nil
}

// load returns how the arguments of a case are made.
func (a *app) load(cfg *kernelConfig, session *training.Session, kernel *harness.KernelInfo, c trainCase) training.Case {
	return training.Case{Name: c.name, Load: func(ctx context.Context) ([]input.Value, error) {
		p := &prepared{session: session, kernel: kernel}
		in := &inputs{cfg: cfg, cache: a.inputCache(), sources: map[string]*input.Source{}}
		if err := p.bindInputs(ctx, session.Describe().Kernels, in, c.data, c.bind); err != nil {
			return nil, err
		}
		values := make([]input.Value, len(p.args))
		for i := range p.args {
			values[i] = p.args[i].value
		}
		return values, nil
	}}
}

// trainCases expands the inputs of the command line, or else those of surge.yaml.
func (a *app) trainCases(cmd *cobra.Command, cfg *kernelConfig, f *trainFlags) (train, test []trainCase, err error) {
	data, err := splitAll(cmd, "data", f.data, "'A=matrices/*.mtx'")
	if err != nil {
		return nil, nil, err
	}
	tests, err := splitAll(cmd, "test", f.test, "'A=others/*.mtx'")
	if err != nil {
		return nil, nil, err
	}
	bind, err := split(cmd, "bind", f.bind, "tileSize=64..1Mi")
	if err != nil {
		return nil, nil, err
	}
	bind = merge(merge(cfg.Bind, cfg.Train.Bind), bind)
	if len(data) == 0 {
		data = cfg.Train.Data
		if len(tests) == 0 {
			tests = cfg.Train.Test
		}
	}
	// Without --data, the inputs of surge run are combined with the ranges of --bind.
	if len(data) > 0 || f.tune || slices.ContainsFunc(bind, func(e entry) bool { return input.IsSweep(e.Value) }) {
		if train, err = a.cases(cfg, cfg.Data, data, bind, f.samples, 0); err != nil {
			return nil, nil, err
		}
	}
	if f.testSamples > 0 && len(tests) == 0 {
		test, err = a.cases(cfg, cfg.Data, data, bind, f.testSamples, 1)
	}
	if len(tests) > 0 {
		test, err = a.cases(cfg, cfg.Data, tests, bind, cmp.Or(f.testSamples, f.samples), 1)
	}
	return train, test, err
}

package main

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/surge-ndp/surge/training/input"
)

// trainConfig is the train section of surge.yaml: what surge train measures when the command line does not say.
type trainConfig struct {
	// Data, Bind and Test are as the flags of those names; a name may occur several times in Data and Test.
	Data, Bind, Test []input.Entry
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
func (c *kernelConfig) lists(n *yaml.Node, what string) ([]input.Entry, error) {
	var all []input.Entry
	err := c.eachKey(n, what, func(key, value *yaml.Node) error {
		values := []*yaml.Node{value}
		if value.Kind == yaml.SequenceNode {
			values = value.Content
		}
		for _, v := range values {
			if v.Kind != yaml.ScalarNode || v.Tag == "!!null" {
				return c.wrong(v, what+"."+key.Value+" is not a list of inputs", "write "+key.Value+": [\"*.mtx\", \"gen:powerlaw:rows=1e3..1e6\"]")
			}
			all = append(all, c.entry(key, v))
		}
		return nil
	})
	return all, err
}

// checkTrain refuses an input of the section that nothing of the kernel is bound to. One that the command line names
// instead is not looked at.
func (c *kernelConfig) checkTrain(f *trainFlags, k *input.Kernel, train []input.Case) error {
	if len(f.data) > 0 || len(train) == 0 {
		return nil
	}
	inputs := slices.Clone(c.Train.Data)
	if len(f.test) == 0 {
		inputs = append(inputs, c.Train.Test...)
	}
	return k.CheckUsed(inputs, train[0])
}

// splitAll is split for a flag whose names may be given several times.
func splitAll(cmd *cobra.Command, flag string, pairs []string, example string) ([]input.Entry, error) {
	var all []input.Entry
	for _, pair := range pairs {
		one, err := split(cmd, flag, []string{pair}, example)
		if err != nil {
			return nil, err
		}
		all = append(all, one...)
	}
	return all, nil
}

// trainCases expands the inputs of the command line, or else those of surge.yaml.
func (a *app) trainCases(cmd *cobra.Command, cfg *kernelConfig, f *trainFlags) (train, test []input.Case, err error) {
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
	bind = input.Merge(input.Merge(cfg.Bind, cfg.Train.Bind), bind)
	if len(data) == 0 {
		data = cfg.Train.Data
		if len(tests) == 0 {
			tests = cfg.Train.Test
		}
	}
	// Without --data, the inputs of surge run are combined with the ranges of --bind.
	if len(data) > 0 || f.tune || slices.ContainsFunc(bind, func(e input.Entry) bool { return input.IsSweep(e.Value) }) {
		if train, err = input.Cases(cfg.Data, data, bind, f.samples, 0); err != nil {
			return nil, nil, err
		}
	}
	if f.testSamples > 0 && len(tests) == 0 {
		test, err = input.Cases(cfg.Data, data, bind, f.testSamples, 1)
	}
	if len(tests) > 0 {
		test, err = input.Cases(cfg.Data, tests, bind, cmp.Or(f.testSamples, f.samples), 1)
	}
	return train, test, err
}

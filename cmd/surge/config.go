package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"
	"go.yaml.in/yaml/v3"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/codegen/target"
	"github.com/surge-ndp/surge/training/input"
)

// configName is the file beside a kernel that holds its bindings and defaults.
const configName = "surge.yaml"

// fileFlags are the flags that surge.yaml may give a default for, besides the maps data and bind. The others ask for
// one action (--verify is a habit, --code is not).
var fileFlags = []string{"kernel", "platform", "device", "cache", "no-simd", "threads", "repeat", "verify", "variant", "limit", "budget"}

// kernelConfig is what surge.yaml says.
type kernelConfig struct {
	// Path is the file as the user would name it, "" when there is none.
	Path string
	// Data and Bind keep the order and the letter case of the file, which viper would not.
	Data, Bind []input.Entry
	// Train is the section of surge train.
	Train    trainConfig
	settings map[string]any
	keys     map[string]input.Entry
}

// configure gives every flag of cmd that the command line does not set the value of the environment, or else of
// surge.yaml in dir, and returns the rest of that file. Flags named in skip are not taken from the file. An empty dir
// stands for no file.
func (a *app) configure(cmd *cobra.Command, dir string, skip ...string) (*kernelConfig, error) {
	cfg := &kernelConfig{}
	v := viper.New()
	if dir != "" {
		var err error
		if cfg, err = readConfig(filepath.Join(dir, configName)); err != nil {
			return nil, err
		}
		for _, name := range skip {
			delete(cfg.settings, name)
		}
		if err := v.MergeConfigMap(cfg.settings); err != nil {
			return nil, err
		}
	}
	v.SetEnvPrefix("surge")
	v.SetEnvKeyReplacer(strings.NewReplacer("-", "_"))
	v.AutomaticEnv()
	var failed error
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if failed != nil || f.Changed || f.Name == "help" || !v.IsSet(f.Name) {
			return
		}
		values := []string{v.GetString(f.Name)}
		if f.Value.Type() == "stringArray" {
			values = v.GetStringSlice(f.Name)
		}
		for _, value := range values {
			if err := f.Value.Set(value); err != nil {
				failed = cfg.wrongValue(cmd, f, value, err)
				return
			}
		}
	})
	if failed != nil {
		return nil, failed
	}
	if a.device != "" { // for what looks for a device here, and in the programs that run kernels
		if err := os.Setenv(envName("device"), a.device); err != nil {
			return nil, err
		}
	}
	for _, t := range codegen.Targets() {
		if x, ok := t.(target.Extension); ok {
			if err := x.CheckEnvironment(); err != nil {
				return nil, usage(cmd, problem{Code: "config", What: err.Error(), Fix: "correct or unset it"})
			}
		}
	}
	return cfg, a.checkPlatform(cmd, cfg)
}

func envName(flag string) string {
	return "SURGE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// wrongValue is the error for a value that did not come from the command line: wrong usage if it came from the
// environment, whose variables stand for flags.
func (c *kernelConfig) wrongValue(cmd *cobra.Command, f *pflag.Flag, value string, err error) error {
	want := map[string]string{"bool": "true or false", "int": "a whole number", "duration": "a time such as 30s or 2m"}[f.Value.Type()]
	if want == "" {
		want = err.Error()
	}
	if env := envName(f.Name); os.Getenv(env) != "" {
		return usage(cmd, problem{Code: "config", What: fmt.Sprintf("the environment variable %s is %q, and --%s takes %s", env, value, f.Name, want), Fix: "correct or unset it"})
	}
	return c.at(f.Name, problem{Code: "config", What: fmt.Sprintf("%s is %q, and takes %s", f.Name, value, want)})
}

// wrongFlag is the error for a flag's value that is of its type and yet wrong, named as the user gave it.
func (c *kernelConfig) wrongFlag(cmd *cobra.Command, flag, what string) error {
	f := cmd.Flags().Lookup(flag)
	env := envName(flag)
	switch _, inFile := c.keys[flag]; {
	case f != nil && f.Changed:
	case os.Getenv(env) != "":
		return usage(cmd, problem{Code: "config", What: "the environment variable " + env + " is " + what, Fix: "correct or unset it"})
	case inFile:
		return c.at(flag, problem{Code: "config", What: flag + " is " + what})
	}
	return usage(cmd, problem{Code: "usage", What: "--" + flag + " is " + what})
}

// at puts a problem to the place of a key.
func (c *kernelConfig) at(key string, p problem) problem {
	if e, ok := c.keys[key]; ok {
		p.File, p.Line, p.Col = c.Path, e.Line, e.Col
	}
	return p
}

// checkPlatform refuses the name of a platform that surge does not have. The names are surge's own and not the
// user's, so that a wrong one is wrong usage, but for one in surge.yaml.
func (a *app) checkPlatform(cmd *cobra.Command, cfg *kernelConfig) error {
	if slices.Contains(platformNames(), a.platform) {
		return nil
	}
	p := unknown("unknown-platform", "platform", a.platform, platformNames())
	if cmd.Flags().Changed("platform") || os.Getenv(envName("platform")) != "" {
		return usage(cmd, p)
	}
	return cfg.at("platform", p)
}

// maxConfigBytes is the size of the largest surge.yaml that is read.
const maxConfigBytes = 1 << 20

// readConfig reads surge.yaml. A file that does not exist is an empty one.
func readConfig(path string) (*kernelConfig, error) {
	c := &kernelConfig{settings: map[string]any{}, keys: map[string]input.Entry{}}
	text, err := input.ReadFile(path, maxConfigBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist), isNotDir(path):
		return c, nil
	case err != nil:
		return nil, problem{File: path, Code: "config", What: err.Error()}
	}
	c.Path = path
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, c.syntax(err)
	}
	if len(doc.Content) == 0 {
		return c, nil
	}
	return c, c.read(doc.Content[0])
}

// isNotDir reports whether the directory is none: package load says that better than a file that cannot be read.
func isNotDir(path string) bool {
	info, err := os.Stat(filepath.Dir(path))
	return err != nil || !info.IsDir()
}

var yamlLine = regexp.MustCompile(`^line (\d+): (.*)$`)

func (c *kernelConfig) syntax(err error) problem {
	p := problem{File: c.Path, Code: "config", What: strings.TrimPrefix(err.Error(), "yaml: "),
		Fix: "it is YAML: NAME: VALUE, one a line; below data: and bind: indented by two blanks; quotes around values with \": \" or \" #\""}
	if m := yamlLine.FindStringSubmatch(p.What); m != nil {
		p.Line, _ = strconv.Atoi(m[1])
		p.What = m[2]
	}
	return p
}

func (c *kernelConfig) wrong(n *yaml.Node, what, fix string) problem {
	return problem{File: c.Path, Line: n.Line, Col: n.Column, Code: "config", What: what, Fix: fix}
}

func (c *kernelConfig) read(root *yaml.Node) error {
	return c.eachKey(root, "the file", func(key, value *yaml.Node) error {
		var err error
		switch name := key.Value; {
		case name == "data":
			c.Data, err = c.mapping(value, "data", "an input: a file or gen:…")
		case name == "bind":
			c.Bind, err = c.mapping(value, "bind", "an expression such as A.values, 32768 or random(A.cols)")
		case name == "train":
			err = c.readTrain(value)
		case slices.Contains(fileFlags, name):
			c.keys[name] = c.entry(key, value)
			var setting any
			if err := value.Decode(&setting); err != nil {
				return c.wrong(value, err.Error(), "")
			}
			if _, nested := setting.(map[string]any); nested || setting == nil {
				return c.wrong(value, name+" has no single value", "write "+name+": VALUE")
			}
			c.settings[name] = setting
		default:
			p := unknown("config", "key", name, append([]string{"data", "bind", "train"}, fileFlags...))
			p.File, p.Line, p.Col = c.Path, key.Line, key.Column
			return p
		}
		return err
	})
}

// mapping reads names with their text. Numbers and booleans are text here: they are expressions.
func (c *kernelConfig) mapping(n *yaml.Node, what, want string) ([]input.Entry, error) {
	var all []input.Entry
	err := c.eachKey(n, what, func(key, value *yaml.Node) error {
		if value.Kind != yaml.ScalarNode || value.Tag == "!!null" {
			return c.wrong(value, what+"."+key.Value+" is not a single value", "write "+key.Value+": and "+want)
		}
		all = append(all, c.entry(key, value))
		return nil
	})
	return all, err
}

// entry is a key with its value, at the place of the value.
func (c *kernelConfig) entry(key, value *yaml.Node) input.Entry {
	return input.Entry{Name: key.Value, Value: value.Value, File: c.Path, Line: value.Line, Col: value.Column}
}

func (c *kernelConfig) eachKey(n *yaml.Node, what string, visit func(key, value *yaml.Node) error) error {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		return c.wrong(n, what+" is not a map of names to values", "write NAME: VALUE, one a line")
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Kind != yaml.ScalarNode {
			return c.wrong(key, "a key is not a name", "write NAME: VALUE, one a line")
		}
		if seen[key.Value] {
			return c.wrong(key, "the key "+key.Value+" stands there twice", "remove one of them")
		}
		seen[key.Value] = true
		if value.Kind == yaml.AliasNode {
			value = value.Alias
		}
		if err := visit(key, value); err != nil {
			return err
		}
	}
	return nil
}

// split cuts NAME=VALUE of a flag that may be given several times.
func split(cmd *cobra.Command, flag string, pairs []string, example string) ([]input.Entry, error) {
	var all []input.Entry
	for _, pair := range pairs {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" || value == "" {
			return nil, usage(cmd, problem{Code: "usage", What: fmt.Sprintf("--%s %q is not NAME=VALUE", flag, pair),
				Fix: "for example --" + flag + " " + example})
		}
		if slices.ContainsFunc(all, func(e input.Entry) bool { return e.Name == name }) {
			return nil, usage(cmd, problem{Code: "usage", What: fmt.Sprintf("--%s gives %s twice", flag, name)})
		}
		all = append(all, input.Entry{Name: name, Value: value})
	}
	return all, nil
}

func flagNames(cmd *cobra.Command) []string {
	var all []string
	add := func(f *pflag.Flag) {
		if !slices.Contains(all, f.Name) {
			all = append(all, f.Name)
		}
	}
	cmd.Flags().VisitAll(add)
	cmd.InheritedFlags().VisitAll(add)
	return all
}

package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/selector/param"
)

// parameterPackages have kernels that, together, have every parameter of every platform.
var parameterPackages = []string{
	"examples/reduction", "examples/scan", "examples/spmv", "examples/kmeans", "examples/comd", "bench/kernels",
}

// needVectors are the parameters that no variant has on a machine without vectors.
var needVectors = []*param.Key{&param.VectorWidth.Key, &param.Tile.Key, &param.TileAlgo.Key}

// inspected is what surge inspect prints for a package of the module, and its exit code.
func inspected(pkg string, args ...string) (out, errors string, code int) {
	var o, e bytes.Buffer
	code = execute(append([]string{"inspect", "../../" + pkg}, args...), &o, &e)
	return o.String(), e.String(), code
}

// TestEveryParameter gives every parameter of every platform values on the command line: each that a variant has, and
// some that none can have.
func TestEveryParameter(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes the variants of all packages: make test-long runs it")
	}
	done := map[*policy.Parameter]bool{}
	for _, pkg := range parameterPackages {
		out, errors, code := inspected(pkg, "--platform", platformAll, "--variants", "--json")
		if code != exitDone {
			t.Fatalf("%s: %s", pkg, errors)
		}
		var all []listedVariant
		if err := json.Unmarshal([]byte(out), &all); err != nil {
			t.Fatal(err)
		}
		for _, target := range codegen.Targets() {
			platform := target.Platform()
			var right []string             // texts that name a variant
			wrong := map[string][]string{} // settings that none has, with what the message has to say
			for i := range platform.Parameters {
				p := &platform.Parameters[i]
				name, values := settingsOf(all, platform.Name, p)
				if name == "" || done[p] {
					continue
				}
				done[p] = true
				for _, value := range values {
					right = append(right, platform.Name+"/"+name+"="+value)
				}
				one := name + " is one of "
				wrong[name+"=sideways"] = append([]string{one}, values...)
				wrong[name+"=-1"] = wrong[name+"=sideways"]
				wrong[name+"="] = []string{"value of " + name, "is empty"}
				wrong[p.Name()+"x=1"] = []string{"has parameter " + p.Name() + "x; did you mean ", name}
				wrong[p.Name()+"_9="+values[0]] = []string{"has parameter " + p.Name() + "_9; did you mean "}
			}
			if len(right) > 0 {
				rightValues(t, pkg, platform.Name, right)
				wrongValues(t, pkg, platform.Name, wrong)
			}
		}
	}
	for _, target := range codegen.Targets() {
		m := codegen.Machine(true, []string{target.Platform().Name})
		for i, p := range target.Platform().Parameters {
			if !done[&target.Platform().Parameters[i]] && (m.NoLanes == "" || !slices.Contains(needVectors, p.Key)) {
				t.Errorf("no kernel has the parameter %s of %s", p.Name(), target.Platform().Name)
			}
		}
	}
}

// settingsOf finds the outermost level at which variants of a platform have a parameter: the name of the setting, and
// its values.
func settingsOf(all []listedVariant, platform string, p *policy.Parameter) (name string, values []string) {
	for depth := 0; depth < 4 && name == ""; depth++ {
		for _, v := range all {
			value, ok := v.Policy[p.SettingName(depth)]
			if v.Platform == platform && ok && !slices.Contains(values, value) {
				name, values = p.SettingName(depth), append(values, value)
			}
		}
	}
	return name, values
}

// rightValues demands that each text names a variant which has the setting.
func rightValues(t *testing.T, pkg, platform string, texts []string) {
	args := []string{"--platform", platform, "--json"}
	for _, text := range texts {
		args = append(args, "--variant", text)
	}
	out, errors, code := inspected(pkg, args...)
	var shown []listedVariant
	if err := json.Unmarshal([]byte(out), &shown); code != exitDone || err != nil {
		t.Fatalf("%s: %v %s", strings.Join(args, " "), err, errors)
	}
	for _, text := range texts {
		name, value, _ := strings.Cut(strings.TrimPrefix(text, platform+"/"), "=")
		if !slices.ContainsFunc(shown, func(v listedVariant) bool { return v.Policy[name] == value }) {
			t.Errorf("%s: --variant %s shows no variant with it", pkg, text)
		}
	}
}

// wrongValues demands one message for each mistake, with what there is instead.
func wrongValues(t *testing.T, pkg, platform string, mistakes map[string][]string) {
	args := []string{"--platform", platform, "--json"}
	texts := slices.Sorted(maps.Keys(mistakes))
	for _, text := range texts {
		args = append(args, "--variant", text)
	}
	out, errors, code := inspected(pkg, args...)
	var said struct{ Errors []problem }
	if err := json.Unmarshal([]byte(errors), &said); code != exitUser || out != "" || err != nil || len(said.Errors) != len(texts) {
		t.Fatalf("%s: exit code %d, %d messages about %d mistakes: %v\n%s%s", strings.Join(args, " "), code, len(said.Errors), len(texts), err, out, errors)
	}
	for i, text := range texts {
		p := said.Errors[i]
		message := p.What + "; " + p.Fix
		if p.Code != "unknown-variant" || !strings.Contains(message, text) {
			t.Errorf("%s: the message is about something else: %s", text, p)
		}
		for _, w := range mistakes[text] {
			if !strings.Contains(message, w) {
				t.Errorf("%s: the message does not say %q: %s", text, w, message)
			}
		}
	}
}

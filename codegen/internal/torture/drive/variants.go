package drive

import (
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
)

// variants lists the variants to run for each computation of an algorithm: every code with two or three launches.
func (d *driver) variants(algorithm *exec.Kernel) ([][]string, error) {
	var all [][]string
	for _, c := range algorithm.Computations {
		codes, err := c.Available()
		if err != nil {
			return nil, err
		}
		if len(codes) == 0 {
			return nil, errors.New("no code of " + c.Name + " can run")
		}
		var texts []string
		for _, code := range codes {
			d.totals.Codes++
			for j, ls := range launches(code, int(Hash(0, code.Variant)%(1<<16))) {
				v, err := selector.FillLaunch(code, 3, ls...)
				if err != nil {
					if j == 0 {
						return nil, err
					}
					continue
				}
				texts = append(texts, v.String())
			}
		}
		d.totals.Variants += len(texts)
		all = append(all, texts)
	}
	return all, nil
}

// Hash is a number of a variant that other variants, and the name of the kernel, do not change: what it decides is
// the same when a kernel is run again, alone and under another name.
func Hash(seed uint64, v selector.Variant) uint64 {
	h := fnv.New64a()
	_, text, _ := strings.Cut(v.String(), ".")
	fmt.Fprint(h, seed, text)
	return h.Sum64()
}

// launches are settings for a code: nothing if it has no launch parameters.
func launches(code selector.Code, number int) [][]selector.Setting {
	if len(code.Launch) == 0 {
		return [][]selector.Setting{nil}
	}
	if _, ok := code.Get("num_threads"); !ok && slices.ContainsFunc(code.Launch, func(l selector.Launch) bool { return strings.HasPrefix(l.Name, "block_size") }) {
		return [][]selector.Setting{workgroups(code, number)}
	}
	make := func(threads, schedule string, chunk int) []selector.Setting {
		var out []selector.Setting
		for _, l := range code.Launch {
			switch {
			case param.NumThreads.Is(selector.Setting{Name: l.Name}):
				out = append(out, selector.Setting{Name: l.Name, Value: threads})
			case strings.HasPrefix(l.Name, "omp_schedule") && slices.Contains(l.Values, schedule):
				out = append(out, selector.Setting{Name: l.Name, Value: schedule})
			case strings.HasPrefix(l.Name, "chunk_size"), param.SharedChunk.Is(selector.Setting{Name: l.Name}):
				out = append(out, selector.Setting{Name: l.Name, Value: strconv.Itoa(chunk)})
			}
		}
		return out
	}
	sets := [][]selector.Setting{make("3", "dynamic", 2), make("1", "static", 0), make("3", "guided", 1), make("3", "static", 5), make("2", "static", 0),
		make("3", "dynamic", 17)}
	return [][]selector.Setting{sets[0], sets[1+number%5]}
}

// workgroups are settings of a code that is launched in workgroups. Counters for digits of 8 bits take 1 KB of local
// memory a work-item: more than 32 of them no device has to run.
func workgroups(code selector.Code, number int) []selector.Setting {
	block, warp, grain := 32<<(number%3), []string{"4", "16", "2", "32"}[number%4], []string{"1", "2", "4"}[number%3]
	if slices.ContainsFunc(code.Policy, func(s selector.Setting) bool { return param.SortRadixBits.Is(s) && param.SortRadixBits.Value(s) == 8 }) {
		block = 32
	}
	var out []selector.Setting
	for _, l := range code.Launch {
		value := ""
		switch {
		case l.Name == "block_size_x":
			value = strconv.Itoa(block)
		case l.Name == "block_size_y":
			value = "1"
		case l.Name == "logical_warp_size":
			value = warp
		case strings.HasPrefix(l.Name, "grain_size"):
			value = grain
		default:
			continue
		}
		out = append(out, selector.Setting{Name: l.Name, Value: value})
	}
	return out
}

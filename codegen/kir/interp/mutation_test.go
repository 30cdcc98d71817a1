package interp_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/interp"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/ops/ir/eval"
)

// mutation is a mistake that is made in one line of a text.
type mutation struct {
	name string
	line *regexp.Regexp
	to   string
}

var mutations = []mutation{
	{"no barrier", regexp.MustCompile(`^( *)barrier.*$`), ""},
	{"no store", regexp.MustCompile(`^( *)\w+\[.*\] = .*$`), ""},
	{"a store at the next element", regexp.MustCompile(`^( *\w+)\[(.*)\] = (.*)$`), "$1[($2 + 1)] = $3"},
	{"a load of the next element", regexp.MustCompile(`^( *\w+: \w+ = \w+)\[(.*)\]$`), "$1[($2 + 1)]"},
	{"a condition that always holds", regexp.MustCompile(`^( *)if .* {$`), "${1}if (0 == 0) {"},
	{"a loop that ends early", regexp.MustCompile(`^( *stride \w+ = .*) to (\S+) step (.*)$`), "$1 to ($2 - 1) step $3"},
	{"a loop that begins late", regexp.MustCompile(`^( *stride \w+ =) (.*) to (.*)$`), "$1 ($2 + 1) to $3"},
}

// TestMutations makes mistakes in code that is right, one at a time, and sees each of them found. Only the barrier
// behind the reads of the seeds may go: what a work-item writes next is the element that it alone has read.
func TestMutations(t *testing.T) {
	for _, policy := range []string{"raking,block_scan_grain_size_1=1,in_flight_1=1", "hillis_steele,block_scan_grain_size_1=4,in_flight_1=1",
		"blelloch,block_scan_grain_size_1=4,in_flight_1=1"} {
		t.Run(policy, func(t *testing.T) {
			d := device(t, strings.ReplaceAll(hashes, "KIND", "scan"), "Hashes.1/nest/cooperative/opencl/execution_resource_1=group,block_scan_algo_1="+policy)
			lines := strings.Split(d.String(), "\n")
			if err := wrongHashes(d); err != nil {
				t.Fatal(err)
			}
			made := 0
			for _, m := range mutations {
				for i, line := range lines {
					if !m.line.MatchString(line) || m.to == "" && strings.Contains(lines[i-1], "seed2: int = ") {
						continue
					}
					changed := append([]string{}, lines...)
					changed[i] = m.line.ReplaceAllString(line, m.to)
					text := strings.ReplaceAll(strings.Join(changed, "\n"), "\n\n", "\n")
					mutant, err := kir.ParseDevice(text)
					if err != nil {
						t.Fatalf("%s: %v\n%s", m.name, err, text)
					}
					made++
					if err := wrongHashes(mutant); err == nil {
						t.Errorf("line %d, %s: %s", i+1, line, m.name)
					}
				}
			}
			t.Logf("%d mistakes", made)
		})
	}
}

// wrongHashes runs a scan of hashes in several ways, and returns the first error.
func wrongHashes(d *kir.Device) error {
	for _, items := range []int{4, 8} {
		for i, n := range []int{1, 9, 40, 67} {
			for order := range interp.Order(3) {
				f, want := hashed(n, false)
				if err := interp.Device(d, f, interp.Options{Items: items, Order: order, Seed: uint64(n), Steps: 1e5, Blockwise: i%2 == 0}); err != nil {
					return err
				}
				weight := eval.Int(1)
				for k, h := range want {
					weight = eval.Binary(ir.Mul, weight, eval.Int(31))
					if f.Arrays["h"].Data[k] != h || f.Arrays["w_"].Data[k] != weight {
						return errors.New("another result")
					}
				}
			}
		}
	}
	return nil
}

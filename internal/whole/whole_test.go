package whole

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/ops/load"
)

// kernels are all kernels, each with what runs it.
var kernels = map[string][2]any{
	"Distinct": {Distinct, RunDistinct}, "Commonest": {Commonest, RunCommonest}, "Roots": {Roots, RunRoots}, "Heights": {Heights, RunHeights},
	"Accounts": {Accounts, RunAccounts}, "Divided": {Divided, RunDivided}, "Found": {Found, RunFound}, "Sorted": {Sorted, RunSorted},
	"Before": {Before, RunBefore}, "Shifted": {Shifted, RunShifted}, "SharedRow": {SharedRow, RunSharedRow}, "Remembered": {Remembered, RunRemembered},
	"Counted": {Counted, RunCounted}, "Random": {Random, RunRandom}, "First": {First, RunFirst}, "Pointed": {Pointed, RunPointed}, "Summed": {Summed, RunSummed},
	"Passed": {Passed, RunPassed}, "Keyed": {Keyed, RunKeyed}, "Hidden": {Hidden, RunHidden}, "Skipped": {Skipped, RunSkipped},
	"Elsewhere": {Elsewhere, RunElsewhere}, "Groups": {Groups, RunGroups}, "Crossed": {Crossed, RunCrossed}, "Replaced": {Replaced, RunReplaced},
	"Ends": {Ends, RunEnds}, "Doubled": {Doubled, RunDoubled}, "Joined": {Joined, RunJoined}, "Chained": {Chained, RunChained}, "Folded": {Folded, RunFolded},
	"Methods": {Methods, RunMethods}, "Filled": {Filled, RunFilled}, "Tallied": {Tallied, RunTallied}, "Reused": {Reused, RunReused},
	"Advanced": {Advanced, RunAdvanced}, "Hoarded": {Hoarded, RunHoarded}, "Diffused": {Diffused, RunDiffused}, "Grown": {Grown, RunGrown},
	"Gathered": {Gathered, RunGathered}, "Mixed": {Mixed, RunMixed}, "Exchanged": {Exchanged, RunExchanged}, "Rotated": {Rotated, RunRotated},
	"Recalled": {Recalled, RunRecalled}, "Pointing": {Pointing, RunPointing}, "Asked": {Asked, RunAsked},
	"Ringed": {Ringed, RunRinged}, "Overlapped": {Overlapped, RunOverlapped}, "Same": {Same, RunSame},
	"Wandering": {Wandering, RunWandering}, "Broken": {Broken, RunBroken},
	"Postponed": {Postponed, RunPostponed}, "Counting": {Counting, RunCounting},
	"Regarded": {Regarded, RunRegarded}, "Returned": {Returned, RunReturned},
	"Rewritten": {Rewritten, RunRewritten}, "Roomy": {Roomy, RunRoomy}, "Reading": {Reading, RunReading},
	"Beyond": {Beyond, RunBeyond}, "Latest": {Latest, RunLatest}, "Capacities": {Capacities, RunCapacities},
	"Referred": {Referred, RunReferred}, "Doubles": {Doubles, RunDoubles}, "Integers": {Integers, RunIntegers},
	"Typed": {Typed, RunTyped}, "Shadowed": {Shadowed, RunShadowed},
	"Summing": {Summing, RunSumming}, "Shown": {Shown, RunShown}, "Lent": {Lent, RunLent},
	"Shifting": {Shifting, RunShifting}, "Room": {Room, RunRoom}, "Twofold": {Twofold, RunTwofold},
	"Stale": {Stale, RunStale}, "Bracketed": {Bracketed, RunBracketed}, "Receiving": {Receiving, RunReceiving},
	"Later": {Later, RunLater}, "Passing": {Passing, RunPassing}, "Measured": {Measured, RunMeasured},
	"Steps":   {Steps, RunSteps},
	"Stepped": {Stepped, RunStepped}, "Emptied": {Emptied, RunEmptied}, "Cleared": {Cleared, RunCleared}, "Keyring": {Keyring, RunKeyring},
	"Lasting": {Lasting, RunLasting}, "Carried": {Carried, RunCarried}, "Handed": {Handed, RunHanded}, "Named": {Named, RunNamed},
	"Counts": {Counts, RunCounts}, "Capped": {Capped, RunCapped}, "Numbered": {Numbered, RunNumbered}, "Weights": {Weights, RunWeights},
	"Twice": {Twice, RunTwice}, "Partial": {Partial, RunPartial}, "Indexed": {Indexed, RunIndexed}, "Stepwise": {Stepwise, RunStepwise},
}

// TestParallel checks which kernels have parallel loops: those of parallel.go, and no others.
func TestParallel(t *testing.T) {
	pkg, err := load.Load(t.Context(), ".", load.Options{Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range pkg.Kernels {
		if len(k.Whole) == 0 {
			t.Errorf("%s does not run as it stands", k.Name)
		}
		if parallel := strings.Contains(k.Pos.File, "parallel"); (k.Parallel != nil) != parallel {
			t.Errorf("%s has parallel loops: %v", k.Name, k.Parallel)
		}
		if _, ok := kernels[k.Name]; !ok {
			t.Errorf("%s is not tested", k.Name)
		}
	}
}

// TestAgree runs all kernels against plain Go.
func TestAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for name, k := range kernels {
		for _, n := range []int{0, 1, 2, 3, 50, 1500} {
			for range max(3-n/500, 1) {
				plain := reflect.ValueOf(k[0])
				var args []reflect.Value
				for i := range plain.Type().NumIn() {
					args = append(args, argument(r, plain.Type().In(i), n))
				}
				want := call(plain, args)
				for _, threads := range []int{1, 2, 5} {
					given := slices.Concat([]reflect.Value{reflect.ValueOf(context.Background())}, args, []reflect.Value{reflect.ValueOf(exec.Threads(threads))})
					got := call(reflect.ValueOf(k[1]), given)
					failed := got[len(got)-1] // the error
					if plain.Type().NumOut() == 0 || plain.Type().Out(plain.Type().NumOut()-1).String() != "error" {
						got = got[:len(got)-1]
					}
					if panicked, ok := want[0].(panicked); ok {
						if failed == nil || !strings.Contains(failed.(error).Error(), string(panicked)) {
							t.Errorf("%s of %d, %d threads: %v, want a panic: %v", name, n, threads, failed, panicked)
						}
						continue
					}
					if !reflect.DeepEqual(got, want) {
						t.Errorf("%s of %d, %d threads: %v, want %v", name, n, threads, short(got), short(want))
					}
				}
			}
		}
	}
}

func short(x any) string {
	s := fmt.Sprint(x)
	return s[:min(len(s), 200)]
}

type panicked string

func call(f reflect.Value, args []reflect.Value) (out []any) {
	defer func() {
		if p := recover(); p != nil {
			out = []any{panicked(fmt.Sprint(p))}
		}
	}()
	for _, v := range f.Call(args) {
		out = append(out, v.Interface())
	}
	return out
}

// argument makes an argument: few of the values are negative, or 7.
func argument(r *rand.Rand, t reflect.Type, n int) reflect.Value {
	value := func() int {
		if r.IntN(20000) == 0 {
			return -r.IntN(5)
		}
		return 8 + r.IntN(40)
	}
	switch t.String() {
	case "[][]int":
		rows := make([][]int, n)
		for i := range rows {
			rows[i] = make([]int, r.IntN(30))
			for j := range rows[i] {
				rows[i][j] = value()
			}
		}
		return reflect.ValueOf(rows)
	case "[]string":
		texts := make([]string, n)
		for i := range texts {
			texts[i] = strings.Repeat(string(rune('a'+r.IntN(26))), r.IntN(9))
		}
		return reflect.ValueOf(texts)
	}
	if t.Kind() == reflect.Bool {
		return reflect.ValueOf(r.IntN(2) == 0)
	}
	return reflect.ValueOf(value() - 2*r.IntN(2)*value())
}

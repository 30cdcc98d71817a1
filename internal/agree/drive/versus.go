package drive

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/selector"
)

// Versus are the times of a kernel on one input, on the host's platform and on another one, in nanoseconds a run of
// what is bound, with at most so many threads. Both are measured in turns, one after the other.
type Versus struct {
	Kernel                    string
	N, Threads                int
	Host, Other               float64 // the least of all turns
	Median                    float64 // of the turns' ratios: how much faster the other platform is
	HostVariant, OtherVariant []string
	Failed                    string // why nothing was measured, if so
}

// versusTurns is how many turns there are. The first to run in a turn changes from turn to turn.
const versusTurns = 9

// Faster is how much faster the other platform is, by the least times.
func (v *Versus) Faster() float64 { return v.Host / v.Other }

// Compare times all kernels that were added on the host's platform and another one, by the choice without training,
// and writes [Versus] a line to out.
func Compare(out *os.File, platform string, lengths []int) {
	lines := json.NewEncoder(out)
	for i := range kernels {
		for _, n := range lengths {
			for threads := range 2 {
				lines.Encode(kernels[i].versus(platform, n, threads+1))
			}
		}
	}
}

func (k *Kernel) versus(platform string, n, threads int) (v Versus) {
	v = Versus{Kernel: k.Name, N: n, Threads: threads, Host: math.Inf(1), Other: math.Inf(1)}
	args := k.Inputs.(func(int, *rand.Rand) []any)(n, rand.New(rand.NewPCG(1, uint64(n))))
	var all []*timed
	for i, p := range []string{selector.Host, platform} {
		b, err := k.Bind(args, exec.Threads(threads), exec.Platform(p))
		if err == nil {
			err = b.Run() // which tells the variants of computations whose input another one makes
		}
		if err != nil {
			v.Failed = p + ": " + err.Error()
			return v
		}
		all = append(all, &timed{repeat(b.Run), 1, []*float64{&v.Host, &v.Other}[i], nil})
		for _, d := range b.Decisions() {
			_, variant, _ := strings.Cut(d.Variant.String(), "/nest/")
			*[]*[]string{&v.HostVariant, &v.OtherVariant}[i] = append(*[]*[]string{&v.HostVariant, &v.OtherVariant}[i], variant)
		}
	}
	if failed := attempt(func() error { return calibrate(all) }); failed != nil {
		v.Failed = failed.Error()
		return v
	}
	start := time.Now()
	var ratios []float64
	for turn := 0; turn < versusTurns && (turn < 3 || time.Since(start) < limit); turn++ {
		runtime.GC()
		var took [2]float64
		for k := range all {
			i := (k + turn) % len(all)
			d, _, err := once(all[i])
			if err != nil {
				v.Failed = err.Error()
				return v
			}
			took[i] = d / float64(all[i].count)
			*all[i].least = min(*all[i].least, took[i])
		}
		ratios = append(ratios, took[0]/took[1])
	}
	slices.Sort(ratios)
	v.Median = ratios[len(ratios)/2]
	return v
}

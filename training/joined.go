package training

import (
	"math"
)

// recordings returns which recording each line belongs to, from 0, and how many there are: files may have been joined
// into one. A recording of an input begins with the line that introduces it. One that only adds features begins
// another recording too, which does no harm, as its comparisons continue.
func recordings(all []record) (part []int, parts int) {
	introduced := map[inputKey]int{}
	for i := range all {
		r := &all[i]
		key := inputKey{r.Hash, r.Device, r.Computation, r.Input}
		if r.Variant == "" && r.Done == 0 {
			introduced[key]++
		}
		part = append(part, max(introduced[key]-1, 0))
		parts = max(parts, part[i]+1)
	}
	return part, parts
}

// renumber gives the comparisons of a recording numbers of their own where an earlier one has timed the same round of
// the same variant: both count from 1, and only variants that took turns with each other are comparable. Without such
// a round it continues what the earlier one began.
func (m *Measurements) renumber(all []record) {
	finals, duels := map[inputKey]int{}, map[inputKey]int{} // what to add
	timed := func(times []float64, round int) bool {
		return round >= 1 && round <= len(times) && !math.IsNaN(times[round-1])
	}
	for i := range all {
		r := &all[i]
		key := inputKey{r.Hash, r.Device, r.Computation, r.Input}
		in := m.inputs[key]
		if in == nil || in.variants[r.Variant] == nil {
			continue
		}
		switch v := in.variants[r.Variant]; {
		case r.Duel > 0 && r.Duel <= v.duels && timed(v.duel, r.Round):
			duels[key] = in.duels
		case r.Duel == 0 && r.Final > 0 && r.Final <= v.number && timed(v.final, r.Round):
			finals[key] = in.finals
		}
	}
	for i := range all {
		r := &all[i]
		key := inputKey{r.Hash, r.Device, r.Computation, r.Input}
		switch {
		case r.Duel > 0:
			r.Duel += duels[key]
		case r.Final > 0:
			r.Final += finals[key]
		}
	}
}

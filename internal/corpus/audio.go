// Audio synthesis

package corpus

import "math"

// Note is a note of a score.
type Note struct {
	Start, Length int
	Pitch         uint8
	Velocity      float32
}

// Envelope has times in samples.
type Envelope struct {
	Attack, Decay, Release int
	Sustain                float32
}

func (e Envelope) level(at, length int) float32 {
	switch {
	case at < 0:
		return 0
	case at < e.Attack:
		return float32(at) / float32(e.Attack)
	case at < e.Attack+e.Decay:
		return 1 - (1-e.Sustain)*float32(at-e.Attack)/float32(e.Decay)
	case at < length:
		return e.Sustain
	case at < length+e.Release:
		return e.Sustain * (1 - float32(at-length)/float32(e.Release))
	}
	return 0
}

func (n Note) hertz() float64 { return 440 * math.Pow(2, (float64(n.Pitch)-69)/12) }

// Synthesize plays notes into a buffer.
//
//surge:kernel
func Synthesize(notes []Note, env Envelope, rate float64, samples int) []float32 {
	out := make([]float32, samples)
	for _, n := range notes {
		step := 2 * math.Pi * n.hertz() / rate
		end := min(n.Start+n.Length+env.Release, samples)
		for t := max(n.Start, 0); t < end; t++ {
			at := t - n.Start
			phase := step * float64(at)
			out[t] += n.Velocity * env.level(at, n.Length) * float32(math.Sin(phase)+0.3*math.Sin(2*phase))
		}
	}
	peak := float32(0)
	for _, v := range out {
		peak = max(peak, v, -v)
	}
	if peak > 1 {
		for i := range out {
			out[i] /= peak
		}
	}
	return out
}

// Scale is a musical scale by its pitch classes.
type Scale [7]int

var modes = map[string]Scale{
	"ionian":  {0, 2, 4, 5, 7, 9, 11},
	"dorian":  {0, 2, 3, 5, 7, 9, 10},
	"aeolian": {0, 2, 3, 5, 7, 8, 10},
}

// KeyOf returns which key of major scales fits each bar of notes best, and how many notes do not fit.
//
//surge:kernel
func KeyOf(bars [][]uint8) (keys []int, misses []int) {
	keys = make([]int, len(bars))
	misses = make([]int, len(bars))
	major := modes["ionian"]
	for i, bar := range bars {
		best, fewest := 0, len(bar)+1
		for key := 0; key < 12; key++ {
			var in [12]bool
			for _, p := range major {
				in[(key+p)%12] = true
			}
			miss := 0
			for _, p := range bar {
				if !in[p%12] {
					miss++
				}
			}
			if miss < fewest {
				best, fewest = key, miss
			}
		}
		keys[i], misses[i] = best, fewest
	}
	return
}

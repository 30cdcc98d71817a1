// Structs

package constructs

import "slices"

type delay struct {
	line     []float64
	at       int
	feedback float64
}

func newDelay(n int, feedback float64) delay {
	return delay{line: make([]float64, n), feedback: feedback}
}

func (d *delay) next(x float64) float64 {
	y := d.line[d.at]
	d.line[d.at] = x + d.feedback*y
	if d.at++; d.at == len(d.line) {
		d.at = 0
	}
	return y
}

type room struct {
	combs [3]delay
	wet   float64
}

func newRoom(size int) *room {
	r := &room{wet: 0.5}
	for i := range r.combs {
		r.combs[i] = newDelay(size+2*i, 0.25)
	}
	return r
}

func (r *room) next(x float64) float64 {
	sum := 0.0
	for i := range r.combs {
		sum += r.combs[i].next(x)
	}
	return x*(1-r.wet) + sum*r.wet
}

// Echoed adds echoes.
//
// Construct: an array of structs with slices in a struct, made in a loop: r.combs[i] = newDelay(n)
//
//surge:kernel
func Echoed(x []float64, size uint8) []float64 {
	r := newRoom(int(size%9) + 1)
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = r.next(v)
	}
	return out
}

// Delayed sends numbers through one delay after the other.
//
// Construct: an array of structs with slices that a literal makes; one is replaced: line[1].line = make(…)
//
//surge:kernel
func Delayed(rows [][]float64, size uint8) []float64 {
	out := make([]float64, len(rows))
	for i, row := range rows {
		line := [2]delay{newDelay(int(size%5)+1, 0.5), newDelay(3, -0.5)}
		line[1].line = make([]float64, int(size%7)+1)
		for _, x := range row {
			for k := range line {
				x = line[k].next(x)
			}
			out[i] += x
		}
	}
	return out
}

type recent struct {
	last [6]float64
	at   int
	sum  float64
}

func (r *recent) add(x float64) float64 {
	r.sum += x - r.last[r.at]
	r.last[r.at] = x
	if r.at++; r.at == len(r.last) {
		r.at = 0
	}
	return r.sum
}

// median is that of what is there: the struct is a copy.
func (r recent) median() float64 {
	slices.Sort(r.last[:])
	return (r.last[2] + r.last[3]) / 2
}

// Recently adds up the last numbers of rows, and has their median.
//
// Construct: a struct with an array of a few numbers, of which elements are assigned at indices that turns compute
//
//surge:kernel
func Recently(rows [][]float64) ([]float64, []float64) {
	sums, medians := make([]float64, len(rows)), make([]float64, len(rows))
	for i, row := range rows {
		var r recent
		for _, x := range row {
			sums[i] = max(sums[i], r.add(x))
		}
		medians[i] = r.median()
		r.last[len(row)%6]++
		sums[i] += r.last[0] + r.last[5]
	}
	return sums, medians
}

// Registers runs programs of a machine with eight registers, and says what the machines are in the end.
//
// Construct: such a struct as an element of the result, and assigned as a whole
//
//surge:kernel
func Registers(codes [][]uint8) []Machine {
	machines := make([]Machine, len(codes))
	for i, code := range codes {
		m := &machines[i]
		for at := 0; at+1 < len(code); at += 2 {
			from, to := code[at]&7, code[at+1]&7
			switch code[at] >> 6 {
			case 0:
				m.Reg[to] += m.Reg[from] + 1
			case 1:
				m.Reg[to] ^= m.Reg[from] << 1
			case 2:
				was := *m
				was.Reg[to] = int32(at)
				*m = was
			default:
				*m = Machine{Steps: m.Steps}
			}
			m.Steps++
		}
	}
	return machines
}

// Machine has registers, and counts what it has done.
type Machine struct {
	Reg   [8]int32
	Steps int
}

// Section is a part of a filter.
type Section struct{ A, B float64 }

type stage struct {
	Section
	z float64
}

type bank struct{ stages []stage }

func newBank(sections []Section) *bank {
	b := &bank{stages: make([]stage, 0, len(sections))}
	for _, s := range sections {
		b.stages = append(b.stages, stage{Section: s})
	}
	return b
}

func (b *bank) next(x float64) float64 {
	for i := range b.stages {
		s := &b.stages[i]
		x = s.A*x + s.z
		s.z = s.B*x - s.A*s.z
	}
	return x
}

// Banked runs each row through filters of its own.
//
// Construct: a function that makes a struct of what it is given, b := newBank(sections), before a row is made in a loop
//
//surge:kernel
func Banked(rows [][]float32, sections []Section) ([][]float32, []float64) {
	out, peaks := make([][]float32, len(rows)), make([]float64, len(rows))
	for i, row := range rows {
		b := newBank(sections)
		out[i] = make([]float32, len(row))
		for j, x := range row {
			y := b.next(float64(x) / 4)
			out[i][j] = float32(y)
			peaks[i] = max(peaks[i], y)
		}
	}
	return out, peaks
}

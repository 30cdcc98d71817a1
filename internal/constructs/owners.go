// Structs

package constructs

import "github.com/surge-ndp/surge/ops"

type quadratic struct {
	data []float64
	size int
}

func newQuadratic(size int) *quadratic {
	return &quadratic{data: make([]float64, size*size), size: size}
}

func (m quadratic) at(i, j int) float64 { return m.data[i*m.size+j] }

func (m *quadratic) set(i, j int, v float64) { m.data[i*m.size+j] = v }

func (m quadratic) times(o quadratic) quadratic {
	out := quadratic{data: make([]float64, len(m.data)), size: m.size}
	for i := range m.size {
		for j := range m.size {
			for k := range m.size {
				out.data[i*m.size+j] += m.at(i, k) * o.at(k, j)
			}
		}
	}
	return out
}

// Product multiplies matrices that it makes.
//
// Construct: structs with slices that the function made: methods update them, functions return them
//
//surge:kernel
func Product(x []float64, size int) []float64 {
	return ops.Map(func(v float64) float64 {
		m := newQuadratic(1 + size&3)
		for i := range m.size {
			m.set(i, i, v)
			m.set(0, i, 1)
		}
		m.data[0] /= 2
		p := m.times(*m)
		trace := 0.0
		for i := range p.size {
			trace += p.at(i, i)
		}
		return trace + p.at(0, p.size-1)
	}, x)
}

type pile struct {
	items []byte
	most  int
}

func (s *pile) push(v byte) {
	s.items = append(s.items, v)
	s.most = max(s.most, len(s.items))
}

func (s *pile) pop() byte {
	last := s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return last
}

// Unmatched matches characters by a stack.
//
// Construct: structs with slices that grow and shrink, made with a capacity
//
//surge:kernel
func Unmatched(lines []string) []int {
	return ops.Map(func(line string) int {
		s := &pile{items: make([]byte, 0, len(line))}
		for i := 0; i < len(line); i++ {
			switch c := line[i]; {
			case c%3 == 0:
				s.push(c)
			case c%3 == 1 && len(s.items) > 0:
				s.pop()
			}
		}
		sum := s.most
		for len(s.items) > 0 {
			sum += int(s.pop())
		}
		return sum
	}, lines)
}

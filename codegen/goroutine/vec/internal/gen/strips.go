package gen

import "fmt"

// A strip is an element type of the strip routines.
type strip struct{ vector }

// Name is the suffix of the routines, e.g. F64.
func (s strip) Name() string { return fmt.Sprintf("%s%d", s.Kind, s.Bits) }

// scanned are the element types of scans.
var scanned = []strip{{vector{"F", 64, 0}}, {vector{"F", 32, 0}}, {vector{"I", 64, 0}}, {vector{"I", 32, 0}}}

// declared is what the declarations of the strip routines range over: bytes of an element, bits of an index, element
// types of scans.
var declared = struct {
	W, I  []int
	Scans []strip
}{[]int{8, 4}, []int{32, 64}, scanned}

// A gather describes one strip gather; the suffixes 5 and 2 stand for AVX-512 and AVX2.
type gather struct {
	W, I, IB   int    // bytes of an element, bits and bytes of an index
	Op         string // instruction
	L5, L2     int    // elements a step
	X5, D5     string // registers of indexes and of elements
	X2, D2, M2 string // the same and of the mask
}

// gathers lists the strip gathers.
func gathers() []gather {
	var gs []gather
	for _, w := range declared.W {
		for _, i := range declared.I {
			g := gather{W: w, I: i, IB: i / 8, Op: "VGATHER"}
			wide := max(w, i/8) // what decides how many elements fit in a register
			g.L5, g.L2 = 64/wide, 32/wide
			g.Op += map[int]string{32: "D", 64: "Q"}[i] + map[int]string{4: "PS", 8: "PD"}[w]
			g.X5, g.D5 = reg(g.L5*i/8, 1), reg(g.L5*w, 0)
			g.X2, g.D2, g.M2 = reg(g.L2*i/8, 1), reg(g.L2*w, 0), reg(g.L2*w, 2)
			gs = append(gs, g)
		}
	}
	return gs
}

// reg is the name of vector register k with the given bytes.
func reg(bytes, k int) string {
	return fmt.Sprintf("%s%d", map[int]string{16: "X", 32: "Y", 64: "Z"}[bytes], k)
}

// dots describes the gathering dot products: bits and bytes of an element, instruction suffix, bytes of arguments,
// lanes and index registers with AVX-512 and with AVX2, and the number of terms below which the AVX2 way is faster
// than masks.
var dots = []struct {
	B, W, Args int
	S          string
	L5, L2     int
	X5, X2     string
	Short      int
}{
	{64, 8, 40, "D", 8, 4, "Y", "X", 8},
	{32, 4, 36, "S", 16, 8, "Z", "Y", 5},
}

// A scan describes one scan routine.
type scan struct {
	F, Portable, Elem       string
	B, W, L5, L2, Args, Ret int
	Ex, NT                  bool
	I                       string // suffix of integer instructions
	Add, Add1               string // addition of vectors and of single elements
	Mov, Load1, Store1      string
	Store, Store2           string
	Steps5                  []int // shifts of the AVX-512 steps
}

// scans lists the scan routines.
func scans() []scan {
	var ss []scan
	for _, t := range scanned {
		for _, ex := range []bool{true, false} {
			for _, nt := range []bool{false, true} {
				s := scan{Elem: t.Elem(), B: t.Bits, W: t.Size(), L5: 64 / t.Size(), L2: 32 / t.Size(), Args: 32 + t.Size(), Ret: 32, Ex: ex, NT: nt}
				base := map[bool]string{true: "scanEx", false: "scanIn"}[ex]
				s.Portable = base + t.Name() + "Portable"
				s.F = base + map[bool]string{true: "NT"}[nt] + t.Name()
				s.I = map[int]string{64: "Q", 32: "D"}[t.Bits]
				s.Mov = map[int]string{64: "MOVQ", 32: "MOVL"}[t.Bits]
				if t.Float() {
					k := map[int]string{64: "D", 32: "S"}[t.Bits]
					s.Add, s.Add1 = "VADDP"+k, "VADDS"+k
					s.Load1 = "VMOVS" + k
				} else {
					s.Add, s.Add1 = "VPADD"+s.I, "VPADD"+s.I
					s.Load1 = "VMOV" + s.I
				}
				s.Store1 = s.Load1
				s.Store, s.Store2 = "VMOVDQU64", "VMOVDQU"
				if nt {
					s.Store, s.Store2 = "VMOVNTDQ", "VMOVNTDQ"
				}
				for k := 1; k < s.L5; k *= 2 {
					s.Steps5 = append(s.Steps5, s.L5-k)
				}
				ss = append(ss, s)
			}
		}
	}
	return ss
}

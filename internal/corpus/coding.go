// Error correction and compression

package corpus

// field is GF(256): logarithms and powers.
type field struct {
	log [256]uint8
	exp [510]uint8
}

var gf = newField(0x11d)

func newField(poly int) (f field) {
	x := 1
	for i := 0; i < 255; i++ {
		f.exp[i], f.exp[i+255] = uint8(x), uint8(x)
		f.log[x] = uint8(i)
		x <<= 1
		if x&0x100 != 0 {
			x ^= poly
		}
	}
	return f
}

func (f *field) mul(a, b uint8) uint8 {
	if a == 0 || b == 0 {
		return 0
	}
	return f.exp[int(f.log[a])+int(f.log[b])]
}

// Parity appends to each block of data the parity bytes of a Reed-Solomon code.
//
//surge:kernel
func Parity(data []byte, size int, generator []byte) [][]byte {
	if size <= 0 {
		return nil
	}
	blocks := len(data) / size
	out := make([][]byte, blocks)
	for b := range blocks {
		block := data[b*size : (b+1)*size]
		rest := make([]byte, len(generator))
		for _, d := range block {
			factor := d
			if len(rest) > 0 {
				factor ^= rest[0]
				copy(rest, rest[1:])
				rest[len(rest)-1] = 0
			}
			for j, g := range generator {
				rest[j] ^= gf.mul(g, factor)
			}
		}
		out[b] = rest
	}
	return out
}

// HuffmanLengths computes the lengths of Huffman codes of the bytes of a text.
//
//surge:kernel
func HuffmanLengths(text []byte) []uint8 {
	var count [256]int
	for _, b := range text {
		count[b]++
	}
	var weight [511]int
	var parent [511]int
	nodes := 256
	copy(weight[:], count[:])
	alive := make([]bool, 511)
	for i, c := range count {
		alive[i] = c > 0
	}
	for {
		a, b := -1, -1
		for i := 0; i < nodes; i++ {
			if !alive[i] {
				continue
			}
			if a < 0 || weight[i] < weight[a] {
				a, b = i, a
			} else if b < 0 || weight[i] < weight[b] {
				b = i
			}
		}
		if b < 0 {
			break
		}
		weight[nodes] = weight[a] + weight[b]
		parent[a], parent[b] = nodes, nodes
		alive[a], alive[b], alive[nodes] = false, false, true
		nodes++
	}
	var lengths [256]uint8
	for i := range lengths {
		for n := i; parent[n] != 0; n = parent[n] {
			lengths[i]++
		}
	}
	return lengths[:]
}

// Crc16 of frames, by a table that the kernel makes.
//
//surge:kernel
func Crc16(frames [][]byte, poly uint16) []uint16 {
	var table [256]uint16
	for i := range table {
		crc := uint16(i) << 8
		for bit := 0; bit < 8; bit++ {
			if crc&0x8000 != 0 {
				crc = crc<<1 ^ poly
			} else {
				crc <<= 1
			}
		}
		table[i] = crc
	}
	sums := make([]uint16, len(frames))
	for i, frame := range frames {
		crc := uint16(0xffff)
		for _, b := range frame {
			crc = crc<<8 ^ table[byte(crc>>8)^b]
		}
		sums[i] = crc
	}
	return sums
}

// Unpack expands runs: count, value.
//
//surge:kernel
func UnpackRuns(packed []byte) []byte {
	var out []byte
	for i := 0; i+1 < len(packed); i += 2 {
		n, v := int(packed[i]), packed[i+1]
		for j := 0; j < n; j++ {
			out = append(out, v)
		}
	}
	return out
}

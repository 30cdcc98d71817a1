// Types

package constructs

var aminoAcids = map[string]byte{
	"TTT": 'F', "TTC": 'F', "TTA": 'L', "TTG": 'L', "ATG": 'M', "TAA": '*', "TAG": '*', "TGA": '*', "GCT": 'A', "GCC": 'A', "GCA": 'A',
}

// Translated translates the letters of genes to those of proteins.
//
// Construct: package-level maps of constants that are only read: amino, ok := aminoAcids[string(triplet)]
//
//surge:kernel
func Translated(genes [][]uint8) [][]uint8 {
	proteins := make([][]uint8, len(genes))
	for i, g := range genes {
		for j := 0; j+3 <= len(g); j += 3 {
			triplet := []byte{"ACGT"[g[j]%4], "ACGT"[g[j+1]%4], "ACGT"[g[j+2]%4]}
			amino, ok := aminoAcids[string(triplet)]
			if !ok {
				amino = 'X'
			}
			if amino == '*' {
				break
			}
			proteins[i] = append(proteins[i], amino)
		}
	}
	return proteins
}

// Coin is what a coin is worth, and weighs.
type Coin struct {
	Cents  int
	Weight float64
}

// Metal is what a coin is made of.
type Metal int16

var (
	coins  = map[int8]Coin{1: {1, 2.3}, 2: {2, 3.06}, 5: {5, 3.92}, 10: {10, 4.1}, 20: {20, 5.74}, 50: {50, 7.8}, -1: {100, 7.5}}
	metals = map[string]Metal{"copper": 2, "northern gold": 7, "": 1, "an alloy of copper and nickel": 9}
	names  = [...]string{"copper", "northern gold", "", "an alloy of copper and nickel", "tin"}
)

// Purse sums up coins, each by what it says.
//
// Construct: such maps with structs as values, and integers or long texts as keys
//
//surge:kernel
func Purse(says []int8) (cents int, weights []float64, made []Metal) {
	for _, s := range says {
		c := coins[s]
		cents += c.Cents
		weights = append(weights, c.Weight)
		if m, ok := metals[names[uint8(s)%5]]; ok {
			made = append(made, m)
		}
	}
	return cents, weights, made
}

// MostLikely is the likeliest last state of each sequence of symbols, and how likely it is, where each state has a row
// of a table for where it leads, and one for the symbols.
//
// Construct: table[s][o], where each turn of a loop inside reads an element of another row
//
//surge:kernel
func MostLikely(sequences [][]uint8, leads, shows [][]float64, states int8) ([]int, []float64) {
	n := int(states) & 15
	last, score := make([]int, len(sequences)), make([]float64, len(sequences))
	for b, sequence := range sequences {
		now, next := make([]float64, n), make([]float64, n)
		for _, o := range sequence {
			for s := range next {
				best := now[s] - 1
				for r, v := range now {
					if w := v + leads[r][s]; w > best {
						best = w
					}
				}
				next[s] = best + shows[s][o&3]
			}
			now, next = next, now
		}
		for s, v := range now {
			if v > score[b] {
				last[b], score[b] = s, v
			}
		}
	}
	return last, score
}

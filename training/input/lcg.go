package input

// lcg is the 64-bit linear congruential generator of Knuth's MMIX:
//
//	x ← 6364136223846793005·x + 1442695040888963407 mod 2^64, from x = seed,
//	stepped before each value; u = ⌊x / 2^11⌋ / 2^53, so 0 ≤ u < 1.
//
// It is written down here because programs in other languages make the same
// inputs with it, and their checksums must agree with ours.
type lcg uint64

func (g *lcg) next() float64 {
	*g = *g*6364136223846793005 + 1442695040888963407
	return float64(*g>>11) * 0x1p-53
}

// between is lo + (hi-lo)·u, rounded after each operation.
func (g *lcg) between(lo, hi float64) float64 {
	return lo + float64((hi-lo)*g.next())
}

package rodinia

// What each of the three parts of a cell has of calmodulin, in micromoles a litre: free, with two and four ions of
// calcium, the same bound to buffers; which parts of kinase II are bound and phosphorylated; and of calcineurin.
const (
	free = iota
	two
	four
	bufferedFree
	bufferedTwo
	bufferedFour
	kinaseTwo
	kinaseFour
	kinaseTrapped
	kinaseTrappedTwo
	kinaseAlone
	calcineurin
	calcineurinFree
	calcineurinTwo
	calcineurinFour
)

// How fast calmodulin takes up two ions of calcium, and two more, at 135 millimoles of potassium and 1 of magnesium,
// and how fast it loses them; and how fast it binds to buffers.
const (
	lose2, lose4 = 10.0, 500.0
	potassiumAt  = 135.0
	take2        = lose2 / (0.0025 * (1 + potassiumAt/0.94 - 1/0.012) * (1 + potassiumAt/8.1 + 1/0.022))
	take4        = lose4 / (0.128 * (1 + potassiumAt/0.64 + 1/0.0014) * (1 + potassiumAt/13 - 1/0.153))
	unbuffer     = 0.0014
	buffer       = unbuffer / 0.2
)

// calmodulinRates adds calmodulin to the rates of a cell: the reactions in each part, what moves between parts, and
// the calcium that they take.
func calmodulinRates(d, y, parameters []float32) {
	for part := range 3 {
		c := firstCalmodulin + part*perPart
		buffers, kinase := parameters[2+5*part], parameters[3+5*part]
		neurin, phosphatase := parameters[4+5*part], parameters[5+5*part]
		ca := y[caJ+part] * 1000
		ca2 := ca * ca

		n02 := take2*ca2*y[c+free] - lose2*y[c+two]
		n24 := take4*ca2*y[c+two] - lose4*y[c+four]

		b := buffers - y[c+bufferedFree] - y[c+bufferedTwo] - y[c+bufferedFour]
		b02 := take2*ca2*y[c+bufferedFree] - lose2/100*y[c+bufferedTwo]
		b24 := take4*ca2*y[c+bufferedTwo] - lose4*y[c+bufferedFour]
		b0 := buffer*y[c+free]*b - unbuffer*y[c+bufferedFree]
		b2 := buffer*y[c+two]*b - unbuffer/100*y[c+bufferedTwo]
		b4 := buffer*y[c+four]*b - unbuffer/100*y[c+bufferedFour]

		const neurinOn, neurinOff = 46, 0.0013
		idle := neurin - y[c+calcineurin] - y[c+calcineurinFree] - y[c+calcineurinTwo] - y[c+calcineurinFour]
		neurinCa := 2*ca2*idle - y[c+calcineurin]
		neurin02 := take2*ca2*y[c+calcineurinFree] - lose2/165*y[c+calcineurinTwo]
		neurin24 := take4*ca2*y[c+calcineurinTwo] - lose2/2508*y[c+calcineurinFour]
		neurin0 := neurinOn*y[c+free]*y[c+calcineurin] - 165*2508*neurinOff*y[c+calcineurinFree]
		neurin2 := neurinOn*y[c+two]*y[c+calcineurin] - 2508*neurinOff*y[c+calcineurinTwo]
		neurin4 := neurinOn*y[c+four]*y[c+calcineurin] - neurinOff*y[c+calcineurinFour]

		const release = 2.2
		const catch = release / 33.5e-3
		p2, p4, trapped, trapped2, alone := y[c+kinaseTwo], y[c+kinaseFour], y[c+kinaseTrapped], y[c+kinaseTrappedTwo], y[c+kinaseAlone]
		inactive := 1 - p2 - p4 - trapped - trapped2 - alone
		k2 := catch*y[c+two]*inactive - 5*catch*p2
		k24 := take4*ca2*p2 - lose4*33.5e-3/5*p4
		k4 := catch*y[c+four]*inactive - release*p4
		active := p4 + trapped + trapped2 + alone
		traps := 0.055*active + 0.0074*active*active + 0.015*active*active*active
		const strip, half = 1.72, 11.5
		trap := traps*p4 - strip*phosphatase*trapped/(half+kinase*trapped)
		loseTrapped := lose4*33.5e-6/5*trapped - take4*ca2*trapped2
		leave := release/1000*trapped - catch*y[c+four]*alone
		leave2 := 5*catch*trapped2 - catch*y[c+two]*alone
		stripTwo := strip * phosphatase * trapped2 / (half + kinase*trapped2)
		stripAlone := strip * phosphatase * alone / (half + kinase*alone)

		d[c+free] = 1e-3 * (-n02 - b0 - neurin0)
		d[c+two] = 1e-3 * (n02 - n24 - b2 - neurin2 + kinase*(leave2-k2))
		d[c+four] = 1e-3 * (n24 - b4 - neurin4 + kinase*(leave-k4))
		d[c+bufferedFree] = 1e-3 * (b0 - b02)
		d[c+bufferedTwo] = 1e-3 * (b02 + b2 - b24)
		d[c+bufferedFour] = 1e-3 * (b24 + b4)
		d[c+kinaseTwo] = 1e-3 * (k2 - k24 + stripTwo)
		d[c+kinaseFour] = 1e-3 * (k4 + k24 - trap)
		d[c+kinaseTrapped] = 1e-3 * (trap - leave - loseTrapped)
		d[c+kinaseTrappedTwo] = 1e-3 * (loseTrapped - leave2 - stripTwo)
		d[c+kinaseAlone] = 1e-3 * (leave + leave2 - stripAlone)
		d[c+calcineurin] = 1e-3 * (neurinCa - neurin0 - neurin2 - neurin4)
		d[c+calcineurinFree] = 1e-3 * (neurin0 - neurin02)
		d[c+calcineurinTwo] = 1e-3 * (neurin2 + neurin02 - neurin24)
		d[c+calcineurinFour] = 1e-3 * (neurin4 + neurin24)

		// Calcium in millimoles a litre, of which the reactions are in micromoles.
		d[caJ+part] += 1e-6 * (2*kinase*(loseTrapped-k24) - 2*(n02+n24+b02+b24+neurinCa+neurin02+neurin24))
	}

	const cleftVolume, surfaceVolume, innerVolume, along = 1.7790e-14, 6.6013e-13, 2.1454e-11, 8.587e-15
	j, s, c := firstCalmodulin, firstCalmodulin+perPart, firstCalmodulin+2*perPart
	kinds := y[j+kinaseTwo] + y[j+kinaseFour] + y[j+kinaseTrapped] + y[j+kinaseTrappedTwo]
	total := y[j+free] + y[j+two] + y[j+four] + y[j+bufferedFree] + y[j+bufferedTwo] + y[j+bufferedFour] + parameters[3]*kinds +
		y[j+calcineurinFree] + y[j+calcineurinTwo] + y[j+calcineurinFour]
	room := parameters[2] - total
	for i := range 3 {
		off := float32(unbuffer)
		if i > 0 {
			off = unbuffer / 100
		}
		out := 1e-3 * (off*y[j+i] - buffer*room*y[s+i])
		in := along * (y[s+i] - y[c+i])
		d[j+i] -= out
		d[s+i] += out*(cleftVolume/surfaceVolume) - in/surfaceVolume
		d[c+i] += in / innerVolume
	}
}

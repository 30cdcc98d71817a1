package rodinia

import "math/rand/v2"

// restingCell is the state that Rodinia's cell begins in, and restingParameters its parameters: milliseconds between
// two beats, and for each of its parts how much there is of calmodulin, buffers, kinase, calcineurin and phosphatase.
var restingCell = []float32{
	0.0013705539, 0.98714218, 0.99182408, 6.9968275e-06, 1.0006761, 0.025800244, 0.015606144, 0.0040110808,
	0.31904893, 0.0040110456, 0.99463216, 0.0084705483, 0.0060394891, 0.88875021, 8.2057663e-07, 1.0271527e-07,
	3.554765, 0.77561711, 0.0090782945, 0.11836625, 0.010156121, 0.00025328101, 0.0020087204, 0.1374736, 0.002209702,
	0.0077737983, 0.010124416, 0.075692786, 0.11608535, 1.250904, 0.56109998, 8.8597621, 8.8611627, 8.8615763, 135,
	0.00018394727, 0.00010924132, 8.8935135e-05, -85.719165, 0.41071583, 0, 0, 17483.04, -14677.756, -168697.84,
	165904.86, 386.74011, 6.0137654, 0.0021665981, 0, 0, 0, 0.52910875, 0.03178349, 7.1017447e-06, 2.8316127e-09,
	2.344466e-09, 0.00013282361, 0.0043772286, 0.012450156, 3.600507, 0.043833441, 5.4727484e-05, 8.6054033e-09,
	2.3715335, 13.10535, 0.00027224584, 1.1056849e-05, 9.5203944e-06, 1.3418139e-07, 1.4654302e-12, 8.8079626e-09,
	0.00056863655, 2.1354933e-06, 5.6653572e-06, 0.0013743596, 0.043580316, 3.8789477e-05, 5.5612103e-10, 4.1446,
	1.1342721, 1.5613769e-05, 7.7666417e-06, 4.5935002e-08, 3.0629005e-13, 3.2828882e-18, 2.0356103e-14,
	0.00012025051, 4.4862898e-07, 1.7078402e-07, 8.1327361e-07,
}

var restingParameters = []float32{
	1000, 418, 0, 120, 3.617508, 96.5, 5.65, 24.2, 0.099516, 0.003, 0.57, 5.65, 24.2, 0.099516, 0.003, 0.57,
}

func myocyte(cells, steps int) []any {
	return []any{restingCell, restingParameters, cells, 13, steps, float32(0.0001)}
}

// InputsMyocyte are a few cells for two milliseconds.
func InputsMyocyte(n int, _ *rand.Rand) []any { return myocyte(n/16, 2) }

// SetsMyocyte are many cells for three milliseconds, an eighth of the 65,536 that the literature has, and one cell for
// a hundred.
func SetsMyocyte() []set {
	return []set{
		{Name: "8192 cells, 3 ms", Make: func() []any { return myocyte(8192, 3) }},
		{Name: "1 cell, 100 ms", Make: func() []any { return myocyte(1, 100) }},
	}
}

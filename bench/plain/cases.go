package main

// testCase is a kernel with what its inputs and parameters are for about n elements: N stands for that number, R for
// its root.
type testCase struct {
	dir, kernel string
	data        string
	bind        []string
	most        int // elements, where more would take too long; 0 for no bound
}

const (
	kernels = "./internal/kernels"
	peers   = "./bench/kernels"
)

// cases are the kernels that are measured.
var cases = []testCase{
	{"./examples/spmv", "SpMV", "A=gen:short:rows=N,per_row=9", nil, 1e6},
	{"./examples/reduction", "Reduction", "S=gen:uniform:n=N", []string{"tileSize=4096"}, 0},
	{"./examples/reduction", "Sum", "S=gen:uniform:n=N", nil, 0},
	{"./examples/scan", "Scan", "S=gen:uniform:n=N", []string{"tileSize=4096"}, 0},
	{"./examples/kmeans", "Step", "", []string{"points=uniform(N*8, seed=5)", "d=8", "centroids=uniform(128, seed=6)"}, 1e6},
	{kernels, "MedianFilter", "", []string{"x=random(N)"}, 1e6},
	{kernels, "Norm", "", []string{"x=random(N)", "largest=true"}, 0},
	{kernels, "Drawdown", "", []string{"m=random(R*R)", "width=R", "turns=4"}, 1e6},
	{kernels, "Wave", "", []string{"height=random(N)", "speed=0.3", "steps=7"}, 1e6},
	{kernels, "RobustMean", "", []string{"x=random(N)", "limit=5", "eps=1e-9"}, 1e6},
	{kernels, "Smooth", "", []string{"x=random(N)", "limit=9", "eps=0.0"}, 1e6},
	{kernels, "Settle", "", []string{"m=random(R*4)", "width=4", "turns=9"}, 1e6},
	{kernels, "PageRanks", "A=gen:short:rows=N,per_row=9", []string{"links=A.columns", "offsets=A.row_offsets", "out=integers(N, lo=0, hi=18)", "damping=0.85", "turns=6"}, 1e5},
	{kernels, "SumCols", "", []string{"m=random(R*R)", "width=R"}, 0},
	{kernels, "Mandelbrot", "", []string{"re=random(R)", "im=random(R)", "limit=60"}, 1e6},
	{kernels, "BlackScholes", "", []string{"spot=random(N)", "strike=random(N)", "years=random(N)", "rate=0.02", "volatility=0.3"}, 1e6},
	{kernels, "Tridag", "", []string{"a=random(N)", "b=random(N)", "c=random(N)", "y=random(N)"}, 0},
	{peers, "Scale", "", []string{"x=random(N)", "a=3.0"}, 0},
	{peers, "SegmentSums", "A=gen:short:rows=N,per_row=9", []string{"values=A.values", "offsets=range(A.rows+1, step=9)"}, 1e6},
}

package harness

// ProtocolVersion is the version of the messages. A client that finds another one builds the harness again.
const ProtocolVersion = 5

// The operations of a [Request].
const (
	OpDescribe = "describe"
	OpBind     = "bind"
	OpRun      = "run"
	OpRelease  = "release"
	OpPrepare  = "prepare"
	OpModel    = "model"
	OpPlain    = "plain"
	OpCompare  = "compare"
)

// Request is one line of standard input. One request is served at a time, in order; closing the input ends the process
// at once, whatever it is doing.
type Request struct {
	Op   string       `json:"op"`
	Bind *BindRequest `json:"bind,omitempty"`
	// Run is also what is asked to be prepared: variants that will run, one at a time. It is answered by an empty
	// response.
	Run   *RunRequest   `json:"run,omitempty"`
	Plain *PlainRequest `json:"plain,omitempty"`
	// Compare has results that were computed elsewhere.
	Compare *CompareRequest `json:"compare,omitempty"`
	// Release is the number of the binding to forget.
	Release int `json:"release,omitempty"`
	// Model is the text of a model file that later bindings choose by; null stands for none.
	Model *string `json:"model,omitempty"`
}

// BindRequest hands over the arguments of a kernel. The elements follow the line as raw bytes, argument after argument.
type BindRequest struct {
	Kernel    string     `json:"kernel"`
	Args      []Argument `json:"args"`
	Threads   int        `json:"threads,omitempty"`
	Unchecked bool       `json:"unchecked,omitempty"`
	Platform  string     `json:"platform,omitempty"`
	Variants  []string   `json:"variants,omitempty"`
	// Features asks for all features that there are; see exec.Features.
	Features bool `json:"features,omitempty"`
}

// Argument describes the bytes of an argument or a result: Count elements of the innermost type, little-endian, in
// memory order, one for a scalar. A nested sequence has row offsets before them, those of the outermost level first:
// each has one more than there are Rows at the level, 8 bytes each, the first 0 and the last the rows of the next
// level, or Count.
type Argument struct {
	Type  string `json:"type"` // Go syntax: int, []float64, [][]float32
	Count int    `json:"count"`
	Rows  []int  `json:"rows,omitempty"` // by level, the outermost one first
}

// RunRequest runs a binding. Variants replaces those of the binding unless it is null.
type RunRequest struct {
	Bound    int      `json:"bound"`
	Variants []string `json:"variants"`
	Warmup   int      `json:"warmup,omitempty"`
	Repeat   int      `json:"repeat"`
	Verify   bool     `json:"verify,omitempty"`
	// Values asks for the results' bytes after the line of the response.
	Values bool `json:"values,omitempty"`
	// TimesOnly leaves out the checksums, which take as long as reading the results once.
	TimesOnly bool `json:"times_only,omitempty"`
	// Hopeless, if positive, is the time in nanoseconds beyond which the first run, timed or not, is the only one. A first
	// run of twice that time is stopped.
	Hopeless float64 `json:"hopeless,omitempty"`
	// Resident leaves arrays where they are, see exec.Resident: what runs on a device copies nothing. It is for times
	// only.
	Resident bool `json:"resident,omitempty"`
	// Budget, if positive, is the time in nanoseconds after which no further repetition starts.
	Budget float64 `json:"budget,omitempty"`
}

// PlainRequest times a binding in turn with plain Go.
type PlainRequest struct {
	Bound  int `json:"bound"`
	Repeat int `json:"repeat"`
	// Budget is as in RunRequest.
	Budget float64 `json:"budget,omitempty"`
}

// CompareRequest compares results that were computed elsewhere with those of plain Go on the arguments of a binding.
// Their elements follow the line as those of arguments do.
type CompareRequest struct {
	Bound   int        `json:"bound"`
	Results []Argument `json:"results"`
}

// Response is one line of standard output: a Fault, or the field of the operation. A release is answered by an empty
// one.
type Response struct {
	Fault       *Fault       `json:"fault,omitempty"`
	Description *Description `json:"description,omitempty"`
	Bound       *BindReply   `json:"bound,omitempty"`
	Ran         *RunReply    `json:"ran,omitempty"`
	Plain       *PlainReply  `json:"plain,omitempty"`
	// Compared answers a CompareRequest: an entry a result.
	Compared []Comparison `json:"compared,omitempty"`
	// Notes has for each kernel that the model is not used for the reason; see exec.Kernel.UseModel.
	Notes map[string]string `json:"notes,omitempty"`
}

// BindReply answers a BindRequest.
type BindReply struct {
	Bound     int        `json:"bound"`
	Decisions []Decision `json:"decisions"`
	Bytes     int64      `json:"bytes"` // of all arguments
}

// RunReply answers a RunRequest.
type RunReply struct {
	Decisions []Decision `json:"decisions"`
	// Nanoseconds has the time of each timed run; if Batch is more than 1, the average of that many runs.
	Nanoseconds []float64 `json:"nanoseconds"`
	Batch       int       `json:"batch"`
	// Parts has, for each computation of a kernel of several, what it took of each of Nanoseconds; otherwise it is empty.
	Parts [][]float64 `json:"parts,omitempty"`
	// Stopped says that the first run was stopped after that time: there are no results.
	Stopped   bool    `json:"stopped,omitempty"`
	Checksums []Float `json:"checksums"`
	Bytes     int64   `json:"bytes"` // of all results
	// Comparisons has one entry a result, Plain the time of plain Go execution in nanoseconds; if Verify was asked for.
	Comparisons []Comparison `json:"comparisons,omitempty"`
	Plain       float64      `json:"plain,omitempty"`
	// Results describes the bytes that follow, if Values was asked for.
	Results []Argument `json:"results,omitempty"`
}

// PlainReply answers a PlainRequest: nanoseconds of plain Go, of a run of what is bound, and of a call that binds and
// runs, one of each per repetition; the average of several where one is too short for the clock.
type PlainReply struct {
	Plain     []float64  `json:"plain"`
	Run       []float64  `json:"run"`
	Call      []float64  `json:"call"`
	Decisions []Decision `json:"decisions"`
}

// Decision is exec.Decision with the variant as its canonical text.
type Decision struct {
	Computation string    `json:"computation"`
	Variant     string    `json:"variant"`
	Selector    string    `json:"selector"`
	Reason      string    `json:"reason"`
	Features    []Feature `json:"features,omitempty"`
	// Ranking has what a trained model weighed, best first; see exec.Decision.Ranking.
	Ranking []Ranked `json:"ranking,omitempty"`
}

// Ranked is selector.Weighed with the variant as its canonical text.
type Ranked struct {
	Variant string `json:"variant"`
	Value   Float  `json:"value"`
}

// Feature is selector.Feature.
type Feature struct {
	Name  string `json:"name"`
	Unit  string `json:"unit,omitempty"`
	Value Float  `json:"value"`
	Cost  Float  `json:"cost,omitempty"` // nanoseconds
	// Version is that of a declared feature, in measurements; see exec.DeclaredFeature.
	Version string `json:"version,omitempty"`
}

// Description says what a harness holds.
type Description struct {
	Protocol   int          `json:"protocol"`
	GoVersion  string       `json:"go"`
	GOMAXPROCS int          `json:"gomaxprocs"`
	SIMD       bool         `json:"simd"` // vector instructions are built in
	Kernels    []KernelInfo `json:"kernels"`
}

// KernelInfo describes a kernel.
type KernelInfo struct {
	Name         string            `json:"name"`
	Pos          string            `json:"pos"` // file:line
	Hash         string            `json:"hash"`
	Params       []Param           `json:"params"`
	Results      []Param           `json:"results"`
	Computations []ComputationInfo `json:"computations"`
	// Devices names this machine for each platform that there is code for: what models are kept for.
	Devices map[string]string `json:"devices,omitempty"`
	// Features are those that the package declares, Requested names the ready-made ones that it asks for.
	Features  []Feature `json:"features,omitempty"`
	Requested []string  `json:"requested,omitempty"`
	// Alternatives names the other algorithms for the kernel.
	Alternatives []string `json:"alternatives,omitempty"`
}

// Only returns the kernel that all others are other algorithms for, nil if there is none.
func Only(all []KernelInfo) *KernelInfo {
	for i := range all {
		if len(all[i].Alternatives) == len(all)-1 {
			return &all[i]
		}
	}
	return nil
}

// ComputationInfo describes a computation.
type ComputationInfo struct {
	Name     string     `json:"name"`
	Sequence string     `json:"sequence"`
	Codes    []CodeInfo `json:"codes"`
}

// CodeInfo describes a code: a variant without launch settings.
type CodeInfo struct {
	Text    string `json:"text"`
	Launch  string `json:"launch,omitempty"`  // as in exec.Code
	Missing string `json:"missing,omitempty"` // why this machine or build cannot run it; "" if it can
}

// The kinds of a [Fault].
const (
	FaultInput   = "input"   // the arguments, or the variant that was asked for
	FaultDevice  = "device"  // a device, its driver or its compiler failed
	FaultBug     = "bug"     // generated code or the harness failed
	FaultRequest = "request" // the client asked for something that makes no sense
)

// Fault is a request that failed. For FaultInput it has the fields of exec.Error; Op is that of the ops.Error, if any.
type Fault struct {
	Kind   string `json:"kind"`
	Kernel string `json:"kernel,omitempty"`
	Pos    string `json:"pos,omitempty"`
	Code   string `json:"code,omitempty"`
	Op     string `json:"op,omitempty"`
	Detail string `json:"detail"`
	Stack  string `json:"stack,omitempty"`
}

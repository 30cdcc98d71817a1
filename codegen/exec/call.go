package exec

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
)

// Func is one generated variant of a computation: code for one platform whose launch parameters are open.
type Func interface {
	// Available returns "" if this machine and build can run the variant, else the reason why not. vectorBits is the
	// width of the widest vectors that the code uses, 0 for none.
	Available(vectorBits int) string
	// Prepare fixes the launch parameters.
	Prepare(v selector.Variant) (Launch, error)
}

// Launch is a variant that is ready to run.
type Launch interface {
	// Run executes the computation on a frame: a pointer to the generated struct that holds inputs and results.
	Run(ctx context.Context, frame any) error
}

// Follower is a [Launch] that can share chunks with that of the computation before it.
type Follower interface {
	Launch
	// RunAfter runs first and then the launch itself, in chunks that they share, if its variant and first allow that;
	// else it does nothing. share is what part of the time first took, 0 to 1, where that was measured.
	RunAfter(ctx context.Context, first Launch, frame any) (shared bool, share float64, err error)
}

// Code is one entry of a computation's table of variants.
type Code struct {
	Text       string // canonical text without launch parameters
	Launch     string // launch parameters and their values: "name=a|b;name=…"; no values: those of the machine
	VectorBits int    // of the widest vectors that it uses, 0 for none
	Func       Func
}

// LevelCost is what a level of a computation costs.
type LevelCost = selector.LevelCost

// Form is a form of a computation besides the nest.
type Form = selector.Form

// Computation is the run-time description of one computation.
type Computation struct {
	Name     string      // SpMV.1
	Sequence string      // map ▷ reduce
	Strided  int         // the level whose elements are read at a distance, those of the level around it side by side; 0 for none
	Costs    []LevelCost // of each level, the outermost first
	Forms    []Form      // the others than the nest, whose Strided and Costs these are
	Codes    []Code      // form by form, the nest last; of each form the strongest schedule first
	// Omitted is how many codes of the search space the generated file does not have, because it was written for
	// those that are likely to be chosen.
	Omitted int

	once    sync.Once
	codes   []selector.Code // available ones
	funcs   []Func
	missing map[string]string // unavailable code text → reason
	err     error

	lacking     map[string]string // platforms that there is no code for → what is in the way
	platforms   []string          // of all codes, also of those that cannot run
	accelerator string            // the platform that runs on one, "" if none does

	last atomic.Pointer[remembered]
}

// Kernel is the run-time description of one kernel.
type Kernel struct {
	Name         string
	Pos          string // file:line of the source
	Hash         string // of the kernel's fused IR: a model for another hash is not used
	Computations []*Computation
	Alternatives []*Kernel // other algorithms for it
	Plain        Plain     // what it costs as plain Go, where RunsPlain is asked
	// Features are those that the package declares for the kernel (surge:feature), at most MaxDeclared; Requested names
	// the ready-made features that its training is to use (surge:features).
	Features  []DeclaredFeature
	Requested []string

	models modelState
}

// parse fills the tables on first use.
func (c *Computation) parse() error {
	c.once.Do(func() {
		c.missing = map[string]string{}
		for _, code := range c.Codes {
			v, err := selector.Parse(code.Text)
			launch, bad := param.ParseLaunch(code.Launch)
			if err = errors.Join(err, bad); err != nil {
				c.err = fmt.Errorf("exec: generated table of %s: %w", c.Name, err)
				return
			}
			if !slices.Contains(c.platforms, v.Platform) {
				c.platforms = append(c.platforms, v.Platform)
			}
			if reason := code.Func.Available(code.VectorBits); reason != "" {
				c.missing[code.Text] = reason
				continue
			}
			c.codes = append(c.codes, selector.Code{Variant: v, Launch: launch})
			c.funcs = append(c.funcs, code.Func)
			if a, ok := code.Func.(Accelerator); ok && c.accelerator == "" && a.Accelerated() {
				c.accelerator = v.Platform
			}
		}
	})
	return c.err
}

// Available returns the code variants that this machine and build can run.
func (c *Computation) Available() ([]selector.Code, error) {
	if err := c.parse(); err != nil {
		return nil, err
	}
	return c.codes, nil
}

// Missing returns the code variants that this machine or build cannot run, and why.
func (c *Computation) Missing() (map[string]string, error) {
	if err := c.parse(); err != nil {
		return nil, err
	}
	return c.missing, nil
}

// Decision is the choice that was made for one computation.
type Decision struct {
	Computation string
	Variant     selector.Variant
	Selector    string // "forced", or the ranker's name
	Reason      string
	Features    []selector.Feature

	by      selector.Weigher   // that decided, or nil
	ranking []selector.Weighed // what Ranking returns, unless it is nil
}

// Call is the state of one bound kernel: its options, and what was chosen for each computation.
type Call struct {
	kernel    *Kernel
	opts      Options
	launches  []Launch
	decisions []Decision
	latest    []*remembered // what decisions were made from, where they may be recalled
	algorithm Decision      // that was made before those; without a variant if none was
	note      string        // which rankers did not decide about the algorithm, and why: a part of the first variant's reason
	estimated bool          // the algorithm is left to estimates
	settles   bool          // this call, and not that of another algorithm, has chosen the platform

	declared, rows []selector.Feature // that were computed beside the constant-time ones; rows for computation rowsOf
	rowsOf         int
	features       [maxFeatures]selector.Feature
	trouble        string  // what went wrong with a declared feature
	memory         *Memory // where arrays are that live on a device; nil if none do
}

// Init collects the options of a call of k.
func (c *Call) Init(k *Kernel, opts []Option) {
	c.kernel, c.opts = k, collect(opts)
	c.launches = make([]Launch, len(k.Computations))
	c.decisions = make([]Decision, len(k.Computations))
	c.latest = make([]*remembered, len(k.Computations))
	c.rowsOf = -1
}

// Threads returns the number of workers that the call may use.
func (c *Call) Threads() int {
	if c.opts.threads > 0 {
		return c.opts.threads
	}
	return runtime.GOMAXPROCS(0)
}

// Context returns what ends Bind early: that of the option Until, or one that never ends.
func (c *Call) Context() context.Context {
	if c.opts.ctx == nil {
		return context.Background()
	}
	return c.opts.ctx
}

// Unchecked reports whether input checks are to be skipped.
func (c *Call) Unchecked() bool { return c.opts.unchecked }

// Decisions returns what was chosen, one entry a computation; it is owned by the call. Where a model chose the
// platform, that comes before them.
func (c *Call) Decisions() []Decision {
	if len(c.kernel.Alternatives) > 0 {
		return c.decisions // see WithAlgorithm
	}
	return c.withPlatform(c.decisions)
}

// Choose selects the variant of computation i for an input with the given constant-time features, and those that
// [Call.Declared] and [RowFeatures] computed: one that the options force; else by
// the ranker that they name; else by a model that was trained for this kernel, platform and device; else by
// [selector.Untrained].
func (c *Call) Choose(i int, constant ...selector.Feature) error {
	comp := c.kernel.Computations[i]
	features := c.gather(i, constant)
	if i == 0 {
		c.choosePlatform(features)
	}
	codes, err := comp.Available()
	if err != nil {
		return err
	}
	var d Decision
	free := len(c.opts.variants) == 0 && c.opts.selector == nil
	code := -1
	if r := c.recall(comp, features); free && r != nil {
		if r == c.latest[i] && c.opts.explain == nil && c.memory == nil && c.launches[i] != nil {
			return nil // as in the run before
		}
		d, code = r.decision, r.code
		c.latest[i] = r
	} else {
		d = Decision{Computation: comp.Name, Features: slices.Clone(features)}
		if code, err = c.choose(i, codes, &d); err != nil {
			return err
		}
		if free {
			r := &remembered{threads: c.opts.threads, cores: runtime.GOMAXPROCS(0), platform: c.chosen(), device: c.opts.device, code: code, decision: d}
			comp.last.Store(r)
			c.latest[i] = r
		}
	}
	if i == 0 {
		d.Reason += c.opts.settled.note + c.note
	}
	launch, err := c.prepare(comp.funcs[code], d.Variant)
	if err != nil {
		if d, launch, err = c.next(i, codes, d, code, err); err != nil {
			return err
		}
	}
	c.launches[i], c.decisions[i] = launch, d
	if w := c.opts.explain; w != nil {
		c.decisions[i].Features = slices.Clone(features) // with what they cost this time
		explain(w, &c.decisions[i])
	}
	return nil
}

// prepare makes the variant ready to run, on the device that the options name.
func (c *Call) prepare(f Func, v selector.Variant) (Launch, error) {
	if p, ok := f.(Placer); ok && c.opts.device != "" {
		var err error
		if f, err = p.On(c.opts.device); err != nil {
			return nil, err
		}
	}
	l, err := f.Prepare(v)
	if err != nil {
		return nil, err
	}
	if r, ok := l.(Remote); ok {
		return l, c.attach(r, v.Platform)
	}
	return l, nil
}

// next is for a choice that cannot be prepared because of its device: what is chosen among the others takes its place,
// and if the device fails again and again, the goroutine platform where the options allow that. A variant that is asked
// for by all its settings has no others.
func (c *Call) next(i int, codes []selector.Code, d Decision, code int, err error) (Decision, Launch, error) {
	comp := c.kernel.Computations[i]
	codes = slices.Clone(codes)
	var failed *DeviceError
	for range triedVariants {
		if !errors.As(err, &failed) {
			return d, nil, err
		}
		c.say(fmt.Sprintf("surge: %s: %s: %v\n", c.kernel.Name, d.Variant, failed))
		only := comp.codes[code]
		codes = slices.DeleteFunc(codes, func(other selector.Code) bool { return other.Realises(only.Variant) })
		again := Decision{Computation: comp.Name, Features: d.Features}
		var l Launch
		if code, err = c.choose(i, codes, &again); err != nil { // there is no other
			err = failed
			break
		}
		again.Reason += "; the first choice failed"
		if l, err = c.prepare(comp.funcs[code], again.Variant); err == nil {
			return again, l, nil
		}
		d = again
	}
	if !errors.As(err, &failed) || c.platform() != "" || len(c.opts.variants) > 0 {
		return d, nil, err
	}
	c.say(fmt.Sprintf("surge: %s: %v; the goroutine platform takes over\n", c.kernel.Name, failed))
	c.opts.platform = selector.Host
	if code, err = c.choose(i, comp.codes, &d); err != nil {
		return d, nil, errors.Join(failed, err)
	}
	l, err := c.prepare(comp.funcs[code], d.Variant)
	return d, l, err
}

// triedVariants is how many variants that a device refuses give way to another.
const triedVariants = 3

// preferred is the platform to choose a variant of when the options leave it open and no model chooses it.
func (c *Computation) preferred(codes []selector.Code) string {
	r, err := untrained.Rank(selector.Input{Question: selector.OfTargets, Accelerator: c.accelerator, Codes: codes})
	if err != nil {
		return ""
	}
	return r.Choices[0].Variant.Platform
}

// has reports whether the computation has code for a platform, whether it can run here or not.
func (c *Computation) has(platform string) bool {
	return c.parse() == nil && slices.Contains(c.platforms, platform)
}

// runsOn reports whether a computation of the kernel has code for a platform: then those that have none run on the
// processors in between.
func (k *Kernel) runsOn(platform string) bool {
	return slices.ContainsFunc(k.Computations, func(c *Computation) bool { return c.has(platform) })
}

// whyNone says why no code for a platform can run here, if there is code.
func (c *Computation) whyNone(platform string) string {
	for i := range c.codes {
		if c.codes[i].Platform == platform {
			return ""
		}
	}
	for i := range c.Codes {
		v, err := selector.Parse(c.Codes[i].Text)
		if reason := c.missing[c.Codes[i].Text]; err == nil && v.Platform == platform && reason != "" {
			return ": " + reason
		}
	}
	if reason := c.lacking[platform]; reason != "" {
		return ": " + reason
	}
	return ""
}

// Lacks says why there is no code for the computation on a platform. Generated code calls it before the first call.
func (c *Computation) Lacks(platform, reason string) {
	if c.lacking == nil {
		c.lacking = map[string]string{}
	}
	c.lacking[platform] = reason
}

// choose fills in the decision and returns the entry of the computation's codes.
func (c *Call) choose(i int, codes []selector.Code, d *Decision) (int, error) {
	comp := c.kernel.Computations[i]
	codes, forced, err := c.restrict(comp, codes)
	if err != nil {
		return 0, err
	}
	platform, instead := c.platformOf(comp, codes)
	r, err := c.rankers(i, platform).Rank(selector.Input{Computation: comp.Name, Platform: platform, Strided: comp.Strided, Costs: comp.Costs, Forms: comp.Forms,
		Features: d.Features, Threads: c.opts.threads, Cores: runtime.GOMAXPROCS(0), Accelerator: comp.accelerator, Codes: codes})
	if err != nil {
		return 0, c.variantError("no variant of %s can be chosen: %v%s", comp.Name, err, comp.whyNone(platform))
	}
	first := r.Choices[0]
	d.Variant, d.Selector, d.Reason = first.Variant, r.By.Name(), first.Reason+instead
	if r.Passed != "" {
		d.Reason += "; " + r.Passed + c.trouble
	}
	by, trained := r.By.(selector.Weigher)
	d.by = by
	switch {
	case forced != "" && trained:
		d.Selector, d.Reason = "forced", "asked for: "+forced+"; of what fits, "+d.Reason
	case forced != "":
		d.Selector, d.Reason = "forced", "asked for: "+forced
	}
	if at := first.Code; at >= 0 && at < len(comp.codes) && comp.codes[at].Realises(d.Variant) {
		return at, nil
	}
	return comp.codeOf(d.Variant) // it is the number of a code among some
}

// rankers returns whom to ask for a variant of computation i on a platform, in the order of trust.
func (c *Call) rankers(i int, platform string) selector.Chain {
	if c.opts.selector != nil {
		return selector.Chain{c.opts.selector}
	}
	if chain, ok := c.models().variants[i][platform]; ok {
		return chain
	}
	return untrained
}

// explain writes why a variant was chosen: a line, and a line for each variant that a model weighed against it.
func explain(w io.Writer, d *Decision) {
	fmt.Fprintf(w, "%s: %s %s (%s: %s)%s\n", d.Computation, d.Variant.ID(), d.Variant, d.Selector, d.Reason, featureText(d.Features))
	for i, r := range d.Ranking() {
		fmt.Fprintf(w, "%s: %d. %s decision value %.3f\n", d.Computation, i+1, r.Variant.ID(), r.Value)
	}
}

func featureText(fs []selector.Feature) string {
	var sb strings.Builder
	for _, f := range fs {
		fmt.Fprintf(&sb, " %s=%.4g", f.Name, f.Value)
		if f.Cost > 0 {
			fmt.Fprintf(&sb, " (computed in %.2g µs)", f.Cost/1e3)
		}
	}
	return sb.String()
}

// restrict narrows the codes to what the options ask for and returns what applied.
func (c *Call) restrict(comp *Computation, codes []selector.Code) ([]selector.Code, string, error) {
	cores := max(runtime.GOMAXPROCS(0), c.opts.threads)
	var applied []string
	for _, text := range c.opts.variants {
		if name := strings.SplitN(text, "/", 2)[0]; name != comp.Name && c.names(name) {
			continue // meant for another computation
		}
		narrowed, err := selector.Match(text, codes, cores)
		if err != nil {
			if len(c.kernel.Computations) > 1 {
				if _, err = selector.Match(text, c.everywhere(comp, codes), cores); err == nil {
					continue // meant for another computation
				}
			}
			return nil, "", c.variantError("%v%s%s", err, comp.why(text), comp.omissions())
		}
		codes = narrowed
		applied = append(applied, text)
	}
	return codes, strings.Join(applied, " and "), nil
}

// why adds the reason if the text names a variant that exists but cannot run here.
func (c *Computation) why(text string) string {
	for code, reason := range c.missing {
		if code == text || strings.HasPrefix(text, code) {
			return ": " + reason
		}
		if v, err := selector.Parse(code); err == nil && v.ID() == text {
			return ": " + reason
		}
	}
	return ""
}

// omissions says that the program does not have all variants of the computation, and what to do, "" if it has.
func (c *Computation) omissions() string {
	if c.Omitted == 0 {
		return ""
	}
	return fmt.Sprintf("; the program was generated with %d of the %d variants of %s: surge generate --variants all writes all", len(c.Codes), len(c.Codes)+c.Omitted, c.Name)
}

func (c *Call) names(computation string) bool {
	for _, comp := range c.kernel.Computations {
		if comp.Name == computation {
			return true
		}
	}
	return false
}

// everywhere returns the codes of all computations, of one of them only those given.
func (c *Call) everywhere(one *Computation, codes []selector.Code) []selector.Code {
	all := slices.Clone(codes)
	for _, comp := range c.kernel.Computations {
		if comp == one {
			continue
		}
		if others, err := comp.Available(); err == nil {
			all = append(all, others...)
		}
	}
	return all
}

func (c *Call) platform() string {
	if c.opts.platform == "auto" {
		return ""
	}
	return c.opts.platform
}

func (c *Call) variantError(format string, args ...any) error {
	return &Error{Kernel: c.kernel.Name, Pos: c.kernel.Pos, Code: "variant", Detail: fmt.Sprintf(format, args...)}
}

// codeOf returns the entry of codes that runs v.
func (c *Computation) codeOf(v selector.Variant) (int, error) {
	for i := range c.codes {
		if c.codes[i].Realises(v) {
			return i, nil
		}
	}
	return 0, fmt.Errorf("exec: %s has no code for %s", c.Name, v)
}

// RunPair executes computations i and i+1 on the frame, of which the second needs of the first's results no more than
// the element that it is at: in chunks that they share if the second's variant says so, else one after the other.
func (c *Call) RunPair(ctx context.Context, i int, frame any) error {
	if f, ok := c.launches[i+1].(Follower); ok && c.memory == nil && c.opts.memory == nil {
		if shared, _, err := f.RunAfter(ctx, c.launches[i], frame); shared {
			return err
		}
	}
	if err := c.Run(ctx, i, frame); err != nil {
		return err
	}
	return c.Run(ctx, i+1, frame)
}

// Run executes computation i on the frame by the variant that was chosen for it. Errors are the context's, [*Error]
// where a check failed, and [*DeviceError].
func (c *Call) Run(ctx context.Context, i int, frame any) error {
	switch {
	case c.memory != nil:
		return c.runPlaced(ctx, i, frame)
	case c.opts.memory != nil:
		return c.runBeside(ctx, i, frame)
	}
	return c.launches[i].Run(ctx, frame)
}

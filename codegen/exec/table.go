package exec

import (
	"context"
	"errors"
	"fmt"
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
	VectorBits int    // of the widest vectors that it uses, 0 for none; of entries with one text the first that can run does
	Func       Func
}

// Form is a form of a computation besides the nest.
type Form = selector.Form

// LevelCost is what a level of a computation costs.
type LevelCost = selector.LevelCost

// Computation is the run-time description of one computation.
type Computation struct {
	Name     string      // SpMV.1
	Sequence string      // map ▷ reduce
	Exact    bool        // all variants that run on processors give the bits of plain Go
	Strided  int         // the level whose elements are read at a distance, those of the level around it side by side; 0 for none
	Costs    []LevelCost // of each level, the outermost first
	Forms    []Form      // the others than the nest, whose Strided and Costs these are
	Codes    []Code      // form by form, the nest last; of each form the strongest schedule first
	// Omitted is how many codes of the search space the generated file does not have, because it was written for
	// those that are likely to be chosen.
	Omitted int
	// Like is the computation of the kernel that [Kernel.Like] names whose models are used for this one, which does the
	// same for a part of its elements; "" if there is none.
	Like string

	once    sync.Once
	codes   []selector.Code // available ones
	funcs   []Func
	missing map[string]string // unavailable code text → reason
	err     error

	lacking     map[string]string // platforms that there is no code for → what is in the way
	platforms   []string          // of all codes, also of those that cannot run
	accelerator string            // the platform that runs on one, "" if none does
	workgroup   int               // the most work-items of a workgroup there

	last atomic.Pointer[remembered]
}

// Likeness is a kernel by name and hash, none if it is zero.
type Likeness struct{ Kernel, Hash string }

// Kernel is the run-time description of one kernel.
type Kernel struct {
	Name         string
	Pos          string // file:line of the source
	Hash         string // of the kernel's fused IR: a model for another hash is not used
	Computations []*Computation
	Tree         bool      // loops or conditions hold computations: Run says where it begins and ends, by Start and Finish
	Alternatives []*Kernel // other algorithms for it
	Plain        Plain     // what it costs as plain Go, where RunsPlain is asked
	Exits        bool      // its loops have exits: where a check fails, the kernel itself says what comes of it
	Like         Likeness  // whose models are used for it, if it is a step of a kernel that is cut into blocks
	// Features are those that the package declares for the kernel (surge:feature), at most MaxDeclared; Requested names
	// the ready-made features that its training is to use (surge:features).
	Features  []DeclaredFeature
	Requested []string

	models modelState
	// Of calls that bind and run it once: the trials, and memory for rows.
	calls    atomic.Pointer[callTrials]
	packings sync.Pool
}

// parse fills the tables on first use.
func (c *Computation) parse() error {
	c.once.Do(func() {
		c.missing = map[string]string{}
		taken := ""
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
			if code.Text == taken {
				continue // for machines with narrower vectors
			}
			if reason := code.Func.Available(code.VectorBits); reason != "" {
				c.missing[code.Text] = reason
				continue
			}
			c.codes = append(c.codes, selector.Code{Variant: v, Launch: launch, Halves: c.missing[code.Text] != ""})
			taken = code.Text
			delete(c.missing, taken)
			c.funcs = append(c.funcs, code.Func)
			if a, ok := code.Func.(Accelerator); ok && c.accelerator == "" {
				if workgroup, ok := a.Accelerated(); ok {
					c.accelerator, c.workgroup = v.Platform, workgroup
				}
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

// accelerated reports whether a computation of the kernel can run on an accelerator here.
func (k *Kernel) accelerated() bool {
	return slices.ContainsFunc(k.Computations, func(c *Computation) bool { return c.parse() == nil && c.accelerator != "" })
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

// codeOf returns the entry of codes that runs v.
func (c *Computation) codeOf(v selector.Variant) (int, error) {
	for i := range c.codes {
		if c.codes[i].Realises(v) {
			return i, nil
		}
	}
	return 0, fmt.Errorf("exec: %s has no code for %s", c.Name, v)
}

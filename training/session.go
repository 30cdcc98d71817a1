package training

import (
	"context"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training/input"
)

// Options of [Open]. The zero value is fine.
type Options struct {
	// CacheDir keeps the binaries of harnesses; empty stands for surge in the user's cache directory.
	CacheDir string
	// NoSIMD builds without vector instructions. Otherwise they are built in where the platform has them (amd64).
	NoSIMD bool
	// Platforms names the platforms to compile for; nil means all.
	Platforms []string
	// Progress is told what is being done when it takes long enough to be noticed; nil for nobody.
	Progress func(text string)
}

// Session is a running harness of one Go package. It serves one call at a time; calls from several goroutines wait for
// each other. The context of a call that ends before the call does ends the harness too: the session then answers every
// further call with an error.
type Session struct{}

// Open compiles the kernels of the Go package in dir, or finds what was compiled earlier, and starts the harness.
//
// Errors are load.Diagnostics and *fuse.Unsupported where the user's program is at fault, the context's error, and
// *[Error] otherwise. A damaged cache is no error: it is built anew.
func Open(ctx context.Context, dir string, opt Options) (*Session, error) { panic("…") }

// Describe returns what the harness holds: kernels with parameters, results, computations and codes, and which of the
// codes cannot run here, and why. The caller must not change it.
func (s *Session) Describe() *harness.Description { panic("…") }

// Kernel returns the description of a kernel by name; the error is an *[Error] with the nearest names.
// An empty name stands for the only kernel of the package.
func (s *Session) Kernel(name string) (*harness.KernelInfo, error) { panic("…") }

// Program returns the compiled program with its search spaces. After a start from the cache it loads and compiles the
// package, once.
func (s *Session) Program(ctx context.Context) (*codegen.Program, error) { panic("…") }

// Variants returns the variants of a kernel's search space that this machine can run, computation by computation,
// in the order of the space. It needs [Session.Program].
func (s *Session) Variants(ctx context.Context, kernel string) ([]selector.Variant, error) {
	panic("…")
}

// BindOptions of [Session.Bind].
type BindOptions struct {
	// Threads limits the number of workers; 0 means as many as there are processors.
	Threads int
	// Unchecked skips the checks of indices and offsets; see exec.Unchecked.
	Unchecked bool
	// Platform restricts the choice to one platform; "" or "auto" lets the selector choose.
	Platform string
	// Variants forces variants: ids, canonical texts, or parts of them; see exec.Variant.
	Variants []string
}

// Bind checks arguments and hands them to the harness: one value a parameter of the kernel, in order, of the parameter's
// type. A wrong number or type is an *[Error]; input that the kernel cannot take (an index out of range, lengths that
// disagree) and a variant that does not exist are an *exec.Error.
// The values are copied; the caller may drop them.
func (s *Session) Bind(ctx context.Context, kernel string, args []input.Value, opt BindOptions) (*Bound, error) {
	panic("…")
}

// Close ends the harness. Calls after it answer with an error.
func (s *Session) Close() error { panic("…") }

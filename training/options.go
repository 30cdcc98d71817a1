package training

// Options of [Open]. The zero value is fine.
type Options struct {
	// CacheDir keeps the binaries of harnesses; empty stands for surge in the user's cache directory.
	CacheDir string
	// NoSIMD builds without vector instructions. Otherwise they are built in where the platform has them (amd64).
	NoSIMD bool
	// Platforms names the platforms whose search spaces [Session.Program] has; nil means all. What is built has code for
	// goroutines, and for the other platforms that are named.
	Platforms []string
	// Kernel, if not empty, names the only kernel that is needed. Where the package has one that cannot be compiled, the
	// harness has this kernel and the other algorithms for it alone.
	Kernel string
	// Model is the text of the model file whose variants a program for a cluster has, "" if there is none.
	Model string
	// Every, if it is more than 1, builds in every so many of the codes of each computation only, and the plainest: for
	// tests of many kernels that have minutes.
	Every int
	// EveryKernel, if it is more than 1, compiles every so many of the kernels only, and no other algorithms for them: for
	// such tests as well. Those that Besides names are compiled in any case, and the other algorithms for them too.
	EveryKernel int
	Besides     []string
	// Progress is told what is being done when it takes long enough to be noticed; nil for nobody.
	Progress func(text string)
}

func (o *Options) say(text string) {
	if o.Progress != nil {
		o.Progress(text)
	}
}

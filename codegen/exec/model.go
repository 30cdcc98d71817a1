package exec

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
)

// Identified is a Func that knows the device it runs on. Models are kept for devices: without it there are none.
type Identified interface {
	// Device names the machine as far as it decides which variants are fast, "" if that is not known. It is the same
	// for every Func of a platform.
	Device() string
}

// modelState is what a kernel knows of trained models. Its zero value is a kernel without any.
type modelState struct {
	mu      sync.Mutex
	pending func() ([]byte, error) // reads the model file; nil when that was done
	source  string
	trained atomic.Pointer[usable]
}

// usable is what chooses for a kernel: for every question the rankers in the order of trust.
type usable struct {
	// variants has for each computation and platform the rankers that a model file has for it, and behind them the
	// untrained one; a platform without models is not there. algorithms has the same for the choice of the algorithm.
	variants   []map[string]selector.Chain
	algorithms map[string]subject
	targets    targets
	asked      asked
	trained    bool // there is a model of the kernel or for its platform
}

// subject is a choice for a whole kernel: among what, and by which rankers.
type subject struct {
	codes []selector.Code
	chain selector.Chain
}

// untrained is the order of trust where there are no models.
var untrained = selector.Chain{selector.Untrained{}}

// Embed gives kernels a model file that their program holds. It is read when one of them chooses a variant for the
// first time. That the file does not exist is no error; that it is broken, or of other kernels or another device, is
// written to standard error once, and the kernels choose as if there were none.
func Embed(files fs.FS, name string, kernels ...*Kernel) {
	for _, k := range kernels {
		k.models.mu.Lock()
		k.models.source = name
		k.models.pending = func() ([]byte, error) { return fs.ReadFile(files, name) }
		k.models.mu.Unlock()
		embedded.Store(Likeness{k.Name, k.Hash}, source{name, k.models.pending})
	}
}

// embedded are the model files that programs hold, a source by [Likeness]: for steps that are like these kernels.
var embedded sync.Map

type source struct {
	name string
	read func() ([]byte, error)
}

// UseEmbedded makes k choose by the models that its program holds, as if [Kernel.UseModel] had never been called, if it
// is like another kernel.
func (k *Kernel) UseEmbedded() {
	k.models.mu.Lock()
	defer k.models.mu.Unlock()
	k.models.trained.Store(nil)
}

// UseModel makes k choose by the models of a model file, as far as they fit the kernel and the device, and otherwise as
// if there were none; nil text stands for no file. It returns why the file is not used, "" if it is or does not mention
// k.
func (k *Kernel) UseModel(text []byte) (note string) {
	k.models.mu.Lock()
	defer k.models.mu.Unlock()
	k.models.pending = nil
	return k.install(text)
}

// install replaces the models. The caller holds the mutex.
func (k *Kernel) install(text []byte) (note string) {
	fitting := &usable{asked: asked{ready: make([][len(selector.ReadyMade)]bool, max(len(k.Computations), 1))}, algorithms: map[string]subject{}}
	defer func() { k.models.trained.Store(fitting) }()
	for _, c := range k.Computations {
		c.last.Store(nil)
		fitting.variants = append(fitting.variants, map[string]selector.Chain{})
	}
	devices := k.Devices()
	fitting.targets.init(k, devices)
	if text == nil {
		return ""
	}
	models, err := selector.ParseModels(text)
	if err != nil {
		return err.Error()
	}
	var notes []string
	for _, platform := range slices.Sorted(maps.Keys(devices)) {
		of := k.Like
		if of == (Likeness{}) {
			of = Likeness{k.Name, k.Hash}
		}
		m, why := selector.FindModel(models, of.Kernel, of.Hash, platform, devices[platform])
		if m != nil {
			why = k.changed(m)
		}
		if why != "" {
			notes = append(notes, why)
		}
		if m == nil || why != "" {
			continue
		}
		fitting.trained = true
		for i, c := range k.Computations {
			fitting.variants[i][platform] = fitting.rankers(k, i, k.classifiers(m, c), c.codes, c.knows)
		}
		algorithms := k.algorithms(platform)
		fitting.algorithms[platform] = subject{algorithms, fitting.rankers(k, -1, m.Classifiers(k.Name+selector.AlgorithmNumber), algorithms, always)}
	}
	if why := k.findTargets(models, devices, fitting); why != "" {
		notes = append(notes, why)
	}
	return strings.Join(slices.Compact(notes), "; ")
}

// rankers returns classifiers of computation i as rankers of codes, and behind them the untrained one; i is negative
// for the choices for a whole kernel. has reports whether the program has a variant that none of the codes runs.
func (u *usable) rankers(k *Kernel, i int, classifiers []*selector.Classifier, codes []selector.Code, has func(selector.Variant) bool) selector.Chain {
	var chain selector.Chain
	for _, cl := range classifiers {
		chain = append(chain, cl.For(codes, has))
		u.asked.add(k, i, cl)
	}
	return append(chain, selector.Untrained{})
}

// classifiers are those of a model for a computation.
func (k *Kernel) classifiers(m *selector.Model, c *Computation) []*selector.Classifier {
	if k.Like == (Likeness{}) {
		return m.Classifiers(c.Name)
	}
	var all []*selector.Classifier
	for _, cl := range m.Classifiers(c.Like) { // none of "", which is no computation
		all = append(all, cl.Renamed(c.Name))
	}
	return all
}

// always is for variants that are no code: whether a program has it says nothing.
func always(selector.Variant) bool { return true }

// changed says which declared feature that the model uses is another one by now, "" if none is.
func (k *Kernel) changed(m *selector.Model) string {
	for _, c := range m.Computations {
		for _, f := range c.Features {
			if f.Version == "" {
				continue
			}
			at := slices.IndexFunc(k.Features, func(d DeclaredFeature) bool { return d.Name == f.Name })
			switch {
			case at < 0:
				return fmt.Sprintf("it uses the feature %s, which is not declared any more", f.Name)
			case k.Features[at].Version != f.Version:
				return fmt.Sprintf("the feature %s has changed since the model was trained", f.Name)
			}
		}
	}
	return ""
}

// Devices returns the platforms that k has code for on this machine, each with the name that it has for the machine.
func (k *Kernel) Devices() map[string]string {
	devices := map[string]string{}
	for _, c := range k.Computations {
		if c.parse() != nil {
			continue
		}
		for i, f := range c.funcs {
			platform := c.codes[i].Platform
			if d, ok := f.(Identified); ok && devices[platform] == "" && d.Device() != "" {
				devices[platform] = d.Device()
			}
		}
	}
	return devices
}

// models returns the models that fit, reading the file if that was not done. What is wrong with it is reported once.
func (c *Call) models() *usable {
	s := &c.kernel.models
	if t := s.trained.Load(); t != nil {
		return t
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.trained.Load(); t != nil {
		return t
	}
	var text []byte
	why := ""
	if from, ok := embedded.Load(c.kernel.Like); ok && s.pending == nil {
		s.source, s.pending = from.(source).name, from.(source).read
	}
	if s.pending != nil {
		var err error
		if text, err = s.pending(); err != nil {
			if text = nil; !errors.Is(err, fs.ErrNotExist) { // that there is none is as good
				why = err.Error()
			}
		}
		s.pending = nil
	}
	if note := c.kernel.install(text); note != "" {
		why = note
	}
	if why != "" {
		note := fmt.Sprintf("surge: %s is not used for %s: %s\n", s.source, c.kernel.Name, why)
		if w := c.opts.explain; w != nil {
			fmt.Fprint(w, note)
		} else {
			fmt.Fprint(os.Stderr, note)
		}
	}
	return s.trained.Load()
}

// knows reports whether the program has the code of a variant, be it that this build or machine cannot run it.
func (c *Computation) knows(v selector.Variant) bool {
	for _, known := range c.Codes {
		of, err := selector.Parse(known.Text)
		launch, bad := param.ParseLaunch(known.Launch)
		code := selector.Code{Variant: of, Launch: launch}
		if err == nil && bad == nil && code.Realises(v) {
			return true
		}
	}
	return false
}

// Ranking returns the variants that a trained model weighed against each other, best first, with their decision values;
// nil when no model decided.
func (d *Decision) Ranking() []selector.Weighed {
	if d.ranking != nil || d.by == nil {
		return d.ranking
	}
	return d.by.Weigh(d.Features)
}

// SetRanking sets what Ranking returns, for a decision that was made in another process.
func (d *Decision) SetRanking(all []selector.Weighed) { d.ranking = all }

// remembered is the latest decision of a computation, for calls with the same features and options that matter.
type remembered struct {
	threads, cores int
	platform       string
	device         string
	copied         float64 // what [Call.toCopy] said
	code           int
	decision       Decision
}

// recall returns the latest decision if it is for the same question.
func (c *Call) recall(comp *Computation, features []selector.Feature) *remembered {
	if r := comp.last.Load(); r.same(c, features) && r.platform == c.chosen() && r.copied == c.toCopy() {
		return r
	}
	return nil
}

// same reports whether a decision is for these features and the options of the call, besides the platform.
func (r *remembered) same(c *Call, features []selector.Feature) bool {
	if r == nil || r.threads != c.opts.threads || r.device != c.opts.device || r.cores != runtime.GOMAXPROCS(0) || len(r.decision.Features) != len(features) {
		return false
	}
	for i, f := range features {
		// A feature that is not a number equals nothing.
		if g := r.decision.Features[i]; g.Name != f.Name || g.Value != f.Value {
			return false
		}
	}
	return true
}

package exec

import (
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
)

// Identified is a Func that knows the device it runs on. Models are kept for devices: without it there are none.
type Identified interface {
	// Device names the machine as far as it decides which variants are fast, "" if that is not known. It is the same for
	// every Func of a platform.
	Device() string
}

// modelState is what a kernel knows of trained models. Its zero value is a kernel without any.
type modelState struct {
	mu      sync.Mutex
	pending func() ([]byte, error) // reads the model file; nil when that was done
	source  string
	trained atomic.Pointer[usable]
}

// usable is what of a model file fits the kernel and the device.
type usable struct {
	models  []*trained
	asked   asked
	placing placing
}

// trained is a model that fits the kernel and the device.
type trained struct {
	model *selector.Model
	// classes has for each computation of the kernel and each variant of its classifier the entry of Computation.codes,
	// cannotRun where this build or machine does not have it, notGenerated where the program does not.
	classes [][]int
	// algorithms is the classifier for the algorithm, nil if there is none, and numbers has for each of its variants 0 for
	// the kernel itself, i for its alternative i-1, -1 for what is not known here.
	algorithms *selector.Classifier
	numbers    []int
}

// Embed gives kernels a model file that their program holds. It is read when one of them chooses a variant for the first
// time. That the file does not exist is no error; that it is broken, or of other kernels or another device, is written to
// standard error once, and the kernels choose as if there were none.
func Embed(files fs.FS, name string, kernels ...*Kernel) {
	for _, k := range kernels {
		k.models.mu.Lock()
		k.models.source = name
		k.models.pending = func() ([]byte, error) { return fs.ReadFile(files, name) }
		k.models.mu.Unlock()
	}
}

// UseModel makes k choose by the models of a model file, as far as they fit the kernel and the device, and otherwise as
// if there were none; nil text stands for no file. It returns why the file is not used, "" if it is or does not mention k.
func (k *Kernel) UseModel(text []byte) (note string) {
	k.models.mu.Lock()
	defer k.models.mu.Unlock()
	k.models.pending = nil
	return k.install(text)
}

// install replaces the models. The caller holds the mutex.
func (k *Kernel) install(text []byte) (note string) {
	fitting := &usable{asked: asked{ready: make([][len(selector.ReadyMade)]bool, max(len(k.Computations), 1))}}
	defer func() { k.models.trained.Store(fitting) }()
	for _, c := range k.Computations {
		c.last.Store(nil)
	}
	devices := k.Devices()
	fitting.placing.open = len(devices) > 1
	if text == nil {
		return ""
	}
	models, err := selector.ParseModels(text)
	if err != nil {
		return err.Error()
	}
	var notes []string
	for _, platform := range slices.Sorted(maps.Keys(devices)) {
		device := devices[platform]
		m, why := selector.FindModel(models, k.Name, k.Hash, platform, device)
		if m == nil {
			if why != "" {
				notes = append(notes, why)
			}
			continue
		}
		if why := k.changed(m); why != "" {
			notes = append(notes, why)
			continue
		}
		t := &trained{model: m, algorithms: m.Classifier(k.Name + selector.AlgorithmNumber)}
		for i, c := range k.Computations {
			cl := m.Classifier(c.Name)
			t.classes = append(t.classes, c.classes(cl))
			fitting.asked.add(k, i, cl)
		}
		if t.algorithms != nil {
			fitting.asked.add(k, -1, t.algorithms)
			for _, v := range t.algorithms.Variants {
				t.numbers = append(t.numbers, k.algorithm(v))
			}
		}
		fitting.models = append(fitting.models, t)
	}
	if why := k.findPlacing(models, devices, fitting); why != "" {
		notes = append(notes, why)
	}
	return strings.Join(slices.Compact(notes), "; ")
}

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

// What stands for variants that cannot be taken, in place of entries of Computation.codes.
const (
	cannotRun    = -1
	notGenerated = -2
)

func (c *Computation) classes(cl *selector.Classifier) []int {
	if cl == nil || c.parse() != nil {
		return nil
	}
	classes := make([]int, len(cl.Variants))
	for i, v := range cl.Variants {
		// The values of launch parameters need not be among those that are listed: those are what is worth measuring.
		classes[i] = slices.IndexFunc(c.codes, func(code selector.Code) bool { return code.Realises(v) })
		if classes[i] < 0 && !c.knows(v) {
			classes[i] = notGenerated
		}
	}
	return classes
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
	if s.pending != nil {
		var err error
		if text, err = s.pending(); err != nil {
			text = nil // there is none, which is as good
		}
		s.pending = nil
	}
	if why := c.kernel.install(text); why != "" {
		note := fmt.Sprintf("surge: %s is not used for %s: %s\n", s.source, c.kernel.Name, why)
		if w := c.opts.explain; w != nil {
			fmt.Fprint(w, note)
		} else {
			fmt.Fprint(os.Stderr, note)
		}
	}
	return s.trained.Load()
}

// byModel chooses among codes by a trained model. ok is false when none applies.
func (c *Call) byModel(i int, codes []selector.Code, restricted bool, d *Decision) (code int, ok bool) {
	comp := c.kernel.Computations[i]
	platform, _ := c.platformOf(comp, codes)
	for _, t := range c.models().models {
		if platform != t.model.Platform || t.classes[i] == nil {
			continue
		}
		cl := t.model.Classifier(comp.Name)
		verdict, known := cl.Decide(d.Features)
		if !known {
			d.Reason = "the model does not decide: " + cl.Refusal(d.Features) + c.trouble
			continue
		}
		limit := runtime.GOMAXPROCS(0)
		if c.opts.threads > 0 {
			limit = min(limit, c.opts.threads)
		}
		lacking := ""
		for rank, class := range verdict.Order[:verdict.Count] {
			v := &cl.Variants[class]
			at := t.classes[i][class]
			if at == notGenerated && lacking == "" {
				lacking = fmt.Sprintf("; %s, which it prefers, is not in this program: run surge generate", v.ID())
			}
			if at < 0 || v.Int(selector.NumThreads, 1) > limit {
				continue
			}
			if restricted && !slices.ContainsFunc(codes, func(code selector.Code) bool { return code.Admits(*v) }) {
				continue
			}
			d.Variant, d.Selector, d.Reason = *v, t.model.Name(), cl.Reason(rank)+lacking
			d.classifier = cl
			return at, true
		}
		d.Reason = "the model does not decide: all of its variants take more threads than are allowed, or are not among those to choose from" + lacking
	}
	return 0, false
}

// knows reports whether the program has the code of a variant, be it that this build or machine cannot run it.
func (c *Computation) knows(v selector.Variant) bool {
	for _, known := range c.Codes {
		of, err := selector.Parse(known.Text)
		code := selector.Code{Variant: of, Launch: parseLaunch(known.Launch)}
		if err == nil && code.Realises(v) {
			return true
		}
	}
	return false
}

// Ranked is a variant with its decision value.
type Ranked struct {
	Variant selector.Variant
	Value   float64
}

// Ranking returns the variants that a trained model weighed against each other, best first, with their decision values;
// nil when no model decided.
func (d *Decision) Ranking() []Ranked {
	if d.ranking != nil || d.classifier == nil {
		return d.ranking
	}
	verdict, ok := d.classifier.Decide(d.Features)
	if !ok {
		return nil
	}
	var all []Ranked
	for _, class := range verdict.Order[:verdict.Count] {
		all = append(all, Ranked{d.classifier.Variants[class], verdict.Values[class]})
	}
	return all
}

// SetRanking sets what Ranking returns, for a decision that was made in another process.
func (d *Decision) SetRanking(all []Ranked) { d.ranking = all }

// remembered is the latest decision of a computation, for calls with the same features and options that matter.
type remembered struct {
	threads, cores int
	platform       string
	device         string
	code           int
	decision       Decision
}

// recall returns the latest decision if it is for the same question.
func (c *Call) recall(comp *Computation, features []selector.Feature) *remembered {
	if r := comp.last.Load(); r.same(c, features) && r.platform == c.chosen() {
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

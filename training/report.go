package training

import (
	"io"
	"time"

	"github.com/surge-ndp/surge/training/fit"
	"github.com/surge-ndp/surge/training/input"
)

// Report is what [Train] gives.
type Report struct {
	// Measurements is the file that keeps them.
	Measurements string
	// Trained has a result for each platform, in the order of the plan, and then, where there are several, those of the
	// choice between them.
	Trained []*Trained
}

// Trained is what was learned for one platform, or for the choice between several.
type Trained struct {
	Kernel, Hash, Platform, Device string
	// Learn and Judge are how many inputs were learned from and judged by; Overlap is how many are both, which Force
	// allows.
	Learn, Judge, Overlap int
	// Spent is the time that measuring took, in this run.
	Spent time.Duration
	// SearchPart is the part of the measuring time that a replayed search takes.
	SearchPart float64
	// Foreign says that what was replayed is of another machine, whose the model is then.
	Foreign bool
	// Several says that there are results for several platforms.
	Several bool
	// Learned has the models, and how good they are.
	*Learned
	// Lost says where the model is not worth having, nil if nowhere; it is not installed then unless that is forced.
	// NoGain says for what it is no better than the choice without it. For a single input there is neither: what is kept
	// is its best by definition, and another rank is noise.
	Lost   *fit.Loses
	NoGain []fit.Loses
	// Measurements is the file that keeps them, Model the one that the model was installed in, "" if it was not.
	Measurements, Model string
}

// trained is the result of a run, without what was learned.
func (r *run) trained() *Trained {
	t := r.trainer
	return &Trained{Kernel: t.Kernel.Name, Hash: t.Kernel.Hash, Platform: t.Platform, Device: t.Device, Learn: len(r.learn), Judge: len(r.judge),
		Overlap: len(t.Overlap(r.learn, r.judge)), Spent: t.Spent, SearchPart: r.searchPart, Foreign: t.Device != t.Kernel.Devices[t.Platform]}
}

// add completes a result, hands it out, and installs its model.
func (r *Report) add(p *Plan, t *Trained, l *Learned, several bool) error {
	t.Learned, t.Several, t.Measurements = l, several, r.Measurements
	if !p.Single {
		if t.Lost = fit.Lost(l.Judged); t.Lost == nil {
			t.NoGain = fit.NoGain(l.Judged)
		}
	}
	if p.Finish != nil {
		if err := p.Finish(t); err != nil {
			return err
		}
	}
	if p.Model != "" && (t.Lost == nil || p.Force) {
		why, err := Install(p.Model, l)
		if err != nil {
			return err
		}
		if why != "" {
			p.say("%s is replaced: %s", p.Model, why)
		}
		t.Model = p.Model
	}
	r.Trained = append(r.Trained, t)
	return nil
}

// Install puts models into a file, in the place of those for the same kernel, platform and device; see [MergeModel].
// The file is the old one or the new one at any time. Text that is no model file is replaced: why says so.
func Install(path string, l *Learned) (why string, err error) {
	text, err := ReadModelFile(path)
	if err != nil {
		return "", &Error{Where: path, Code: CodeModel, What: err.Error(), Err: err}
	}
	for _, m := range l.Models {
		merged, broken, err := MergeModel(text, m)
		if err != nil {
			return "", err
		}
		if broken != "" {
			why = broken
		}
		text = merged
	}
	if err := WriteFile(path, text); err != nil {
		return "", &Error{Where: path, Code: CodeWrite, What: err.Error(), Err: err,
			Do: "make room, or name another file with -o; the file that was there is unchanged, and no measurement is lost: run the same command with --replay"}
	}
	return why, nil
}

// WriteFile replaces a file in one step, as [input.ReplaceFile] does.
func WriteFile(path string, content []byte) error {
	return input.ReplaceFile(path, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

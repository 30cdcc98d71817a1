package training

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training/fit"
)

// Platforms measures and learns which of several platforms a kernel is to run on, depending on the input. It is
// trained as the choice of an algorithm is: as computation 0 of the kernel, whose variants are the platforms, each
// timed as a whole with its fastest known variants. There are two such choices, see [selector.PlatformChoice]: for
// arrays on the host, the copies to a device and back being a part of the time, and for arrays that stay on the
// device.
type Platforms struct {
	// Trainers are those of one kernel on each platform, that of the processors first. They share session and store, and
	// have measured.
	Trainers []*Trainer
	// Spent is the time that measuring took, in this run.
	Spent time.Duration
}

// device is what the measurements of a choice are kept for.
func (p *Platforms) device(choice string) string { return choice + ": " + p.Device() }

// Device names the devices of all platforms.
func (p *Platforms) Device() string {
	devices := map[string]string{}
	for _, t := range p.Trainers {
		devices[t.Platform] = t.Device
	}
	return selector.Machines(devices)
}

var choices = []string{selector.PlatformChoice, selector.ResidentChoice}

// Choices are the names of the choices, in the order of what Fit returns.
func (p *Platforms) Choices() []string { return choices }

// Compare makes pass number pass, below [ComparePasses], of timing the platforms on an input that the trainers have
// measured, taking turns. It does nothing for what is known from an earlier run. A platform that fails on the input
// is one that is not chosen for it.
func (p *Platforms) Compare(ctx context.Context, c Case, id string, pass int) error {
	host := p.Trainers[0]
	name := host.Kernel.Name + selector.AlgorithmNumber
	if len(host.Kernel.Computations) == 0 {
		return nil
	}
	first := host.Store.find(host.Kernel.Hash, host.Device, host.Kernel.Computations[0].Name, id)
	if first == nil {
		return nil
	}
	for _, t := range p.Trainers {
		in := t.Store.find(t.Kernel.Hash, t.Device, t.Kernel.Computations[0].Name, id)
		if (in == nil || in.done == 0) && !t.refused[id] {
			return nil // the budget did not suffice for it
		}
	}
	complete, failed := true, map[string]bool{}
	for _, choice := range choices {
		known := host.Store.find(host.Kernel.Hash, p.device(choice), name, id)
		if complete = complete && known != nil && host.hasFeatures(known); known == nil {
			continue
		}
		for _, t := range p.Trainers {
			m := known.variants[selector.OnPlatform(host.Kernel.Name, t.Platform).String()]
			failed[t.Platform] = failed[t.Platform] || m != nil && m.status == Failed
			complete = complete && m != nil && (m.status == Failed || len(m.final) >= (pass+1)*algorithmRounds)
		}
	}
	if complete {
		return nil
	}
	args, err := c.Load(ctx)
	if err != nil {
		return err
	}
	bound, err := host.Session.Bind(ctx, host.Kernel.Name, args, BindOptions{Threads: host.Threads})
	if err != nil {
		return err
	}
	defer bound.Release(context.WithoutCancel(ctx))
	start := time.Now()
	defer func() { p.Spent += time.Since(start) }()
	for _, choice := range choices {
		intro := host.record(name, id)
		intro.Device, intro.Name, intro.Features = p.device(choice), c.Name, first.Features
		// What auto takes without a model.
		intro.Untrained = selector.OnPlatform(host.Kernel.Name, bound.Decisions()[0].Variant.Platform).String()
		if err := host.Store.put(intro); err != nil {
			return err
		}
	}
	for round := 1; round <= algorithmRounds; round++ {
		for k := range p.Trainers {
			t := p.Trainers[(k+round)%len(p.Trainers)]
			for _, choice := range choices {
				resident := choice == selector.ResidentChoice
				if failed[t.Platform] || resident && t == host {
					continue // the processors' arrays are on the host in any case
				}
				line := host.record(name, id)
				line.Variant, line.Final, line.Round = selector.OnPlatform(host.Kernel.Name, t.Platform).String(), 1, pass*algorithmRounds+round
				if err := p.turn(ctx, bound, t, id, pass == 0 && round == 1 && !resident, resident, &line); err != nil {
					return err
				}
				failed[t.Platform] = line.Status == Failed
				for _, other := range choices {
					if other == choice || t == host || line.Status == Failed {
						line.Device = p.device(other)
						if err := host.Store.put(line); err != nil {
							return err
						}
					}
				}
			}
		}
	}
	return nil
}

// turn runs a platform's fastest variants and fills in the line.
func (p *Platforms) turn(ctx context.Context, bound *Bound, t *Trainer, id string, verify, resident bool, line *record) error {
	forced := t.best(id)
	if len(forced) == 0 {
		line.Status, line.Reason = Failed, "no variant of it works on this input"
		return nil
	}
	last := time.Now()
	defer func() { line.Took = float64(time.Since(last)) }()
	res, err := bound.Run(ctx, RunOptions{Variants: forced, Repeat: turnRuns, Verify: verify, Resident: resident})
	var device *Error
	switch {
	case err != nil && (ctx.Err() != nil || works(err) && !(errors.As(err, &device) && device.Code == CodeDevice)):
		return err
	case err != nil:
		line.Status, line.Reason = Failed, err.Error()
	case !res.Verified():
		line.Status, line.Reason = Failed, "wrong: "+describeBad(firstBad(res.Comparisons))
	default:
		line.Status = OK
		for _, d := range res.Times {
			line.Times = append(line.Times, float64(d))
		}
	}
	return nil
}

// best returns how to force the fastest known variants, those of the fastest algorithm; nil where none works.
func (t *Trainer) best(id string) []string {
	own := t.fastest(id)
	if len(t.Alternatives) == 0 {
		return own[min(1, len(own)):] // there is no algorithm to name
	}
	in := t.Store.find(t.Kernel.Hash, t.Device, t.Kernel.Name+selector.AlgorithmNumber, id)
	if in == nil {
		return own
	}
	name := in.fastest()
	for _, a := range t.Alternatives {
		if selector.Algorithm(t.Kernel.Name, a.Kernel.Name, t.Platform, a.Kernel.Hash).String() == name {
			return a.fastest(id)
		}
	}
	return own
}

// fastest returns the variant with the least time, "" if none works.
func (in *measuredInput) fastest() string {
	index := map[string]int{}
	for i, text := range in.order {
		index[text] = i
	}
	times := slices.Repeat([]float64{math.NaN()}, len(in.order))
	in.fill(times, make([][]float64, len(times)), index)
	best, least := "", math.Inf(1)
	for i, text := range in.order {
		if times[i] < least {
			best, least = text, times[i]
		}
	}
	return best
}

// Times returns the time of each platform on an input that was compared, in nanoseconds, for arrays on the host and for
// arrays that stay on the device. Times of one map are comparable with each other.
func (p *Platforms) Times(id string) (host, device map[string]float64) {
	var all [2]map[string]float64
	t := p.Trainers[0]
	for i, choice := range choices {
		all[i] = map[string]float64{}
		in := t.Store.find(t.Kernel.Hash, p.device(choice), t.Kernel.Name+selector.AlgorithmNumber, id)
		if in == nil {
			continue
		}
		index, times := map[string]int{}, slices.Repeat([]float64{math.NaN()}, len(in.order))
		for at, text := range in.order {
			index[text] = at
		}
		in.fill(times, make([][]float64, len(times)), index)
		for at, text := range in.order {
			if v, err := selector.Parse(text); err == nil {
				all[i][v.Platform] = times[at]
			}
		}
	}
	return all[0], all[1]
}

// Fit learns each choice from the inputs train and judges it on test, as [Trainer.Fit] does.
func (p *Platforms) Fit(train, test []string) ([]*Learned, error) {
	host := p.Trainers[0]
	name := host.Kernel.Name + selector.AlgorithmNumber
	var variants []selector.Variant
	for _, t := range p.Trainers {
		variants = append(variants, selector.OnPlatform(host.Kernel.Name, t.Platform))
	}
	var all []*Learned
	for _, choice := range choices {
		table, hash, err := host.Store.table(host.Kernel.Hash, p.device(choice), name, train, variants, host.Kernel.Features, nil, true)
		if err != nil {
			return nil, err
		}
		if len(table.Inputs) == 0 {
			return nil, &Error{Where: host.Kernel.Name, Code: CodeMeasurements, What: "the platforms were not compared on these inputs",
				Why: "that is a part of training for several platforms", Do: "train without --replay: what was measured is not measured again"}
		}
		tests, _, err := host.Store.table(host.Kernel.Hash, p.device(choice), name, test, table.Variants, host.Kernel.Features, nil, true)
		if err != nil {
			return nil, err
		}
		sets, err := host.featureSets(table, tests)
		if err != nil {
			return nil, err
		}
		j, err := fit.Learn(table, tests, sets, fit.Options{OrSingle: true, Ranker: host.Ranker})
		if err != nil {
			return nil, &Error{Where: host.Kernel.Name, Code: CodeTraining, What: err.Error(), Err: err}
		}
		host.setVersions(j.Classifier)
		j.Classifier.Summary.Measurements = hash
		j.Classifier.Summary.Seconds = host.Store.seconds(host.Kernel.Hash, p.device(choice), name, train, nil)
		m := &selector.Model{Kernel: host.Kernel.Name, Hash: host.Kernel.Hash, Platform: choice, Device: p.Device(), Computations: []*selector.Classifier{j.Classifier}}
		all = append(all, &Learned{Models: []*selector.Model{m}, Judged: []*fit.Judgement{j}})
	}
	return all, nil
}

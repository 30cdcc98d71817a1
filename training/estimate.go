package training

import (
	"context"
	"fmt"
	"time"

	"github.com/surge-ndp/surge/codegen/harness"
)

// Estimate is what training for one platform would take.
type Estimate struct {
	Kernel, Platform string
	// Learn and Judge are how many inputs there are, Known those of them that are measured already, and Measure how many
	// are not.
	Learn, Judge, Known, Measure int
	// Variants is how many there are in the search space.
	Variants int
	// Time is about how long measuring takes, without comparing; About says how that is known.
	Time  time.Duration
	About string
}

// roughly is what a variant takes on an input where nothing was measured yet.
const roughly = 2 * 8 * time.Millisecond

// Estimates says what [Train] would do, for each platform, and measures nothing.
func Estimates(ctx context.Context, p Plan) ([]*Estimate, error) {
	k, err := p.check()
	if err != nil {
		return nil, err
	}
	_, store, err := p.open(false)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	learn, judge, err := p.identify(ctx, true)
	if err != nil {
		return nil, err
	}
	var all []*Estimate
	for _, platform := range p.platforms() {
		if len(p.platforms()) > 1 {
			p.say("training for the platform %s", platform)
		}
		e, err := p.estimate(ctx, k, platform, store, learn, judge)
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, nil
}

func (p *Plan) estimate(ctx context.Context, k *harness.KernelInfo, platform string, store *Measurements, learn, judge []string) (*Estimate, error) {
	t, err := p.trainer(ctx, k, platform, store)
	if err != nil {
		return nil, err
	}
	e := &Estimate{Kernel: k.Name, Platform: platform, Variants: len(t.Variants)}
	tried := 0
	var spent time.Duration
	count := func(ids []string) (all, unknown int) {
		for _, id := range ids {
			if id == "" {
				continue
			}
			all++
			if done, variants, took := t.Known(id); done {
				e.Known, tried, spent = e.Known+1, tried+variants, spent+took
			} else {
				unknown++
			}
		}
		return all, unknown
	}
	searched := t.Strategy != nil
	t.Few = p.few()
	var learning, judging int
	e.Learn, learning = count(learn)
	t.Strategy, t.Few = nil, false // what a model is judged by is measured in full
	e.Judge, judging = count(judge)
	e.Measure = learning + judging
	each := roughly
	e.About = "a rough guess: 2 turns of 8 ms for each variant"
	if tried > 0 {
		each, e.About = spent/time.Duration(tried), "as long for each variant as on those that are measured"
	}
	all := each * time.Duration(len(t.Variants))
	e.Time = all * time.Duration(learning)
	if searched {
		e.Time = time.Duration(SearchMost * float64(e.Time))
		e.About += fmt.Sprintf("; a search tries at most %.0f %% of the variants on an input to learn from", 100*SearchMost)
	}
	if p.few() {
		n := 0
		for _, c := range t.Kernel.Computations {
			n += len(t.paths(c.Name))
		}
		e.Time = each * time.Duration(n*learning)
		e.About += fmt.Sprintf("; thresholds need times of %d of them on an input to learn from", n)
	}
	if budget := p.Budget / time.Duration(len(p.platforms())); budget > 0 && e.Time > budget {
		e.Time = budget
		e.About += "; --budget ends it earlier"
	}
	e.Time += all * time.Duration(judging)
	return e, nil
}

package main

import (
	"fmt"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/surge-ndp/surge/training"
)

// trainStages shows how far training is, each stage by itself.
func (a *app) trainStages() func(training.Progress) {
	var stage *training.Stage
	var show func(name string, p *training.TrainProgress)
	return func(p training.Progress) {
		if p.Stage != stage {
			if show != nil {
				show("", nil)
			}
			if stage, show = p.Stage, nil; stage != nil {
				show = a.trainProgress(stage.Inputs, stage.Parts)
			}
		}
		if show != nil {
			show(p.Name, &p.State)
		}
	}
}

// trainProgress shows how far measuring is, of so many inputs with so many parts each.
func (a *app) trainProgress(total, parts int) func(name string, p *training.TrainProgress) {
	seen := map[string]bool{}
	known := 0                    // of those seen, measured in an earlier run
	computed := map[string]bool{} // computations of the present input
	if terminalWidth(a.err) > 0 {
		bar := progressbar.NewOptions(total*1000, progressbar.OptionSetWriter(a.err), progressbar.OptionSetWidth(30),
			progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
		return func(name string, p *training.TrainProgress) {
			if p == nil {
				_ = bar.Finish()
				return
			}
			seen[name] = true
			at := (len(seen) - 1) * 1000
			if p.Total > 0 {
				at += 1000 * p.Done / p.Total
			}
			text := fmt.Sprintf("%d/%d %s", len(seen), total, name)
			if p.Best != nil {
				text += ", best " + duration(p.Best.Median)
			}
			bar.Describe(text)
			_ = bar.Set(at)
		}
	}
	told, start := time.Now(), time.Now()
	return func(name string, p *training.TrainProgress) {
		if p == nil {
			return
		}
		if !seen[name] {
			seen[name] = true
			clear(computed)
			if p.Known {
				known++
			}
		}
		part := 0.0 // of this input
		if p.Last != nil && p.Total > 0 && parts > 0 {
			computed[p.Last.Variant.Computation] = true
			part = min((float64(len(computed)-1)+float64(p.Done)/float64(p.Total))/float64(parts), 1)
		}
		if time.Since(told) < 5*time.Second {
			return
		}
		told = time.Now()
		a.progress(fmt.Sprintf("input %d of %d: %s%s", len(seen), total, name, timeLeft(time.Since(start), float64(len(seen)-1)+part, known, total)))
	}
}

// timeLeft says how long measuring takes on, going by what is done, inputs and a part of one, without those that were
// known from an earlier run and took no time: nothing before any of that is.
func timeLeft(since time.Duration, done float64, known, total int) string {
	measured := done - float64(known)
	if measured <= 0 {
		return ""
	}
	left := time.Duration(float64(since) * (float64(total) - done) / measured)
	return fmt.Sprintf("; about %s left", left.Round(time.Second))
}

package policy

import (
	"slices"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/schedule"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/selector/param"
)

// Space is the search space of one computation in one form on one platform.
type Space struct {
	// Computation and Form are names as they stand in variants: SpMV.1, nest.
	Computation, Form string
	// Platform and Machine are what was enumerated for.
	Platform *Platform
	Machine  Machine
	// Sequence is the computation's expression sequence.
	Sequence fuse.Sequence
	// Candidates are the schedules, strongest first, with the reasons of those that were pruned.
	Candidates []schedule.Candidate
	// Schedules has one entry for each schedule that was not pruned, in the order of Candidates.
	Schedules []ScheduleSpace
	// Product is the size of the Cartesian products of all value lists, summed over the valid schedules.
	Product int
	// Distinct is how many of those points differ once parameters that do not matter are left out. Some are pruned.
	Distinct int
	// Pruned counts the distinct points that were pruned, by reason, in the order in which the reasons came up.
	Pruned []Pruned

	codes []code
}

// ScheduleSpace is the part of a space that has one schedule.
type ScheduleSpace struct {
	Schedule schedule.Schedule
	// Parameters are the inferred ones, in canonical order, with the values that each can take.
	Parameters []Listed
	// Product, Distinct and Valid count points as in Space; Valid is what is left after pruning.
	Product, Distinct, Valid int
	// Reason says why no point is left, if none is: that of the points which passed most rules.
	Reason string

	stage int // of Reason
}

// Listed is an inferred parameter with its values.
type Listed struct {
	Inferred
	Values []string
}

// Pruned is a reason for which points were pruned.
type Pruned struct {
	// Constraint is the name of the rule.
	Constraint string
	Reason     string
	// Count is the number of distinct points.
	Count int
	// Example is one of them. Its launch settings are absent when the code alone was reason enough.
	Example selector.Variant
}

// code is a valid code with the launches that survived.
type code struct {
	selector.Code
	launches []param.Policy
}

// Enumerate builds the search space of a computation (Surge Figure 1): schedules, parameters, the product of their
// values, pruning. The extra constraints come from code generation, which may be unable to generate a code ("level 2
// cannot be vectorised: math.Exp has no vector form"); they see code parameters only and are asked once for each
// assignment of those that the platform's own rules accept. The computation and the form stand in the variants.
func Enumerate(computation, form string, seq fuse.Sequence, platform *Platform, m Machine, extra []Constraint) *Space {
	sp := &Space{Computation: computation, Form: form, Platform: platform, Machine: m, Sequence: seq,
		Candidates: schedule.Enumerate(seq, platform.ScheduleConstraints)}
	for _, c := range sp.Candidates {
		if c.Pruned == "" {
			sp.addSchedule(c.Schedule, extra)
		}
	}
	return sp
}

// Size returns the number of valid variants.
func (sp *Space) Size() int {
	n := 0
	for i := range sp.codes {
		n += len(sp.codes[i].launches)
	}
	return n
}

// WhyEmpty is the reason why a space without variants has none: that of the weakest schedule, "" where nothing is
// known.
func (sp *Space) WhyEmpty() string {
	if sp.Size() > 0 || len(sp.Schedules) == 0 {
		return ""
	}
	return sp.Schedules[len(sp.Schedules)-1].Reason
}

// Valid returns every valid variant, in a stable order: by schedule, strongest first, then by code, then by launch.
func (sp *Space) Valid() []selector.Variant {
	all := make([]selector.Variant, 0, sp.Size())
	for i := range sp.codes {
		c := &sp.codes[i]
		for _, launch := range c.launches {
			all = append(all, c.With(launch))
		}
	}
	return all
}

// Codes returns the codes that valid variants have, in the order of Valid, each with the launch values that occur.
func (sp *Space) Codes() []selector.Code {
	codes := make([]selector.Code, len(sp.codes))
	for i := range sp.codes {
		codes[i] = sp.codes[i].Code
	}
	return codes
}

// enumeration is the state of the walk through the points of one schedule.
type enumeration struct {
	space *Space
	ctx   Context
	part  *ScheduleSpace
	// The platform's constraints by stage, and code generation's.
	codeRules, extra, launchRules []Constraint
	codeParams, launchParams      []Listed
	active                        []*Listed // the launch parameters of the code at hand
}

func (sp *Space) addSchedule(s schedule.Schedule, extra []Constraint) {
	part := ScheduleSpace{Schedule: s, Product: 1}
	e := enumeration{space: sp, part: &part, extra: extra, ctx: Context{Sequence: sp.Sequence, Schedule: s, Machine: sp.Machine}}
	for _, p := range Infer(sp.Platform, sp.Sequence, s) {
		listed := Listed{Inferred: p, Values: p.Param.Values(sp.Machine, sp.Sequence, p.Depth)}
		if len(listed.Values) == 0 {
			continue // the parameter does not exist at this depth
		}
		part.Parameters = append(part.Parameters, listed)
		part.Product *= len(listed.Values)
		if p.Param.Code {
			e.codeParams = append(e.codeParams, listed)
		} else {
			e.launchParams = append(e.launchParams, listed)
		}
	}
	for _, c := range sp.Platform.Constraints {
		if c.Code {
			e.codeRules = append(e.codeRules, c)
		} else {
			e.launchRules = append(e.launchRules, c)
		}
	}
	e.walkCode(nil, 0)
	if part.Valid > 0 {
		part.Reason = ""
	}
	sp.Product += part.Product
	sp.Distinct += part.Distinct
	sp.Schedules = append(sp.Schedules, part)
}

// walkCode gives the code parameters from the i-th on their values and hands each policy to oneCode.
func (e *enumeration) walkCode(chosen param.Policy, i int) {
	if i == len(e.codeParams) {
		e.oneCode(slices.Clone(chosen))
		return
	}
	p := &e.codeParams[i]
	if p.Param.Active != nil && !p.Param.Active(chosen, p.Depth) {
		e.walkCode(chosen, i+1)
		return
	}
	for _, v := range p.Values {
		e.walkCode(append(chosen, param.Setting{Name: p.Name, Value: v}), i+1)
	}
}

// oneCode judges a policy of code parameters and walks its launches.
func (e *enumeration) oneCode(chosen param.Policy) {
	active := e.active[:0]
	points := 1
	for i := range e.launchParams {
		p := &e.launchParams[i]
		if p.Param.Active == nil || p.Param.Active(chosen, p.Depth) {
			active = append(active, p)
			points *= len(p.Values)
		}
	}
	e.active = active
	e.part.Distinct += points
	e.ctx.Policy = chosen
	for stage, rules := range [][]Constraint{e.codeRules, e.extra} {
		for _, rule := range rules {
			if reason := rule.Reason(e.ctx); reason != "" {
				e.prune(stage, rule.Name, reason, points, func() selector.Variant { return e.variant(chosen) })
				return
			}
		}
	}
	c := code{Code: selector.Code{Variant: e.variant(chosen)}}
	w := launchWalk{enumeration: e, code: &c, active: active, launch: make(param.Policy, len(active))}
	for i, p := range active {
		w.launch[i].Name = p.Name
	}
	w.full = c.With(w.launch).Policy
	for _, p := range active {
		w.at = append(w.at, slices.IndexFunc(w.full, func(s param.Setting) bool { return s.Name == p.Name }))
	}
	w.walk(0)
	e.part.Valid += len(c.launches)
	if len(c.launches) == 0 {
		return
	}
	for i, p := range active {
		launch := selector.Launch{Name: p.Name}
		if !p.Param.PerMachine {
			for _, v := range p.Values {
				if slices.ContainsFunc(c.launches, func(l param.Policy) bool { return l[i].Value == v }) {
					launch.Values = append(launch.Values, v)
				}
			}
		}
		c.Launch = append(c.Launch, launch)
	}
	e.space.codes = append(e.space.codes, c)
}

// launchWalk is the walk through the launches of one code. One policy in canonical order is rewritten in place for all
// of them; at says where in it the launch parameters stand.
type launchWalk struct {
	*enumeration
	code   *code
	active []*Listed
	full   param.Policy
	at     []int
	launch param.Policy // the values of active
}

// walk gives the launch parameters from the i-th on their values and judges each complete point.
func (w *launchWalk) walk(i int) {
	if i < len(w.active) {
		for _, v := range w.active[i].Values {
			w.launch[i].Value, w.full[w.at[i]].Value = v, v
			w.walk(i + 1)
		}
		return
	}
	w.ctx.Policy = w.full
	for _, rule := range w.launchRules {
		if reason := rule.Reason(w.ctx); reason != "" {
			w.prune(2, rule.Name, reason, 1, func() selector.Variant { return w.variant(slices.Clone(w.full)) })
			return
		}
	}
	w.code.launches = append(w.code.launches, slices.Clone(w.launch))
}

// prune counts points under a reason; example is asked for the first of them. Stages are counted in the order in
// which a point passes them: the platform's rules about codes, code generation, rules about launches.
func (e *enumeration) prune(stage int, constraint, reason string, points int, example func() selector.Variant) {
	if e.part.Reason == "" || stage > e.part.stage {
		e.part.Reason, e.part.stage = reason, stage
	}
	for i := range e.space.Pruned {
		if p := &e.space.Pruned[i]; p.Constraint == constraint && p.Reason == reason {
			p.Count += points
			return
		}
	}
	e.space.Pruned = append(e.space.Pruned, Pruned{constraint, reason, points, example()})
}

func (e *enumeration) variant(policy param.Policy) selector.Variant {
	return selector.Variant{Computation: e.space.Computation, Form: e.space.Form, Schedule: e.ctx.Schedule.String(),
		Platform: e.space.Platform.Name, Policy: policy}
}

package training

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training/fit"
	"github.com/surge-ndp/surge/training/input"
)

// recordVersion is the version of a line. Lines of another one are skipped.
const recordVersion = 1

// recordStart is what the line of a record begins with, also where it was cut.
const recordStart = `{"v":`

// record is a line of a measurement file. A line without a variant introduces an input: its features for one
// computation, and what is chosen for it without a model. A line with a variant adds runs of it on that input.
type record struct {
	Version     int    `json:"v"`
	Kernel      string `json:"kernel"`
	Hash        string `json:"hash"`
	Device      string `json:"device"`
	Computation string `json:"computation"`
	Input       string `json:"input"` // fingerprint of the arguments' content

	Name      string            `json:"name,omitempty"`
	Features  []harness.Feature `json:"features,omitempty"`
	Untrained string            `json:"untrained,omitempty"`

	Variant string    `json:"variant,omitempty"`
	Status  Status    `json:"status,omitempty"`
	Reason  string    `json:"reason,omitempty"`
	Times   []float64 `json:"ns,omitempty"`
	Took    float64   `json:"took,omitempty"` // nanoseconds that the turn took in all, verification included
	// Final is the number of the final comparison, from 1, in which the variants that matter took turns for longer; 0 for
	// runs before that. Round is its round, from 1.
	Final int `json:"final,omitempty"`
	Round int `json:"round,omitempty"`
	// Duel is the number of the comparison, from 1, in which a choice that looked bad met those that looked better.
	Duel int `json:"duel,omitempty"`
	// Done says that the variants of this input need no more measuring, with the number of them.
	Done int `json:"done,omitempty"`
}

// Measurements is an append-only file of measurements, of any kernels, inputs and machines. Each line is complete in
// itself, so nothing is lost when a run is interrupted. Files are merged by reading several, or joined to one; of
// comparisons of the same input in two of them the later file's count. Several goroutines may use it.
type Measurements struct {
	mu     sync.Mutex
	file   *os.File // nil: nothing can be added
	path   string
	inputs map[inputKey]*measuredInput
	order  []inputKey
	// Warnings tell what was skipped.
	Warnings []string
}

type inputKey struct{ hash, device, computation, input string }

type measuredInput struct {
	record   // the line that introduced it
	variants map[string]*measuredVariant
	order    []string
	done     int
	finals   int // the number of the latest final comparison
	duels    int // the number of the latest duel
}

type measuredVariant struct {
	status Status
	reason string
	times  []float64
	final  []float64 // the time of each round of the latest final comparison, NaN where there is none
	number int       // of that comparison
	duel   []float64 // the same for the latest duel
	duels  int       // its number
	took   float64   // nanoseconds, without the final comparison
}

// MeasurementsPath is where the measurements of the package in dir are kept, below the cache directory ("" stands for
// the user's).
func MeasurementsPath(cacheDir, dir string) (string, error) {
	c, err := openCache(cacheDir, dir)
	if err != nil {
		return "", err
	}
	return filepath.Join(c.dir, "measurements.jsonl"), nil
}

// maxMeasurementBytes is the size of the largest measurement file that is read.
const maxMeasurementBytes = 2 << 30

// OpenMeasurements reads measurement files. New measurements go to the first one, which is made if it does not exist;
// the others have to exist. With readOnly nothing can be added. Lines that are damaged or of another version are
// skipped with a warning; a file of which no line even begins as a measurement does is something else, and refused.
// So is one to which another process adds.
func OpenMeasurements(paths []string, readOnly bool) (*Measurements, error) {
	m := &Measurements{inputs: map[inputKey]*measuredInput{}}
	if len(paths) > 0 {
		m.path = paths[0]
	}
	for i, path := range paths {
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
			return nil, &Error{Where: path, Code: CodeMeasurements, What: "it is no file", Why: "measurements are read as a whole, and kept for later", Do: "name a file, or one that does not exist yet"}
		}
		text, err := input.ReadFile(path, maxMeasurementBytes)
		if errors.Is(err, fs.ErrNotExist) && i == 0 && !readOnly {
			continue
		}
		if err != nil {
			return nil, &Error{Where: path, Code: CodeMeasurements, What: "the measurements cannot be read: " + err.Error(), Err: err}
		}
		if !m.read(path, text) {
			return nil, &Error{Where: path, Code: CodeMeasurements, What: "it is no measurement file: none of its lines is a measurement", Why: "measurements are added to the end of the file, which would spoil what it is", Do: "name another file with --measurements, or one that does not exist yet; remove this one if it is not needed"}
		}
	}
	if readOnly {
		return m, nil
	}
	if err := os.MkdirAll(filepath.Dir(m.path), 0o777); err != nil {
		return nil, m.failed(err)
	}
	f, err := os.OpenFile(m.path, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, m.failed(err)
	}
	if locked(f) {
		f.Close()
		return nil, &Error{Where: m.path, Code: CodeMeasurements, What: "another process measures into this file now",
			Why: "two that measure at once disturb each other's times", Do: "wait until it is done, or stop it, after which what it measured is not measured again"}
	}
	// A line that was cut by a crash must not swallow the next one.
	if info, err := f.Stat(); err == nil && info.Size() > 0 {
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, info.Size()-1); err == nil && last[0] != '\n' {
			f.Write([]byte("\n"))
		}
	}
	m.file = f
	return m, nil
}

func (m *Measurements) failed(err error) *Error {
	return &Error{Where: m.path, Code: CodeMeasurements, What: "measurements cannot be kept: " + err.Error(), Err: err,
		Why: "each is written as soon as it is made, so that none is lost", Do: "make room on the disk, or name another file with --measurements; what was written stays valid"}
}

// Close closes the file.
func (m *Measurements) Close() error {
	if m.file == nil {
		return nil
	}
	return m.file.Close()
}

// read takes the lines of a file into the tables, and reports whether it is a measurement file: an empty one is.
func (m *Measurements) read(path string, text []byte) bool {
	var all []record
	damaged, foreign, first, n := 0, 0, 0, 0
	filled, alien := 0, 0 // lines that are not blank, and those of them that do not begin as a record does
	bad := func(line int) {
		if damaged++; first == 0 || line < first {
			first = line
		}
	}
	var lines []int // of the records
	for line := range bytes.Lines(text) {
		n++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if filled++; !bytes.HasPrefix(line, []byte(recordStart)) {
			alien++
		}
		var r record
		switch err := json.Unmarshal(line, &r); {
		case err != nil || r.Version < 1:
			bad(n)
		case r.Version != recordVersion:
			foreign++
		default:
			all, lines = append(all, r), append(lines, n)
		}
	}
	part, parts := recordings(all)
	for p := range parts {
		var own []record
		var at []int
		for i := range all {
			if part[i] == p {
				own, at = append(own, all[i]), append(at, lines[i])
			}
		}
		m.renumber(own)
		for i := range own {
			if !m.add(&own[i]) {
				bad(at[i])
			}
		}
	}
	if damaged > 0 {
		m.Warnings = append(m.Warnings, fmt.Sprintf("%s:%d: %s skipped: damaged", path, first, plural(damaged, "line")))
	}
	if foreign > 0 {
		m.Warnings = append(m.Warnings, fmt.Sprintf("%s: %s skipped: written by another version of surge", path, plural(foreign, "line")))
	}
	return alien == 0 || alien < filled
}

// recordings returns which recording each line belongs to, from 0, and how many there are: files may have been joined
// into one. A recording of an input begins with the line that introduces it. One that only adds features begins
// another recording too, which does no harm, as its comparisons continue.
func recordings(all []record) (part []int, parts int) {
	introduced := map[inputKey]int{}
	for i := range all {
		r := &all[i]
		key := inputKey{r.Hash, r.Device, r.Computation, r.Input}
		if r.Variant == "" && r.Done == 0 {
			introduced[key]++
		}
		part = append(part, max(introduced[key]-1, 0))
		parts = max(parts, part[i]+1)
	}
	return part, parts
}

// renumber gives the comparisons of a recording numbers of their own where an earlier one has timed the same round of
// the same variant: both count from 1, and only variants that took turns with each other are comparable. Without such
// a round it continues what the earlier one began.
func (m *Measurements) renumber(all []record) {
	finals, duels := map[inputKey]int{}, map[inputKey]int{} // what to add
	timed := func(times []float64, round int) bool {
		return round >= 1 && round <= len(times) && !math.IsNaN(times[round-1])
	}
	for i := range all {
		r := &all[i]
		key := inputKey{r.Hash, r.Device, r.Computation, r.Input}
		in := m.inputs[key]
		if in == nil || in.variants[r.Variant] == nil {
			continue
		}
		switch v := in.variants[r.Variant]; {
		case r.Duel > 0 && r.Duel <= v.duels && timed(v.duel, r.Round):
			duels[key] = in.duels
		case r.Duel == 0 && r.Final > 0 && r.Final <= v.number && timed(v.final, r.Round):
			finals[key] = in.finals
		}
	}
	for i := range all {
		r := &all[i]
		key := inputKey{r.Hash, r.Device, r.Computation, r.Input}
		switch {
		case r.Duel > 0:
			r.Duel += duels[key]
		case r.Final > 0:
			r.Final += finals[key]
		}
	}
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// add takes a line into the tables, and reports whether it makes sense.
func (m *Measurements) add(r *record) bool {
	if r.Kernel == "" || r.Hash == "" || r.Device == "" || r.Computation == "" || r.Input == "" {
		return false
	}
	if !(r.Took >= 0) || math.IsInf(r.Took, 0) || r.Final < 0 || r.Duel < 0 || r.Done < 0 {
		return false
	}
	for i, f := range r.Features {
		// A value that is no number is that of an input that nothing can be learned from, and is reported there.
		if cost := float64(f.Cost); f.Name == "" || !(cost >= 0) || math.IsInf(cost, 0) || slices.ContainsFunc(r.Features[:i], func(g harness.Feature) bool { return g.Name == f.Name }) {
			return false
		}
	}
	key := inputKey{r.Hash, r.Device, r.Computation, r.Input}
	in := m.inputs[key]
	if r.Variant == "" && r.Done == 0 {
		if len(r.Features) == 0 && r.Name == "" {
			return false
		}
		if in == nil {
			m.inputs[key] = &measuredInput{record: *r, variants: map[string]*measuredVariant{}}
			m.order = append(m.order, key)
			return true
		}
		// Features that are new, or computed anew.
		old := in.Features
		in.Features = slices.Clone(r.Features)
		for _, f := range old {
			if !slices.ContainsFunc(r.Features, func(g harness.Feature) bool { return g.Name == f.Name }) {
				in.Features = append(in.Features, f)
			}
		}
		return true
	}
	if in == nil {
		return false // runs of an input whose features are not known
	}
	if r.Done > 0 {
		in.done = max(in.done, r.Done)
		return true
	}
	if slices.ContainsFunc(r.Times, func(t float64) bool { return !(t > 0) || math.IsInf(t, 0) }) {
		return false
	}
	switch r.Status {
	case OK, Dropped, Failed:
	default:
		return false
	}
	v := in.variants[r.Variant]
	if v == nil {
		if _, err := selector.Parse(r.Variant); err != nil {
			return false
		}
		v = &measuredVariant{}
		in.variants[r.Variant] = v
		in.order = append(in.order, r.Variant)
	}
	switch {
	case (r.Final > 0 || r.Duel > 0) && (r.Round < 1 || r.Round > 1000):
		return false
	case r.Duel > 0:
		if r.Duel != v.duels {
			v.duel, v.duels = nil, r.Duel
			in.duels = max(in.duels, r.Duel)
		}
		v.duel = withRound(v.duel, r)
		return true // whatever happened in it, the variant is what it was
	case r.Final > 0:
		if r.Final != v.number {
			v.final, v.number = nil, r.Final
			in.finals = max(in.finals, r.Final)
		}
		v.final = withRound(v.final, r)
	default:
		v.times = append(v.times, r.Times...)
		v.took += r.Took
	}
	v.status, v.reason = r.Status, r.Reason
	return true
}

// withRound sets the time of a line's round.
func withRound(times []float64, r *record) []float64 {
	for len(times) < r.Round {
		times = append(times, math.NaN())
	}
	if len(r.Times) > 0 {
		times[r.Round-1] = lowerQuartile(r.Times)
	}
	return times
}

// put adds a line to the tables and to the file.
func (m *Measurements) put(r record) error {
	r.Version = recordVersion
	m.mu.Lock()
	defer m.mu.Unlock()
	m.add(&r)
	if m.file == nil {
		return nil
	}
	line, err := json.Marshal(r)
	if err != nil {
		return m.failed(err)
	}
	if _, err := m.file.Write(append(line, '\n')); err != nil {
		return m.failed(err)
	}
	return nil
}

// find returns the measurements of an input, or nil.
func (m *Measurements) find(hash, device, computation, input string) *measuredInput {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.inputs[inputKey{hash, device, computation, input}]
}

// other counts inputs of the kernel that are of another version of it, or of another device.
func (m *Measurements) other(kernel, hash, device string) (versions, devices int) {
	for _, key := range m.order {
		switch in := m.inputs[key]; {
		case in.Kernel != kernel:
		case in.Hash != hash:
			versions++
		case in.Device != device:
			devices++
		}
	}
	return versions, devices
}

// table collects the measurements of a computation on inputs, in their order, and a hash of them. Variants are those
// of the list, which is the order of the search space, and then others that were measured. declared are the features
// that the package declares now. If only is not nil, other measurements count as not made; without final, comparisons
// count as not made.
func (m *Measurements) table(hash, device, computation string, inputs []string, variants []selector.Variant, declared []harness.Feature, only func(input, variant string) bool, final bool) (*fit.Table, string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := &fit.Table{Computation: computation}
	index := map[string]int{}
	add := func(v selector.Variant, text string) {
		if _, known := index[text]; !known {
			index[text] = len(t.Variants)
			t.Variants = append(t.Variants, v)
		}
	}
	for _, v := range variants {
		if v.Computation == computation {
			add(v, v.String())
		}
	}
	var found []*measuredInput
	for _, id := range inputs {
		in := m.inputs[inputKey{hash, device, computation, id}]
		if in == nil {
			continue
		}
		found = append(found, in)
		for _, text := range in.order {
			v, err := selector.Parse(text)
			if err != nil {
				return nil, "", err
			}
			add(v, text)
		}
	}
	t.Features = commonFeatures(found, declared)
	sum := sha256.New()
	finals, compared := 0, map[int]int{}
	for _, in := range found {
		row := fit.Input{Name: in.Name, Times: make([]float64, len(t.Variants)), Duel: make([]float64, len(t.Variants)), Untrained: -1}
		for _, f := range t.Features {
			at := slices.IndexFunc(in.Features, func(g harness.Feature) bool { return g.Name == f.Name })
			row.Features = append(row.Features, float64(in.Features[at].Value))
			row.Costs = append(row.Costs, float64(in.Features[at].Cost))
		}
		for v := range row.Times {
			row.Times[v], row.Duel[v] = math.NaN(), math.NaN()
		}
		fmt.Fprintln(sum, in.Input)
		in = in.restricted(only)
		if !final {
			in = in.explored()
		}
		row.Explored = len(in.order)
		for _, text := range slices.Sorted(slices.Values(in.order)) {
			v := in.variants[text]
			fmt.Fprintln(sum, text, v.status, v.times, v.final, v.duel)
		}
		row.Passes, row.DuelPasses = make([][]float64, len(t.Variants)), make([][]float64, len(t.Variants))
		in.fill(row.Times, row.Passes, index)
		in.fillDuel(row.Duel, row.DuelPasses, index)
		if in.finals > 0 {
			finals++
			for text, v := range in.variants {
				if in.compared(v) {
					compared[index[text]]++
				}
			}
		}
		if at, ok := index[in.Untrained]; ok {
			row.Untrained = at
		}
		t.Inputs = append(t.Inputs, row)
	}
	// Only variants whose times can be trusted almost everywhere are worth learning, if there are any.
	for v, n := range compared {
		if 10*n >= 9*finals {
			if t.Candidates == nil {
				t.Candidates = make([]bool, len(t.Variants))
			}
			t.Candidates[v] = true
		}
	}
	return t, hex.EncodeToString(sum.Sum(nil)[:8]), nil
}

// commonFeatures returns the features that all inputs have, in the order of the first. Values of a declared feature
// count only if they are of the version that is declared now.
func commonFeatures(found []*measuredInput, declared []harness.Feature) []selector.Feature {
	var all []selector.Feature
	if len(found) == 0 {
		return nil
	}
	for _, f := range found[0].Features {
		at := slices.IndexFunc(declared, func(d harness.Feature) bool { return d.Name == f.Name })
		if at < 0 && f.Version != "" {
			continue // it is not declared any more
		}
		missing := slices.ContainsFunc(found, func(in *measuredInput) bool {
			return !slices.ContainsFunc(in.Features, func(g harness.Feature) bool {
				return g.Name == f.Name && (at < 0 || g.Version == declared[at].Version)
			})
		})
		if !missing {
			all = append(all, selector.Feature{Name: f.Name, Unit: f.Unit})
		}
	}
	return all
}

// fillDuel sets the times of the variants that met in the latest duel, relative to each other, and those of its passes.
func (in *measuredInput) fillDuel(times []float64, passes [][]float64, index map[string]int) {
	var turns [][]float64
	rounds := 0
	met := func(v *measuredVariant) bool {
		return in.duels > 0 && v.duels == in.duels && len(v.duel) >= compareTimes && v.status != Failed
	}
	for _, v := range in.variants {
		if met(v) {
			turns = append(turns, v.duel)
			rounds = max(rounds, len(v.duel))
		}
	}
	all := roundTimes(turns, rounds)
	for text, v := range in.variants {
		if met(v) {
			own := relativeTo(v.duel, all)
			times[index[text]], passes[index[text]] = centre(own), byPass(own)
		}
	}
}

// restricted returns what there would be if only some variants had been measured.
func (in *measuredInput) restricted(only func(input, variant string) bool) *measuredInput {
	if only == nil {
		return in
	}
	out := &measuredInput{record: in.record, finals: in.finals, duels: in.duels, variants: map[string]*measuredVariant{}}
	for _, text := range in.order {
		if only(in.Input, text) {
			out.order = append(out.order, text)
			out.variants[text] = in.variants[text]
		}
	}
	return out
}

// explored returns what there was before any comparison.
func (in *measuredInput) explored() *measuredInput {
	out := *in
	out.finals, out.duels = 0, 0
	return &out
}

// byPass returns the means of the rounds of each pass, NaN for one that has none.
func byPass(rounds []float64) []float64 {
	var all []float64
	for pass := range slices.Chunk(rounds, passRounds) {
		all = append(all, centre(pass))
	}
	return all
}

// compared reports whether a variant was in the latest final comparison.
func (in *measuredInput) compared(v *measuredVariant) bool {
	return v != nil && in.finals > 0 && v.number == in.finals && v.status != Failed && len(v.final) >= compareTimes
}

// fill sets the times of the variants that were measured, and for those of the final comparison the relative ones of
// its passes. Those of the final comparison are relative to the others in the same round. The other variants were
// measured before, when the machine may have been faster or slower: they are scaled by what the variants that were
// measured both times say, and are not faster than the best of the final comparison.
func (in *measuredInput) fill(times []float64, passes [][]float64, index map[string]int) {
	var turns [][]float64
	rounds := 0
	for _, v := range in.variants {
		if in.compared(v) {
			turns = append(turns, v.final)
			rounds = max(rounds, len(v.final))
		}
	}
	all := roundTimes(turns, rounds)
	middle, best := 1.0, math.Inf(1)
	if rounds > 0 {
		middle = lowerQuartile(all)
	}
	var ratios []float64
	for text, v := range in.variants {
		if in.compared(v) {
			own := relativeTo(v.final, all)
			t := middle * centre(own)
			times[index[text]], passes[index[text]] = t, byPass(own)
			best = min(best, t)
			if len(v.times) > 0 {
				ratios = append(ratios, t/lowerQuartile(v.times))
			}
		}
	}
	scale := 1.0
	if len(ratios) > 0 {
		scale = medianOf(ratios)
	}
	for text, v := range in.variants {
		switch at := index[text]; {
		case v.status == Failed:
			times[at] = math.Inf(1)
		case in.compared(v):
		case len(v.times) > 0:
			times[at] = scale * lowerQuartile(v.times)
			if !math.IsInf(best, 1) {
				times[at] = max(times[at], best)
			}
		}
	}
}

// recorded lists the inputs of a kernel's version on a device, in the order of the file, by name.
func (m *Measurements) recorded(hash, device string) (ids, names []string) {
	for _, key := range m.order {
		if key.hash != hash || key.device != device || slices.Contains(ids, key.input) {
			continue
		}
		ids, names = append(ids, key.input), append(names, m.inputs[key].Name)
	}
	return ids, names
}

// devicesOf returns the devices of a platform that there are measurements of a kernel's version for.
func (m *Measurements) devicesOf(hash, platform string) []string {
	platforms := map[string]string{} // by device
	for _, key := range m.order {
		v, err := selector.Parse(m.inputs[key].Untrained)
		choice := err == nil && v.Equal(selector.OnPlatform(m.inputs[key].Kernel, v.Platform)) // see Platforms
		if key.hash != hash || err != nil || choice {
			continue
		}
		// What a device has no code for runs on the processors.
		if p := platforms[key.device]; p == "" || p == selector.Host {
			platforms[key.device] = v.Platform
		}
	}
	var all []string
	for _, device := range slices.Sorted(maps.Keys(platforms)) {
		if platforms[device] == platform {
			all = append(all, device)
		}
	}
	return all
}

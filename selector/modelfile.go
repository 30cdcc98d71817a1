package selector

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A model file is text, one statement a line:
//
//	surge model 2
//	kernel SpMV 34f0c2d1a8b7e695
//	platform goroutine
//	device amd64, avx512, 2 cores, Intel Xeon
//	computation SpMV.1
//	inputs 24 tests 24 measured 209 seconds 61.3
//	regret 0.011 worst 0.09 untrained 0.31
//	measurements 5d41402abc4b2a76
//	feature length elements log 10 1000000
//	variant SpMV.1/nest/independent>sequential/goroutine/num_threads=2,…
//	variant …
//	ranker svm
//	gamma 2 C 32
//	bias 0.25
//	vector 0.1 0.7 : -1.5
//	end SpMV.1
//	end SpMV
//	checksum 2cf24dba5fb0a30e
//
// with a computation for each that was trained, and a kernel for each kernel, platform and device. The lines behind
// ranker are those of its kind. A support vector machine has a bias and a weight for each pair of variants, and a
// vector line for each support vector. A tree has a line for each node, before those below it:
//
//	ranker tree
//	branch length 5000
//	leaf 0 0.31
//	leaf 0.27 0.002
//
// where what is less goes on with the next line, and a leaf has a mean regret for each variant. Thresholds are the same
// with products of features, over others, and the number of a variant, from 0, in leaves:
//
//	ranker threshold
//	branch length*length/aspect_ratio 32768
//	leaf 0
//	leaf 1
//
// A computation may stand there again with a ranker of another kind. A feature without a unit has a - there; one that
// the package declares (surge:feature) has the version of its source at the end. A computation with the number 0 is
// the choice among the algorithms for the kernel (surge:variant-of), or, in a model for the platform auto or
// auto-resident, among the platforms. The checksum is that of all that stands before its line: a file that was cut or
// edited is refused.
const modelVersion = 2

const modelMagic = "surge model "

// IsModelFile reports whether text begins as a model file does, also if it is damaged or of another version.
func IsModelFile(text []byte) bool { return bytes.HasPrefix(text, []byte(modelMagic)) }

// FormatModels returns the text of a model file. It reports an error for a model that could not be read back.
func FormatModels(models []*Model) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s%d\n", modelMagic, modelVersion)
	for _, m := range models {
		fmt.Fprintf(&b, "kernel %s %s\nplatform %s\ndevice %s\n", m.Kernel, m.Hash, m.Platform, m.Device)
		for _, c := range m.Computations {
			if err := c.Check(); err != nil {
				return nil, err
			}
			s := c.Summary
			fmt.Fprintf(&b, "computation %s\ninputs %d tests %d measured %d seconds %s\n", c.Computation, s.Inputs, s.Tests, s.Measured, number(s.Seconds))
			fmt.Fprintf(&b, "regret %s worst %s untrained %s\nmeasurements %s\n", number(s.Regret), number(s.Worst), number(s.Untrained), s.Measurements)
			for _, f := range c.Features {
				scale := "linear"
				if f.Log {
					scale = "log"
				}
				unit := f.Unit
				if unit == "" {
					unit = "-"
				}
				version := ""
				if f.Version != "" {
					version = " " + f.Version
				}
				fmt.Fprintf(&b, "feature %s %s %s %s %s%s\n", f.Name, strings.ReplaceAll(unit, " ", "_"), scale, exact(f.Low), exact(f.High), version)
			}
			for _, v := range c.Variants {
				fmt.Fprintf(&b, "variant %s\n", v)
			}
			fmt.Fprintf(&b, "ranker %s\n", c.Machine.Kind())
			c.Machine.write(&b, c)
			fmt.Fprintf(&b, "end %s\n", c.Computation)
		}
		fmt.Fprintf(&b, "end %s\n", m.Kernel)
	}
	fmt.Fprintf(&b, "checksum %s\n", checksum(b.Bytes()))
	if _, err := ParseModels(b.Bytes()); err != nil {
		return nil, fmt.Errorf("the model cannot be written: %w", err)
	}
	return b.Bytes(), nil
}

// number is for people: four digits.
func number(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }

// exact reads back as the same number.
func exact(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func list(xs []float64) string {
	var sb strings.Builder
	for _, x := range xs {
		sb.WriteString(" " + exact(x))
	}
	return sb.String()
}

func checksum(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// ParseModels reads a model file. It refuses whatever it does not understand in full; the error says in which line, and
// what was expected there.
func ParseModels(text []byte) ([]*Model, error) {
	p := &modelParser{text: text, rest: text}
	models, err := p.file()
	if err != nil && p.line > 0 {
		return nil, fmt.Errorf("line %d: %w", p.line, err)
	}
	return models, err
}

type modelParser struct {
	text  []byte
	rest  []byte // of text
	line  int    // of the last line that was taken, from 1
	taken int    // bytes before that line
	size  int    // bytes of that line
}

var errCut = errors.New("the file ends too early: it was cut")

// next takes a line and returns its words.
func (p *modelParser) next() ([]string, error) {
	line, rest, ended := bytes.Cut(p.rest, []byte("\n"))
	if !ended {
		return nil, errCut
	}
	p.line++
	p.taken += p.size
	p.size, p.rest = len(line)+1, rest
	return strings.Fields(string(line)), nil
}

// begins reports whether the next line begins with a word.
func (p *modelParser) begins(word string) bool {
	line, _, _ := bytes.Cut(p.rest, []byte("\n"))
	words := strings.Fields(string(line))
	return len(words) > 0 && words[0] == word
}

// expect takes a line that begins with a word, and returns the others. A count of -1 stands for any number of them.
func (p *modelParser) expect(word string, count int) ([]string, error) {
	words, err := p.next()
	if err != nil {
		return nil, err
	}
	if len(words) == 0 || words[0] != word {
		return nil, fmt.Errorf("found %q, want %s", shorten(words), word)
	}
	if count >= 0 && len(words)-1 != count {
		return nil, fmt.Errorf("%s has %d words behind it, want %d", word, len(words)-1, count)
	}
	return words[1:], nil
}

func shorten(words []string) string {
	text := strings.Join(words, " ")
	if len(text) > 40 {
		text = text[:40] + "…"
	}
	return text
}

func (p *modelParser) file() ([]*Model, error) {
	if !IsModelFile(p.rest) {
		if len(p.rest) == 0 {
			return nil, errors.New("the file is empty")
		}
		return nil, fmt.Errorf("it is no model file: it does not begin with %q", strings.TrimSpace(modelMagic))
	}
	words, err := p.expect("surge", 2)
	if err != nil {
		return nil, err
	}
	if version, err := strconv.Atoi(words[1]); err != nil {
		return nil, fmt.Errorf("version %q is not a number", words[1])
	} else if version != modelVersion {
		return nil, fmt.Errorf("it is of version %d, and this surge reads version %d: train again", version, modelVersion)
	}
	var models []*Model
	for {
		words, err := p.next()
		if err != nil {
			return nil, err
		}
		switch {
		case len(words) == 3 && words[0] == "kernel":
			m, err := p.model(words[1], words[2])
			if err != nil {
				return nil, err
			}
			for _, o := range models {
				if o.Kernel == m.Kernel && o.Platform == m.Platform && o.Device == m.Device {
					return nil, fmt.Errorf("there are two models of %s on %s, %s", m.Kernel, m.Platform, m.Device)
				}
			}
			models = append(models, m)
		case len(words) == 2 && words[0] == "checksum":
			return models, p.finish(words[1])
		default:
			return nil, fmt.Errorf("found %q, want kernel NAME HASH, or checksum", shorten(words))
		}
	}
}

// finish compares the checksum, which must be the last line.
func (p *modelParser) finish(want string) error {
	if len(p.rest) > 0 {
		return errors.New("there is more behind the checksum")
	}
	if got := checksum(p.text[:p.taken]); got != want {
		return fmt.Errorf("the checksum is %s, and that of the lines before is %s: the file was changed after it was written", want, got)
	}
	return nil
}

func (p *modelParser) model(kernel, hash string) (*Model, error) {
	m := &Model{Kernel: kernel, Hash: hash}
	words, err := p.expect("platform", 1)
	if err != nil {
		return nil, err
	}
	m.Platform = words[0]
	if words, err = p.expect("device", -1); err != nil {
		return nil, err
	}
	if m.Device = strings.Join(words, " "); m.Device == "" {
		return nil, errors.New("the device has no name")
	}
	for {
		words, err := p.next()
		if err != nil {
			return nil, err
		}
		switch {
		case len(words) == 2 && words[0] == "end" && words[1] == kernel:
			return m, nil
		case len(words) == 2 && words[0] == "computation":
			c, err := p.classifier(words[1])
			if err != nil {
				return nil, err
			}
			if slices.ContainsFunc(m.Classifiers(c.Computation), func(o *Classifier) bool { return o.Machine.Kind() == c.Machine.Kind() }) {
				return nil, fmt.Errorf("computation %s with ranker %s stands there twice", c.Computation, c.Machine.Kind())
			}
			if !strings.HasPrefix(c.Computation, kernel+".") || slices.ContainsFunc(c.Variants, func(v Variant) bool { return !m.has(v) }) {
				return nil, fmt.Errorf("computation %s with variants for %s does not belong to kernel %s on %s", c.Computation, c.Variants[0].Platform, kernel, m.Platform)
			}
			m.Computations = append(m.Computations, c)
		default:
			return nil, fmt.Errorf("found %q, want computation NAME, or end %s", shorten(words), kernel)
		}
	}
}

// has reports whether a classifier of the model can have the variant.
func (m *Model) has(v Variant) bool {
	if m.Platform == PlatformChoice || m.Platform == ResidentChoice {
		return v.Equal(OnPlatform(m.Kernel, v.Platform))
	}
	return v.Platform == m.Platform
}

func (p *modelParser) classifier(name string) (*Classifier, error) {
	c := &Classifier{Computation: name}
	s := &c.Summary
	if err := p.pairs("inputs", &s.Inputs, "tests", &s.Tests, "measured", &s.Measured, "seconds", &s.Seconds); err != nil {
		return nil, err
	}
	if err := p.pairs("regret", &s.Regret, "worst", &s.Worst, "untrained", &s.Untrained); err != nil {
		return nil, err
	}
	words, err := p.expect("measurements", 1)
	if err != nil {
		return nil, err
	}
	s.Measurements = words[0]
	for {
		words, err := p.next()
		if err != nil {
			return nil, err
		}
		switch {
		case (len(words) == 6 || len(words) == 7) && words[0] == "feature" && len(c.Variants) == 0:
			f := Scaling{Name: words[1], Unit: strings.ReplaceAll(words[2], "_", " "), Log: words[3] == "log", Version: strings.Join(words[6:], "")}
			if f.Unit == "-" {
				f.Unit = ""
			}
			if !f.Log && words[3] != "linear" {
				return nil, fmt.Errorf("the scale of feature %s is %q, want log or linear", f.Name, words[3])
			}
			if f.Low, err = parseFloat(words[4]); err != nil {
				return nil, err
			}
			if f.High, err = parseFloat(words[5]); err != nil {
				return nil, err
			}
			c.Features = append(c.Features, f)
		case len(words) == 2 && words[0] == "variant":
			v, err := Parse(words[1])
			if err != nil {
				return nil, err
			}
			c.Variants = append(c.Variants, v)
		case len(words) == 2 && words[0] == "ranker":
			return c, p.machine(c, words[1])
		default:
			return nil, fmt.Errorf("found %q, want feature NAME UNIT log|linear LOW HIGH [VERSION], variant TEXT, or ranker KIND", shorten(words))
		}
	}
}

// machine reads what a ranker has learned, to the end of the computation.
func (p *modelParser) machine(c *Classifier, kind string) error {
	at := trust(kind)
	if at == len(kinds) {
		return fmt.Errorf("the ranker %q is none of %s: train again", shorten([]string{kind}), kindNames())
	}
	var err error
	if c.Machine, err = kinds[at].read(p, c); err != nil {
		return err
	}
	words, err := p.expect("end", 1)
	if err != nil {
		return err
	}
	if words[0] != c.Computation {
		return fmt.Errorf("found end %s, want end %s", shorten(words), c.Computation)
	}
	return c.Check()
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// pairs takes a line of names with numbers.
func (p *modelParser) pairs(first string, rest ...any) error {
	words, err := p.expect(first, len(rest))
	if err != nil {
		return err
	}
	for i, x := range rest {
		var err error
		switch x := x.(type) {
		case string:
			if words[i] != x {
				return fmt.Errorf("found %q, want %s", words[i], x)
			}
		case *int:
			if *x, err = strconv.Atoi(words[i]); err != nil || *x < 0 {
				return fmt.Errorf("%q is not a count", words[i])
			}
		case *float64:
			if *x, err = parseFloat(words[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

func parseFloat(text string) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !finite(x) {
		return 0, fmt.Errorf("%q is not a number", text)
	}
	return x, nil
}

func parseFloats(words []string) ([]float64, error) {
	xs := make([]float64, len(words))
	for i, w := range words {
		var err error
		if xs[i], err = parseFloat(w); err != nil {
			return nil, err
		}
	}
	return xs, nil
}

// FindModel returns the model of a kernel of that hash on a platform and device. Otherwise it returns nil and says
// why, if there are models of the kernel that do not fit, and "" if there are none.
func FindModel(models []*Model, kernel, hash, platform, device string) (*Model, string) {
	why := ""
	for _, m := range models {
		switch {
		case m.Kernel != kernel || m.Platform != platform:
		case m.Hash != hash:
			why = fmt.Sprintf("the kernel has changed since the model was trained (its hash is %s, the model's %s)", hash, m.Hash)
		case m.Device != device:
			if why == "" {
				why = fmt.Sprintf("it was trained on another device: %s; this one is %s", m.Device, device)
			}
		default:
			return m, ""
		}
	}
	return nil, why
}

package selector

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

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

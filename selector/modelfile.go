package selector

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
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

// has reports whether a classifier of the model can have the variant.
func (m *Model) has(v Variant) bool {
	if m.Platform == PlatformChoice || m.Platform == ResidentChoice {
		return v.Equal(OnPlatform(m.Kernel, v.Platform))
	}
	return v.Platform == m.Platform
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

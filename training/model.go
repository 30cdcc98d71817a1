package training

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"

	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training/input"
)

// ModelName is the file in a package's directory that holds the models of its kernels.
const ModelName = "surge.model"

// UseModel makes the harness choose by the models of a file, given as text, for arguments that are bound from now on;
// nil stands for no models. It returns for each kernel that has models in the file, none of which can be used, the
// reason.
func (s *Session) UseModel(ctx context.Context, text []byte) (map[string]string, error) {
	req := &harness.Request{Op: harness.OpModel}
	if text != nil {
		t := string(text)
		req.Model = &t
	}
	var notes map[string]string
	err := s.process.call(ctx, req, nil, func(r *harness.Response, _ io.Reader) error {
		notes = r.Notes
		return nil
	})
	return notes, s.translate(err, false)
}

// Fitted says whether a kernel is run by one of several models on a platform.
type Fitted struct {
	Kernel, Platform string
	Used             bool
	Why              string // it is not; "" where there is no model for it
}

// Fits says for each kernel of the package which of its platforms, and of the choices between them, have a model that
// is used here.
func (s *Session) Fits(models []*selector.Model) (all []Fitted) {
	choice := slices.ContainsFunc(models, func(m *selector.Model) bool { return m.Platform == selector.PlatformChoice })
	for _, k := range s.description.Kernels {
		devices := maps.Clone(k.Devices)
		if len(devices) > 1 && choice {
			devices[selector.PlatformChoice] = selector.Machines(k.Devices)
			devices[selector.ResidentChoice] = selector.Machines(k.Devices)
		}
		for _, platform := range slices.Sorted(maps.Keys(devices)) {
			m, why := selector.FindModel(models, k.Name, k.Hash, platform, devices[platform])
			if changed := changedFeature(m, &k); changed != "" {
				m, why = nil, changed
			}
			all = append(all, Fitted{k.Name, platform, m != nil, why})
		}
	}
	return all
}

// changedFeature says which declared feature of a model is another one now, "" if none is or there is no model.
func changedFeature(m *selector.Model, k *harness.KernelInfo) string {
	if m == nil {
		return ""
	}
	for _, c := range m.Computations {
		for _, f := range c.Features {
			if f.Version != "" && !slices.ContainsFunc(k.Features, func(d harness.Feature) bool { return d.Name == f.Name && d.Version == f.Version }) {
				return "the feature " + f.Name + " has changed since the model was trained, or is gone"
			}
		}
	}
	return ""
}

// MergeModel returns the text of a model file with m added, in the place of a model for the same kernel, platform and
// device, and without models for other versions of the kernel. Text that is no model file is replaced: why says so.
func MergeModel(text []byte, m *selector.Model) (merged []byte, why string, err error) {
	var models []*selector.Model
	if text != nil {
		old, err := selector.ParseModels(text)
		if err != nil {
			why = err.Error()
		}
		for _, o := range old {
			if o.Kernel == m.Kernel && (o.Hash != m.Hash || o.Platform == m.Platform && o.Device == m.Device) {
				continue
			}
			models = append(models, o)
		}
	}
	merged, err = selector.FormatModels(append(models, m))
	return merged, why, err
}

// contentHash identifies arguments by their content, whatever the file that they came from was called.
func contentHash(args []input.Value) (string, error) {
	h := sha256.New()
	for _, a := range args {
		fmt.Fprintln(h, a.Type(), a.Dims, a.Len())
		if a.Offsets != nil {
			offsets, err := a.RowOffsets()
			if err != nil {
				return "", err
			}
			for _, level := range offsets {
				if err := input.WriteRaw(h, level); err != nil {
					return "", err
				}
			}
		}
		if err := input.WriteRaw(h, a); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:12]), nil
}

// MaxModelBytes is the size of the largest model file that is read. One of a package with many kernels has some 100 kB.
const MaxModelBytes = 64 << 20

// ReadModelFile returns the content of a model file, nil if there is none.
func ReadModelFile(path string) ([]byte, error) {
	text, err := input.ReadFile(path, MaxModelBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

package beamrt

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// An error leaves a worker as a text, and the engine puts its own around it. What a user is to read stands between
// marks.
const (
	markFailure = "surge-failure:"
	markText    = "surge-error:"
)

var marked = regexp.MustCompile("(" + markFailure + "|" + markText + `)([A-Za-z0-9_-]*)\.`)

// told is an error with a text for the one who has started the run.
type told struct{ err error }

func (e *told) Error() string {
	return e.err.Error() + " " + markText + base64.RawURLEncoding.EncodeToString([]byte(e.err.Error())) + "."
}

func (e *told) Unwrap() error { return e.err }

// telling marks an error's text, unless it is marked already.
func telling(err error) error {
	var t *told
	if err == nil || errors.As(err, &t) || marked.MatchString(err.Error()) {
		return err
	}
	return &told{err}
}

// marked returns the error that ends a run in which the kernel gives no result.
func (f *Failure) marked() error {
	data, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return fmt.Errorf("%s %s%s.", f.Text, markFailure, base64.RawURLEncoding.EncodeToString(data))
}

// clear returns the error that a worker meant, of what the engine says.
func clear(kernel string, err error) error {
	for _, m := range marked.FindAllStringSubmatch(err.Error(), -1) {
		data, bad := base64.RawURLEncoding.DecodeString(m[2])
		if bad != nil {
			continue
		}
		if m[1] == markText {
			return errors.New(string(data))
		}
		var f Failure
		if json.Unmarshal(data, &f) == nil {
			return f.err()
		}
	}
	return &pipelineError{kernel, err}
}

// pipelineError is what an engine says that no worker of ours has meant. The cause is at its end, behind the plan.
type pipelineError struct {
	kernel string
	err    error
}

func (e *pipelineError) Error() string {
	lines := strings.Split(strings.TrimSpace(e.err.Error()), "\n")
	return e.kernel + ": the pipeline failed: " + strings.TrimSpace(lines[len(lines)-1])
}

func (e *pipelineError) Unwrap() error { return e.err }

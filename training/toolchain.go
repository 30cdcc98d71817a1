package training

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
)

// experiment is the Go experiment that vector instructions need.
const experiment = "simd"

// toolchain runs the go command in the directory of the user's package.
type toolchain struct {
	dir string
	env []string
	// settings is what a build depends on besides files: the go command's settings, and what else a builder adds.
	settings map[string]string
}

// newToolchain asks the go command for its settings, which takes a few milliseconds.
func newToolchain(ctx context.Context, dir string, simd bool) (*toolchain, error) {
	// Where a symbolic link leads to the directory, the go command goes by PWD.
	t := &toolchain{dir: dir, env: append(os.Environ(), "GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH, "PWD="+dir)}
	// What the user's environment sets stays, but for the experiment itself, which this build decides.
	on := slices.DeleteFunc(strings.Split(os.Getenv("GOEXPERIMENT"), ","), func(e string) bool {
		return e == "" || e == experiment || e == "no"+experiment
	})
	if simd {
		on = append(on, experiment)
	}
	t.env = append(t.env, "GOEXPERIMENT="+strings.Join(on, ","))
	out, err := t.run(ctx, "env", "-json", "GOVERSION", "GOROOT", "GOFLAGS", "GOAMD64", "GOARM64", "GOEXPERIMENT", "CGO_ENABLED", "GOWORK", "GOMOD")
	if failed := (*commandError)(nil); errors.As(err, &failed) {
		return nil, &Error{What: "the go command does not work: " + failed.output, Code: CodeToolchain, Err: err,
			Why: "kernels are compiled on demand with the Go toolchain", Do: "make \"go env\" work in " + dir + " first"}
	} else if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(out, &t.settings); err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	return t, nil
}

// commandError is a go command that reported an error.
type commandError struct{ output string }

func (e *commandError) Error() string { return e.output }

// run runs the go command and returns its standard output.
func (t *toolchain) run(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = t.dir, t.env
	detach(cmd)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return nil, &Error{What: "the go command was not found", Code: CodeToolchain, Err: err,
			Why: "kernels are compiled on demand with the Go toolchain", Do: "install Go from https://go.dev/dl, or add it to PATH"}
	case err != nil && stderr.Len()+stdout.Len() > 0:
		return nil, &commandError{output: strings.TrimSpace(stderr.String() + stdout.String())}
	case err != nil:
		return nil, &Error{What: "go " + args[0] + ": " + err.Error(), Code: CodeToolchain, Err: err}
	}
	return stdout.Bytes(), nil
}

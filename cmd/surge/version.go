package main

import (
	"regexp"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// buildVersion is what the binary knows about itself.
type buildVersion struct {
	Version  string `json:"version"`
	Go       string `json:"go"`
	Target   string `json:"target"`
	Revision string `json:"revision,omitempty"`
	Time     string `json:"time,omitempty"`
	Modified bool   `json:"modified,omitempty"`
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version of surge",
		Example: "  surge version\n  surge version --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, err := a.configure(cmd, ""); err != nil {
				return err
			}
			v := version()
			if a.json {
				return a.printJSON(v)
			}
			a.printf("surge %s (%s, %s)\n", v.Version, v.Go, v.Target)
			if v.Revision != "" {
				changed := ""
				if v.Modified {
					changed = ", with changes"
				}
				a.printf("revision %s of %s%s\n", v.Revision, v.Time, changed)
			}
			return nil
		},
	}
}

func version() buildVersion {
	v := buildVersion{Version: "(devel)", Go: runtime.Version(), Target: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if info.Main.Version != "" {
		v.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.time":
			v.Time = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

// unreleased are versions that Go makes up for what has no tag, or was changed since.
var unreleased = regexp.MustCompile(`[.-]\d{14}-[0-9a-f]{12}|\+dirty$|^\(`)

// release is a version of surge as generated files name it: the same for all builds between two releases.
func release(version string) string {
	if unreleased.MatchString(version) {
		return "devel"
	}
	return version
}

func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usage(cmd, problem{Code: "usage", What: "surge " + cmd.Name() + " takes no arguments, and there is " + args[0]})
}

package command

import (
	"errors"
	"flag"
	"io"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-n 3", ""},
		{"-n x", `invalid value "x" for flag -n: parse error; -h tells what there is`},
		{"-m", "flag provided but not defined: -m; -h tells what there is"},
		{"-n 3 4", `unexpected argument "4"; -h tells what there is`},
	} {
		flags := flag.NewFlagSet("test", flag.ContinueOnError)
		flags.Int("n", 1, "a number")
		var help strings.Builder
		err := Parse(flags, strings.Fields(c.args), &help)
		if got := errorText(err); got != c.want || help.Len() > 0 {
			t.Errorf("%s: error %q, printed %q, want %q", c.args, got, help.String(), c.want)
		}
		if errors.As(err, new(usage)) != (err != nil) {
			t.Errorf("%s: %v is no error of the command line", c.args, err)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestHelp(t *testing.T) {
	flags := flag.NewFlagSet("test", flag.ContinueOnError)
	flags.Int("n", 1, "a number")
	var help strings.Builder
	if err := Parse(flags, []string{"-h"}, &help); !errors.Is(err, flag.ErrHelp) || strings.Count(help.String(), "a number") != 1 {
		t.Errorf("%v, printed %q", err, help.String())
	}
	if Terminal(io.Discard) {
		t.Error("a writer that is no file is no terminal")
	}
}

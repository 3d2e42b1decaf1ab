package experiment

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"whorl/testdata/must"
)

// TestCommand checks that a command is read as the run that it is of.
func TestCommand(t *testing.T) {
	own := Defaults("it's mine.fghc")
	own.Args, own.Goal, own.PEs, own.Seed = []string{"a b", "", "\\"}, "main(X)", 8, 7
	own.Machine, own.Network, own.Policy = "symmetry:latency=1us", "mesh2d", "steal"
	own.Limits = Limits{Time: 10 * time.Second, Reductions: 1000}
	live := Defaults("fghc/pascal")
	live.Args, live.Mode, live.Machine, live.Network = []string{"5"}, Live, Defaults("").Machine, Defaults("").Network
	for _, r := range []Run{own, live} {
		text := r.Command("run.whorl")
		if got := must.Get(ParseCommand(text))(t); !reflect.DeepEqual(got, r) {
			t.Errorf("%s is read as\n%+v, want\n%+v", text, got, r)
		}
	}
}

func TestWrongCommands(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "expected whorl run and a program"},
		{"rm -r /", "expected whorl run and a program"},
		{"whorl run 'a", "a quotation mark is not closed"},
		{"whorl run a --pes", "--pes has no value"},
		{"whorl run a --pes four", "--pes four: "},
		{"whorl run a --open 1", "--open 1: not a flag of the runs of a sweep"},
	} {
		if _, err := ParseCommand(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
}

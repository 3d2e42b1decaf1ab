package standalone

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"whorl/internal/figures"
	"whorl/internal/nearest"
	"whorl/sim/live"
	"whorl/sim/policy"
)

// options are what the flags say.
type options struct {
	goal       string
	pes        int
	policy     string
	seed       uint64
	trace      string
	stats      bool
	time       time.Duration
	reductions int64
	memory     int64
	help       bool
	args       []string // of the program itself
}

// A flag is --name with a value, or without one where that is "".
type flag struct {
	name, value, doc string
	set              func(o *options, text string) bool // false for a text that is no such value
	takes            string
}

// flags are those of a built program; -o is --output, and -h is --help.
var flags = []flag{
	{"goal", "QUERY", "run this query instead of the program's own", func(o *options, s string) bool {
		o.goal = s
		return strings.TrimSpace(s) != ""
	}, "a query, such as 'main'"},
	{"pes", "N", "number of PEs, each on a thread of its own (1)", func(o *options, s string) bool {
		n, err := strconv.Atoi(s)
		o.pes = n
		return err == nil && n >= 1 && n <= live.MaxWorkers
	}, fmt.Sprintf("a whole number from 1 to %d", live.MaxWorkers)},
	{"policy", "POLICY", "how work is spread over them (" + policy.Default + ")", func(o *options, s string) bool {
		o.policy = s
		return s != ""
	}, "a policy"},
	{"seed", "S", "seed of all that is random (1)", func(o *options, s string) bool {
		n, err := strconv.ParseUint(s, 10, 64)
		o.seed = n
		return err == nil
	}, "a whole number of at least 0"},
	{"output", "FILE.whorl", "keep a trace of the run (also -o)", func(o *options, s string) bool {
		o.trace = s
		return filepath.Ext(s) == ".whorl"
	}, "the name of a trace, FILE.whorl"},
	{"stats", "", "print the numbers of the run after the answer", func(o *options, _ string) bool {
		o.stats = true
		return true
	}, ""},
	{"max-time", "T", "stop after this time: 10s, 2m", func(o *options, s string) bool {
		d, err := time.ParseDuration(s)
		o.time = d
		return err == nil && d > 0
	}, "a duration such as 10s or 2m"},
	{"max-reductions", "N", "stop after so many reductions", func(o *options, s string) bool {
		n, err := strconv.ParseInt(s, 10, 64)
		o.reductions = n
		return err == nil && n >= 1
	}, "a whole number of at least 1"},
	{"max-memory", "M", "stop when so much memory is in use: 500M, 2G", func(o *options, s string) bool {
		n, ok := figures.Bytes(s)
		o.memory = n
		return ok
	}, "an amount of memory such as 500M or 2G"},
	{"help", "", "this text", func(o *options, _ string) bool {
		o.help = true
		return true
	}, ""},
}

// parse reads the arguments of a built program. From the first that is no flag on, or behind --, they are those of unix:argv.
func parse(args []string) (*options, error) {
	o := &options{pes: 1, policy: policy.Default, seed: 1, reductions: math.MaxInt64}
	for len(args) > 0 && strings.HasPrefix(args[0], "-") && args[0] != "-" {
		name, value, inline := strings.Cut(strings.TrimPrefix(args[0], "--"), "=")
		args = args[1:]
		switch name {
		case "":
			o.args = args
			return o, nil
		case "-o":
			name = "output"
		case "-h":
			name = "help"
		}
		i := slices.IndexFunc(flags, func(f flag) bool { return f.name == name })
		if i < 0 {
			return nil, unknown(name)
		}
		f := &flags[i]
		switch {
		case f.value == "" && inline:
			return nil, fmt.Errorf("--%s takes no value", f.name)
		case f.value != "" && !inline:
			if len(args) == 0 {
				return nil, fmt.Errorf("--%s needs %s", f.name, f.takes)
			}
			value, args = args[0], args[1:]
		}
		if !f.set(o, value) {
			return nil, fmt.Errorf("--%s is %s, not %q", f.name, f.takes, value)
		}
		if o.help {
			break
		}
	}
	o.args = args
	return o, nil
}

func unknown(name string) error {
	known := make([]string, len(flags))
	for i, f := range flags {
		known[i] = "--" + f.name
	}
	if !strings.HasPrefix(name, "-") {
		name = "--" + name
	}
	text := fmt.Sprintf("unknown flag %q", name)
	if near := nearest.Names(name, known); len(near) > 0 {
		text += ": did you mean " + strings.Join(near, " or ") + "?"
	}
	return errors.New(text + "; the program's own arguments stand behind --")
}

func (p *Program) usage(called string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s runs %s, which whorl has built, and prints its answer.\n\n  %s [FLAGS] [--] [ARGS of the program]\n\n", called, p.Name, called)
	for _, f := range flags {
		fmt.Fprintf(&b, "  %-24s %s\n", strings.TrimSpace("--"+f.name+" "+f.value), f.doc)
	}
	fmt.Fprintf(&b, "\nThe query is %s.\n", p.Goal)
	b.WriteString("The exit status is 0 when done, 1 when the program failed, 2 for wrong flags, 3 at a limit, and 130 when interrupted.\n")
	return b.String()
}

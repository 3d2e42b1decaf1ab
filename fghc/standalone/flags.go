package standalone

import (
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

// options are the values of the flags.
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
	anyHost    bool
	args       []string // the program's own arguments
}

// A flag is --name with a value, or without one if value is "".
type flag struct {
	name, value, doc string
	set              func(o *options, text string) bool // returns false for an invalid value
	want             string                             // description of valid values
}

// flags are the flags of built programs; -o is --output and -h is --help.
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
	{"policy", "POLICY", "policy that distributes work over the PEs (" + policy.Default + ")", func(o *options, s string) bool {
		o.policy = s
		return s != ""
	}, "a policy"},
	{"seed", "S", "seed of all random choices (1)", func(o *options, s string) bool {
		n, err := strconv.ParseUint(s, 10, 64)
		o.seed = n
		return err == nil
	}, "a whole number of at least 0"},
	{"output", "FILE.whorl", "record a trace of the run (also -o)", func(o *options, s string) bool {
		o.trace = s
		return filepath.Ext(s) == ".whorl"
	}, "the name of a trace, FILE.whorl"},
	{"stats", "", "print statistics after the answer", func(o *options, _ string) bool {
		o.stats = true
		return true
	}, ""},
	{"max-time", "T", "stop after this time: 10s, 2m", func(o *options, s string) bool {
		d, err := time.ParseDuration(s)
		o.time = d
		return err == nil && d > 0
	}, "a duration such as 10s or 2m"},
	{"max-reductions", "N", "stop after this number of reductions", func(o *options, s string) bool {
		n, err := strconv.ParseInt(s, 10, 64)
		o.reductions = n
		return err == nil && n >= 1
	}, "a whole number of at least 1"},
	{"max-memory", "M", "stop when this much memory is in use: 500M, 2G", func(o *options, s string) bool {
		n, ok := figures.Bytes(s)
		o.memory = n
		return ok
	}, "an amount of memory such as 500M or 2G"},
	{"any-host", "", "let sockets reach and accept any host, not only this machine", func(o *options, _ string) bool {
		o.anyHost = true
		return true
	}, ""},
	{"help", "", "print this text", func(o *options, _ string) bool {
		o.help = true
		return true
	}, ""},
}

// parse parses the arguments of a built program. Arguments from the first non-flag on, or after --, are for unix:argv.
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
				return nil, fmt.Errorf("--%s needs %s", f.name, f.want)
			}
			value, args = args[0], args[1:]
		}
		if !f.set(o, value) {
			return nil, fmt.Errorf("--%s is %s, not %q", f.name, f.want, value)
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
	return nearest.Unknown("flag", name, known)
}

func (p *Program) usage(called string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s runs %s, compiled by whorl build, and prints its answer.\n\n  %s [FLAGS] [--] [ARGS of the program]\n\n", called, p.Name, called)
	for _, f := range flags {
		fmt.Fprintf(&b, "  %-24s %s\n", strings.TrimSpace("--"+f.name+" "+f.value), f.doc)
	}
	fmt.Fprintf(&b, "\nThe query is %s.\n", p.Goal)
	b.WriteString("The exit status is 0 for success, 1 if the program failed, 2 for wrong flags, 3 at a limit, and 130 if interrupted.\n")
	return b.String()
}

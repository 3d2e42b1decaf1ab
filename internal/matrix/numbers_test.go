package matrix

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"whorl/experiment"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/open"
	"whorl/visual/testdata/viewtest"
)

// further are traces of live runs, of other programs and of tests.
var further = []source{
	{"live-goals", "FGHC on two cores", kept("live-goals.txt")},
	{"live-threads", "threads on two cores", kept("live-threads.txt")},
	{"live-nodes", "threads on two nodes of two cores each", kept("live-nodes.txt")},
	{"two-nodes", "logs of two nodes, which know the processor time of processes alone", kept("two-nodes.dtslog")},
	{"quicksort", "a trace file of VISTA", kept("quicksort.vista")},
	{"fghc-queens", "FGHC with thieves", func(t *testing.T) tracer.Source {
		return run(t, func(r *experiment.Run) {
			r.Program, r.Args, r.PEs, r.Policy = "fghc/queens", []string{"5"}, 3, "steal-half"
		})
	}},
	{"fghc-fetched", "FGHC with messages, where several goals wait for a value from another PE", func(t *testing.T) tracer.Source {
		return run(t, func(r *experiment.Run) {
			r.Program, r.Args, r.PEs, r.Machine, r.Network, r.Policy = "fghc/queens", []string{"6"}, 6, "cluster", "mesh2d", "steal"
		})
	}},
	{"fghc-sums", "FGHC with builtins that wait", func(t *testing.T) tracer.Source {
		return run(t, func(r *experiment.Run) { r.Program, r.Args = "fghc/fibonacci", []string{"8"} })
	}},
	{"cluster-threads", "threads with messages", func(t *testing.T) tracer.Source {
		return run(t, func(r *experiment.Run) {
			r.Program, r.Args, r.PEs, r.Machine, r.Policy = "dts/quicksort", []string{"10000", "64"}, 6, "cluster", "steal"
		})
	}},
	{"hpf-rsa", "HPF without samples of waiting", func(t *testing.T) tracer.Source {
		return run(t, func(r *experiment.Run) { r.Program, r.Args = "hpf/rsa", []string{"20"} })
	}},
	{"small", "a synthetic trace", func(*testing.T) tracer.Source { return viewtest.Small() }},
	{"many", "a synthetic trace of steps", func(*testing.T) tracer.Source { return viewtest.Many(2000, 3, 100, 1, 7) }},
	{"called", "a synthetic profile", func(*testing.T) tracer.Source { return viewtest.Called() }},
}

// kept returns a function that opens a trace of testdata/traces.
func kept(name string) func(t *testing.T) tracer.Source {
	return func(t *testing.T) tracer.Source {
		trace := must.Get(open.Files([]string{"../../testdata/traces/" + name}, "", open.Options{}))(t)
		t.Cleanup(func() { trace.Close() })
		return trace
	}
}

// A claim is a number that a screen shows for a quantity of a run. The quantity is between low and high, as far as its digits say.
type claim struct {
	quantity, screen, text string
	low, high              float64
}

// units are those of numbers, and of columns after a comma.
var units = []struct {
	name  string
	scale float64
}{{"ns", 1}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"%", 0.01}}

// number reads a number with its unit, such as 5.84 ms, > 99.9 % or 3.61 of 4, and returns the bounds that its digits leave. A time without a
// fraction is rounded to three digits.
func number(text string) (low, high float64, ok bool) {
	words := strings.Fields(text)
	sign := ""
	if len(words) > 1 && (words[0] == "<" || words[0] == ">") {
		sign, words = words[0], words[1:]
	}
	if len(words) == 0 {
		return 0, 0, false
	}
	digits := strings.ReplaceAll(words[0], ",", "")
	x, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return 0, 0, false
	}
	scale := 0.0
	for _, u := range units {
		if len(words) > 1 && u.name == words[1] {
			scale = u.scale
		}
	}
	_, fraction, _ := strings.Cut(digits, ".")
	half := 0.5 * math.Pow(10, -float64(len(fraction)))
	switch {
	case scale == 0: // a count or a ratio
		scale = 1
		if fraction == "" {
			half = 0
		}
	case fraction == "" && words[1] != "%" && x > 0:
		half = min(half, 0.5*math.Pow(10, math.Floor(math.Log10(x))-2))
	}
	switch sign {
	case "<":
		return 0, x * scale, true
	case ">":
		return x * scale, 1, true
	}
	return (x - half) * scale, (x + half) * scale, true
}

// separate lists numbers that differ from those of other screens, by the beginnings of their quantities.
var separate = []struct {
	sources, screens []string
	quantity         string
}{
	// Procedures are those that the log names.
	{[]string{"two-nodes"}, []string{"procedures"}, "threads"},
	// Calling contexts have more functions than tasks. The halo tree leaves out those without a value of its metric.
	{[]string{"go", "otf2"}, []string{"waits", "halo"}, "functions"},
	// Writing the trace is overhead of a PE, but the task that writes it runs.
	{[]string{"go"}, []string{"threadgraph", "waits"}, "work"},
	{[]string{"go"}, []string{"threadgraph"}, "parallelism"},
	// In a list, times have as many digits as the longest of them.
	{[]string{"otf2"}, []string{"timeline", "utilisation"}, "work"},
	// The waits of a task in the account have ended; those of its life may last until the end of the trace.
	{[]string{"go"}, []string{"stats"}, "blocked"},
	// The columns of a table of counters.
	{[]string{"go"}, []string{"sweep"}, "columns"},
}

// TestNumbers checks that all screens which show a quantity of a run show the same number.
func TestNumbers(t *testing.T) {
	for _, src := range slices.Concat(sources, further) {
		if src.name == "table" || src.name == "perfetto" { // of many runs; of functions whose names are not unique
			continue
		}
		t.Run(src.name, func(t *testing.T) {
			s := collect(t, src.open(t))
			real := slices.Contains([]string{"go", "otf2", "spans"}, src.name)
			s.claims = slices.DeleteFunc(s.claims, func(c claim) bool {
				if real && strings.Contains(c.quantity, " of ") { // long names of functions are elided, and several reasons have the same
					return true
				}
				for _, x := range separate {
					if slices.Contains(x.sources, src.name) && slices.Contains(x.screens, c.screen) && strings.HasPrefix(c.quantity, x.quantity) {
						return true
					}
				}
				return false
			})
			if len(s.claims) < 20 {
				t.Errorf("%d numbers were found", len(s.claims))
			}
			for _, d := range disagreements(s.claims) {
				t.Error(d)
			}
		})
	}
}

// TestSeparateClocks checks that no screen claims to know how long PEs were idle when the clocks of their processes cannot be compared.
func TestSeparateClocks(t *testing.T) {
	for _, c := range collect(t, kept("two-nodes.dtslog")(t)).claims {
		if strings.Contains(c.quantity, "idle") || c.quantity == "busy share" {
			t.Errorf("%s shows %s %s", c.screen, c.quantity, c.text)
		}
	}
}

// disagreements returns a sentence for each quantity whose claims have no number in common.
func disagreements(claims []claim) (all []string) {
	claims = slices.Clone(claims)
	slices.SortStableFunc(claims, func(a, b claim) int { return strings.Compare(a.quantity, b.quantity) })
	for from := 0; from < len(claims); {
		end := from
		low, high := claims[from], claims[from]
		for ; end < len(claims) && claims[end].quantity == claims[from].quantity; end++ {
			if c := claims[end]; c.low > low.low {
				low = c
			}
			if c := claims[end]; c.high < high.high {
				high = c
			}
		}
		if from = end; low.low > high.high*(1+1e-9) {
			all = append(all, fmt.Sprintf("%s: %s in %s, but %s in %s", low.quantity, low.text, low.screen, high.text, high.screen))
		}
	}
	return all
}

// TestDisagreements checks what is compared: the numbers in texts, as far as their digits go, and sums of them.
func TestDisagreements(t *testing.T) {
	for _, c := range []struct {
		texts [2]string
		agree bool
	}{
		{[2]string{"5.84 ms", "5.842 ms"}, true},
		{[2]string{"5.84 ms", "5,844 µs"}, true},
		{[2]string{"5.84 ms", "5.847 ms"}, false},
		{[2]string{"2 ms", "1.98 ms"}, false},
		{[2]string{"2 ms", "2.004 ms"}, true},
		{[2]string{"1,209", "1,208"}, false},
		{[2]string{"90 %", "90.2 %"}, true},
		{[2]string{"90 %", "90.6 %"}, false},
		{[2]string{"> 99.9 %", "99.95 %"}, true},
		{[2]string{"< 0.1 %", "0.2 %"}, false},
		{[2]string{"0.98", "3.93"}, false},
		{[2]string{"3.61 of 4", "3.61"}, true},
		{[2]string{"756 reductions", "757"}, false},
	} {
		s := &screens{screen: "one"}
		s.claim("x", c.texts[0])
		s.claim("x", "no number")
		s.screen = "another"
		s.claim("x", c.texts[1])
		s.claim("y", "1", "2")
		s.claim("y", "3")
		if got := disagreements(s.claims); len(got) == 0 != c.agree {
			t.Errorf("%q: %q", c.texts, got)
		}
	}
}

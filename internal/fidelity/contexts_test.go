package fidelity

import (
	"fmt"
	"io"
	"testing"

	"whorl/experiment"
	"whorl/internal/figures"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/callingcontext"
	"whorl/visual/views/halo"
)

// contextFidelity measures the observations of the paper on VIPACT on a program that is made like the paper's.
func contextFidelity(t *testing.T, doc io.Writer) {
	fmt.Fprint(doc, `
## VIPACT

The paper's program, Miranda, is not public. `+"`hpf/mixture 256 32 20 24`"+` stands for it, on 256 processes: three eighths of them have more work in one
phase, and all others wait for these in a broadcast. Measured on its calling contexts, sampled, and on those of the same program with equal work
(`+"`imbalance=0`"+`), the control. A halo has the processes in the lower, the middle and the upper third of the range that is symmetric about their mean: its
inner, central and outer ring.

| | paper | here | equal work |
|---|---:|---:|---:|
`)
	late, even := contextsOf(t, "24"), contextsOf(t, "0")
	row := func(what, paper string, of func(c *calls) string) {
		fmt.Fprintf(doc, "| %s | %s | %s | %s |\n", what, paper, of(late), of(even))
	}
	row("processes", "256", func(c *calls) string { return fmt.Sprint(len(c.Processes)) })
	row("processes slower than the mean in the broadcast", "more than 60 %", func(c *calls) string {
		return figures.Percent(int64(c.slower(c.node("broadcast"))), int64(len(c.Processes)))
	})
	row("inner, central and outer ring of the broadcast", "most in the outer", func(c *calls) string { return c.rings("broadcast") })
	row("of the hydrodynamics, where work is even", "most in the central", func(c *calls) string { return c.rings("hydrodynamics") })
	row("of the program, whose processes take equally long", "-", func(c *calls) string { return c.rings("mixture") })
	row("share of the broadcast", "not printed", func(c *calls) string { return c.percent(c.Total(c.node("broadcast"), 0, true)) })
	row("share of the allocator (`_int_malloc`, here `new_block`)", "2.5 %", func(c *calls) string {
		total, _ := c.function("new_block")
		return c.percent(total)
	})
	row("contexts that call it, of those with callees", "most branches", func(c *calls) string {
		_, callers := c.function("new_block")
		n := 0
		for v := range c.Code {
			if c.inner(int32(v)) {
				n++
			}
		}
		return fmt.Sprintf("%d of %d", callers, n)
	})
	shown := defaults(t, halo.Kind(), "least", "top")
	row("least share of a context that is drawn, and part of the functions, in %", "1; 0.5", func(*calls) string { return shown })
	row("contexts of at least 1 %, of all", "not printed", func(c *calls) string {
		n := 0
		for v := range c.Code {
			if c.large(int32(v)) {
				n++
			}
		}
		return fmt.Sprintf("%d of %d", n, c.Nodes())
	})
	row("largest context of the allocator, hidden below 1 %", "hidden", func(c *calls) string {
		most := int64(0)
		for v, code := range c.Code {
			if v > 0 && c.dict.Code(code).Name == "new_block" {
				most = max(most, c.Total(int32(v), 0, true))
			}
		}
		return c.percent(most)
	})

	broadcast := late.node("broadcast")
	if n := late.slower(broadcast); n*10 <= len(late.Processes)*6 {
		t.Errorf("%d of %d processes are slower than the mean in the broadcast", n, len(late.Processes))
	}
	if n := even.slower(even.node("broadcast")); n*10 > len(even.Processes)*6 {
		t.Errorf("with equal work, %d of %d processes are slower than the mean in the broadcast", n, len(even.Processes))
	}
	if s := late.Spread(broadcast, 0, true); s.Thirds[2] <= s.Thirds[0] || s.Thirds[2] <= s.Thirds[1] {
		t.Errorf("the rings of the broadcast hold %v processes", s.Thirds)
	}
	if s := late.Spread(late.node("hydrodynamics"), 0, true); s.Thirds[1] <= s.Thirds[0]+s.Thirds[2] {
		t.Errorf("the rings of the hydrodynamics hold %v processes", s.Thirds)
	}
}

// calls are the calling contexts of a run.
type calls struct {
	*callingcontext.Tree
	dict *tracer.Dict
	t    *testing.T
}

func contextsOf(t *testing.T, imbalance string) *calls {
	t.Helper()
	r := experiment.Defaults("hpf/mixture")
	r.Args, r.PEs = []string{"256", "32", "20", imbalance}, 256
	result, trace := run(t, r)
	if result.Outcome != tracer.Done {
		t.Fatal(result.Err)
	}
	return &calls{must.Get(callingcontext.Grow(trace, nil, nil, nil))(t), trace.Dict(), t}
}

// node returns the only context of a function.
func (c *calls) node(name string) int32 {
	c.t.Helper()
	node := int32(-1)
	for v, code := range c.Code {
		if v > 0 && c.dict.Code(code).Name == name {
			if node >= 0 {
				c.t.Fatalf("%s has several contexts", name)
			}
			node = int32(v)
		}
	}
	if node < 0 {
		c.t.Fatalf("%s has no context", name)
	}
	return node
}

// function returns what a function takes without its callees in all its contexts, and the number of contexts that call it.
func (c *calls) function(name string) (total int64, callers int) {
	for v, code := range c.Code {
		if v > 0 && c.dict.Code(code).Name == name {
			total += c.Total(int32(v), 0, false)
			callers++
		}
	}
	return total, callers
}

// slower returns the number of processes that are above the mean in a context.
func (c *calls) slower(node int32) (n int) {
	values, sum := c.Values(node, 0, true, nil), int64(0)
	for _, v := range values {
		sum += v
	}
	for _, v := range values {
		if v*int64(len(values)) > sum {
			n++
		}
	}
	return n
}

// rings returns the number of processes in each ring of the halo of a function's context.
func (c *calls) rings(name string) string {
	s := c.Spread(c.node(name), 0, true)
	if s.Equal {
		return "all equal"
	}
	return fmt.Sprintf("%d, %d, %d", s.Thirds[0], s.Thirds[1], s.Thirds[2])
}

func (c *calls) percent(n int64) string {
	return figures.Percent(n, c.Total(callingcontext.Root, 0, true))
}

// inner reports whether a context has callees.
func (c *calls) inner(node int32) bool { return c.End[node] > node+1 }

// large reports whether a context has at least 1 % of the run.
func (c *calls) large(node int32) bool {
	return 100*c.Total(node, 0, true) >= c.Total(callingcontext.Root, 0, true)
}

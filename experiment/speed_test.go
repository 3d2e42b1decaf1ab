package experiment

import (
	"strings"
	"testing"

	"whorl/internal/figures"
	"whorl/testdata/must"
	"whorl/tracer"
)

// timed runs a program on one PE and returns its elapsed time in ns, and the speeds that the trace keeps.
func timed(t *testing.T, r Run) (ns int64, speeds string, err error) {
	t.Helper()
	p, err := r.Resolve()
	if err != nil {
		return 0, "", err
	}
	m := tracer.NewMemory()
	result, err := p.Run(t.Context(), m, nil)
	if err == nil {
		err = result.Err
	}
	from, to := m.Span()
	for _, kv := range m.Meta().Extra {
		if kv.Key == "speed" {
			speeds += kv.Value
		}
	}
	return to - from, speeds, err
}

// TestSpeed: a part of a program that is half as fast takes twice the time, and the rest as long as before; the trace keeps the speed.
func TestSpeed(t *testing.T) {
	for _, c := range []struct{ program, part, wrong, near string }{
		{"fghc/pascal", "bigp/4", "bigg/4", "bigp/4"},
		{"dts/fibonacci", "threads.Fibonacci.func1", "threads.fibonacci.func1", "threads.Fibonacci.func1"},
		{"hpf/jacobi", "jacobi.hpf:%d", "jacobi.hpf:99999", "jacobi.hpf:"},
	} {
		run := func(speeds ...string) Run {
			r := Defaults(c.program)
			r.PEs, r.Speeds = 1, speeds
			return r
		}
		part := c.part
		if strings.Contains(part, "%d") {
			part = costly(t, run())
		}
		usual, _, err := timed(t, run())
		must.Do(t, err)
		half, kept, err := timed(t, run(part+"=0.5"))
		must.Do(t, err)
		third, _, err := timed(t, run(part+"=0.25"))
		must.Do(t, err)
		// The part takes x at the usual speed, 2x at half and 4x at a quarter: the second difference is twice the first.
		x, y := half-usual, third-half
		if x <= 0 || y < 2*x-x/1000-2000 || y > 2*x+x/1000+2000 {
			t.Errorf("%s: %s takes %s more at half the speed and %s more at a quarter", c.program, part, figures.Duration(x), figures.Duration(y))
		}
		if kept != part+"=0.5" {
			t.Errorf("%s: the trace keeps the speed %q", c.program, kept)
		}
		if _, _, err := timed(t, run(c.wrong+"=2")); err == nil || !strings.Contains(err.Error(), c.near) {
			t.Errorf("%s: %s: %v", c.program, c.wrong, err)
		}
	}
	r := Defaults("fghc/pascal")
	r.Mode, r.Speeds = Live, []string{"bigp/4=2"}
	if r.Check() == nil {
		t.Error("a live run has speeds")
	}
}

// costly returns a line of a program in HPF that has samples.
func costly(t *testing.T, r Run) string {
	t.Helper()
	m := tracer.NewMemory()
	must.Get(must.Get(r.Resolve())(t).Run(t.Context(), m, nil))(t)
	for _, code := range m.Dict().Codes() {
		if code.Type == tracer.Line {
			return code.File + ":" + figures.Count(int64(code.Line))
		}
	}
	t.Fatal("no line is in the trace")
	return ""
}

package callgrind

import (
	"bytes"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/formats/profile"
	"whorl/tracer/testdata/profiletest"
)

// recorded returns the samples of two processors: main calls solve at line 12, which calls itself at 21 and a macro of a header, and fib at 14.
func recorded(t *testing.T, processors int) *tracer.Memory {
	m := tracer.NewMemory()
	w := profile.NewWriter(m, profile.Options{})
	w.Meta.Program = "heat"
	line := func(function string, start int32, file string, number int32) []uint32 {
		return w.Frames(profile.Place{Lines: []profile.Line{{Function: function, Start: start, File: file, Line: number, Home: "heat.c"}}})
	}
	main12, main14 := line("main", 10, "heat.c", 12), line("main", 10, "heat.c", 14)
	solve21, solve22, macro := line("solve", 20, "heat.c", 21), line("solve", 20, "heat.c", 22), line("solve", 20, "macros.h", 3)
	fib := line("fib", 30, "heat.c", 31)
	cpu, bytes := w.Metric("cpu", "microseconds"), w.Metric("alloc space", "bytes")
	s := m.Stream(tracer.StreamInfo{})
	for range processors {
		pe := must.Get(w.Processor(tracer.PE{Process: "rank", Thread: string(rune('a' + w.Meta.PEs))}))(t)
		w.Begin(s, pe, 0)
		call := func(frames ...[]uint32) (context uint32) {
			for _, f := range frames {
				context = w.Call(context, f)
			}
			return context
		}
		w.Sample(s, 0, pe, call(main12), cpu, 1)
		w.Sample(s, 0, pe, call(main12, solve22), cpu, 2)
		w.Sample(s, 0, pe, call(main12, solve21, solve22), cpu, 3)
		w.Sample(s, 0, pe, call(main12, solve21, solve21, macro), cpu, 4)
		w.Sample(s, 0, pe, call(main14, fib), cpu, 5)
		w.Sample(s, 0, pe, call(main14, fib), bytes, 600)
		w.Sample(s, 0, pe, call(main14, fib), bytes, -100)
	}
	w.Finish()
	s.Sync()
	must.Do(t, m.Close())
	return m
}

// TestWrite compares a file with one that was written by hand after the chapter "Callgrind Format Specification" of the manual of Valgrind.
func TestWrite(t *testing.T) {
	const want = `# callgrind format
version: 1
creator: whorl
cmd: heat
part: 1
positions: line
events: cpu(us) alloc_space(bytes)
summary: 15 500

fl=(1) heat.c
fn=(1) fib
31 5 500

fl=(1)
fn=(2) main
12 1
cfi=(1)
cfn=(3) solve
calls=0 20
12 9
cfi=(1)
cfn=(1)
calls=0 30
14 5 500

fl=(1)
fn=(3)
22 5
fi=(2) macros.h
3 4

totals: 15 500

`
	var b bytes.Buffer
	must.Do(t, Write(&b, recorded(t, 1)))
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// TestReadAgain checks that Read has the exclusive and inclusive values of functions that were written, for each of two processors.
func TestReadAgain(t *testing.T) {
	for processors := 1; processors <= 2; processors++ {
		m := recorded(t, processors)
		var b bytes.Buffer
		must.Do(t, Write(&b, m))
		again := must.Get(read(profile.Options{}, b.String()))(t)
		got, want := profiletest.Functions(t, again, "cpu", 9), profiletest.Functions(t, m, "cpu", 9)
		if got != want || !strings.Contains(want, " main") {
			t.Errorf("%d processors: got\n%s\nwant\n%s", processors, got, want)
		}
		if meta := again.Meta(); meta.PEs != processors || meta.Program != "heat" || meta.Missing() != "" {
			t.Errorf("%d processors of %q, missing %q", meta.PEs, meta.Program, meta.Missing())
		}
	}
}

// TestWriteNothing checks the error for a trace without samples.
func TestWriteNothing(t *testing.T) {
	if err := Write(&bytes.Buffer{}, tracer.NewMemory()); err == nil || !strings.Contains(err.Error(), "no samples") {
		t.Error(err)
	}
}

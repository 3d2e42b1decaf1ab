package spike

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"whorl/hpfsim/exec"
	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
	"whorl/sim"
	"whorl/sim/machines"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/testdata/tracertest"
)

func code(t testing.TB, text string) *lower.Program {
	t.Helper()
	f, errs := syntax.Parse("spike.f90", text, syntax.Options{})
	if errs.Failed() {
		t.Fatal(errs)
	}
	p, errs := lower.Lower(f, 4, exec.Constant)
	if errs.Failed() {
		t.Fatal(f.Locate(errs))
	}
	return p
}

// sampled runs a program on 4 processors of the default machine, sampled every 100 us. It returns the sampled lines in ascending order, the number
// of ticks of each procedure, and the output.
func sampled(t *testing.T, text string) (lines []int, ticks map[string]int, out string) {
	t.Helper()
	preset := must.Get(machines.Named(machines.Default))(t)
	net := must.Get(sim.NetworkNamed(preset.Network, 4))(t)
	mem := tracer.NewMemory()
	var printed strings.Builder
	m := exec.New(code(t, text), exec.Options{Network: net, Model: preset.Model, Recorder: mem, Sample: 100_000, Output: &printed})
	must.Get(m.Advance(1 << 60))(t)
	sampledLines := map[int]bool{}
	ticks = map[string]int{}
	for _, e := range tracertest.Events(t, mem, tracer.Kinds(tracer.Sample)) {
		code := mem.Dict().Code(mem.Dict().Context(uint32(e.Ref)).Code)
		for code.Line == 0 || code.Type == tracer.Instruction {
			code = mem.Dict().Code(code.Parent)
		}
		sampledLines[int(code.Line)] = true
		for code.Type == tracer.Line {
			code = mem.Dict().Code(code.Parent)
		}
		ticks[strings.ToLower(code.Name)] += int(e.Value)
	}
	for l := range sampledLines {
		lines = append(lines, l)
	}
	slices.Sort(lines)
	return lines, ticks, printed.String()
}

// kept returns the number of lines that remain if stretches of more than skip unsampled lines are omitted.
func kept(lines []int, total, skip int) int {
	busy := make([]bool, total+1)
	for _, l := range lines {
		busy[l] = true
	}
	n := 0
	for l := 1; l <= total; {
		end := l
		for end <= total && !busy[end] {
			end++
		}
		if end-l <= skip {
			n += end - l
		}
		for ; end <= total && busy[end]; end++ {
			n++
		}
		l = end
	}
	return n
}

// TestPaper checks the figures of PerfVisS: without stretches of more than 50 unsampled lines, with bins of 4 lines and strips of 80 bins, the
// program fills 14 strips, and its busiest procedure is in the eighth.
func TestPaper(t *testing.T) {
	p := New(Default, 1)
	if n := strings.Count(p.Text, "\n"); n != 94_824 {
		t.Fatalf("%d lines", n)
	}
	lines, ticks, out := sampled(t, p.Text)
	n := kept(lines, Default, 50)
	if n < 4_161 || n > 4_480 {
		t.Errorf("%d lines remain, which do not fill 14 strips", n)
	}
	busiest, most := "", 0
	for name, n := range ticks {
		if n > most {
			busiest, most = name, n
		}
	}
	if busiest != "flux" || len(ticks) != len(hot)+1 {
		t.Errorf("the busiest procedure is %s of %v", busiest, ticks)
	}
	texts := strings.Split(p.Text, "\n")
	var inside []int
	for k, l := range lines {
		from := slices.Index(texts, "subroutine flux(a, b, c, d)")
		to := slices.Index(texts, "end subroutine flux")
		if l-1 > from && l-1 < to {
			inside = append(inside, kept(lines[:k+1], l, 50)-1)
		}
	}
	if len(inside) == 0 || inside[0]/320 != 7 || inside[len(inside)-1]/320 != 7 {
		t.Errorf("the busiest procedure is at remaining lines %v, but the eighth strip has lines 2240 to 2559", inside)
	}
	for k, word := range strings.Fields(out) {
		if v, err := strconv.ParseFloat(word, 64); err != nil || math.Abs(v-p.Sums[k]) > 1e-7 {
			t.Errorf("sum %d is %s, want %f", k, word, p.Sums[k])
		}
	}
	t.Logf("%d lines were sampled, %d remain", len(lines), n)
}

// TestOther checks that programs have the requested number of lines, that their text depends on lines and seed, and their sums only on the seed.
func TestOther(t *testing.T) {
	first := New(Least, 1)
	for _, c := range []struct {
		lines int
		seed  uint64
	}{{Least, 2}, {Least + 1, 1}, {30_000, 0}, {30_011, 7}} {
		p := New(c.lines, c.seed)
		if n := strings.Count(p.Text, "\n"); n != c.lines {
			t.Errorf("%d lines for %d", n, c.lines)
		}
		if p.Text == first.Text || p.Text != New(c.lines, c.seed).Text {
			t.Errorf("%d lines, seed %d: the text does not depend on these alone", c.lines, c.seed)
		}
		if (p.Sums == first.Sums) != (c.seed == 1) {
			t.Errorf("%d lines, seed %d: sums %v", c.lines, c.seed, p.Sums)
		}
		lines, _, out := sampled(t, p.Text)
		if n := kept(lines, c.lines, 50); n < 4_000 || n > 4_600 {
			t.Errorf("%d lines, seed %d: %d remain", c.lines, c.seed, n)
		}
		for k, word := range strings.Fields(out) {
			if v, err := strconv.ParseFloat(word, 64); err != nil || math.Abs(v-p.Sums[k]) > 1e-7 {
				t.Errorf("%d lines, seed %d: sum %d is %s, want %f", c.lines, c.seed, k, word, p.Sums[k])
			}
		}
	}
}

func benchmark(b *testing.B, lines int) {
	text := New(lines, 1).Text
	for b.Loop() {
		code(b, text)
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms")
}

func BenchmarkCompile(b *testing.B)        { benchmark(b, Default) }
func BenchmarkCompileMillion(b *testing.B) { benchmark(b, Most) }

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
	"whorl/tracer"
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

// sampled runs a program on 4 processors of the first machine, sampled each 100 us, and returns the lines that were met, ascending, what each
// procedure was met how often, and what was printed.
func sampled(t *testing.T, text string) (lines []int, ticks map[string]int, out string) {
	t.Helper()
	preset, err := machines.Named(machines.Default)
	if err != nil {
		t.Fatal(err)
	}
	net, err := sim.NetworkNamed(preset.Network, 4)
	if err != nil {
		t.Fatal(err)
	}
	mem := tracer.NewMemory()
	var printed strings.Builder
	m := exec.New(code(t, text), exec.Options{Network: net, Model: preset.Model, Recorder: mem, Sample: 100_000, Output: &printed})
	if _, err := m.Advance(1 << 60); err != nil {
		t.Fatal(err)
	}
	met := map[int]bool{}
	ticks = map[string]int{}
	err = mem.Scan(tracer.Kinds(tracer.Sample), func(events []tracer.Event) error {
		for _, e := range events {
			at := mem.Dict().Code(mem.Dict().Context(uint32(e.Ref)).Code)
			for at.Line == 0 || at.Type == tracer.Instruction {
				at = mem.Dict().Code(at.Parent)
			}
			met[int(at.Line)] = true
			for at.Type == tracer.Line {
				at = mem.Dict().Code(at.Parent)
			}
			ticks[strings.ToLower(at.Name)] += int(e.Value)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for l := range met {
		lines = append(lines, l)
	}
	slices.Sort(lines)
	return lines, ticks, printed.String()
}

// kept is how many of so many lines are left when runs of more than skip lines that are not among those that were met are left out.
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

// TestPaper holds the figures of PerfVisS: with runs of more than 50 lines left out, bins of 4 lines and strips of 80 bins, the program fills 14
// strips, and its busiest procedure is in the eighth.
func TestPaper(t *testing.T) {
	p := New(Default, 1)
	if n := strings.Count(p.Text, "\n"); n != 94_824 {
		t.Fatalf("%d lines", n)
	}
	lines, ticks, out := sampled(t, p.Text)
	n := kept(lines, Default, 50)
	if n < 4_161 || n > 4_480 {
		t.Errorf("%d lines are left, which are no 14 strips", n)
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
		t.Errorf("the busiest procedure is at lines %v of what is left, and the eighth strip has 2240 to 2559", inside)
	}
	for k, word := range strings.Fields(out) {
		if v, err := strconv.ParseFloat(word, 64); err != nil || math.Abs(v-p.Sums[k]) > 1e-7 {
			t.Errorf("sum %d is %s, and should be %f", k, word, p.Sums[k])
		}
	}
	t.Logf("%d lines were met, %d are left", len(lines), n)
}

// TestOther holds that other programs have as many lines as they should, another text, and other sums for another seed alone.
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
			t.Errorf("%d lines, seed %d: the text does not follow from these", c.lines, c.seed)
		}
		if (p.Sums == first.Sums) != (c.seed == 1) {
			t.Errorf("%d lines, seed %d: sums %v", c.lines, c.seed, p.Sums)
		}
		lines, _, out := sampled(t, p.Text)
		if n := kept(lines, c.lines, 50); n < 4_000 || n > 4_600 {
			t.Errorf("%d lines, seed %d: %d are left", c.lines, c.seed, n)
		}
		for k, word := range strings.Fields(out) {
			if v, err := strconv.ParseFloat(word, 64); err != nil || math.Abs(v-p.Sums[k]) > 1e-7 {
				t.Errorf("%d lines, seed %d: sum %d is %s, and should be %f", c.lines, c.seed, k, word, p.Sums[k])
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

package benchmarks

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	hpfexec "whorl/hpfsim/exec"
	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
	"whorl/sim"
	"whorl/testdata/must"
)

// hpf returns the benchmarks in HPF.
func hpf() []*Benchmark {
	return slices.DeleteFunc(slices.Clone(All), func(b *Benchmark) bool { return b.Program.Substrate() != "hpf" })
}

// smallHPF returns sizes for which a benchmark in HPF takes a few milliseconds and still executes all of its program.
func smallHPF(b *Benchmark) []int64 {
	p := b.Defaults()
	for i := range p {
		p[i] = max(min(p[i], 9), b.Params[i].Min, 1)
	}
	return p
}

// printed returns the output of a benchmark in HPF.
func printed(t testing.TB, b *Benchmark, p []int64, processors int) string {
	t.Helper()
	out, _ := execute(t, b, p, processors, sim.Model{})
	return out
}

// lowered compiles a benchmark in HPF.
func lowered(t testing.TB, b *Benchmark, p []int64, processors int) *lower.Program {
	t.Helper()
	prog := b.Program.(HPF)
	f, errs := syntax.Parse(prog.File, prog.Text(p), syntax.Options{})
	if errs.Failed() {
		t.Fatal(errs)
	}
	code, errs := lower.Lower(f, processors, hpfexec.Constant)
	if errs.Failed() {
		t.Fatal(f.Locate(errs))
	}
	return code
}

// execute returns the output of a benchmark in HPF and the machine, which has a uniform network.
func execute(t testing.TB, b *Benchmark, p []int64, processors int, model sim.Model) (string, *hpfexec.Machine) {
	t.Helper()
	net := must.Get(sim.NetworkNamed("all", processors))(t)
	var out strings.Builder
	m := hpfexec.New(lowered(t, b, p, processors), hpfexec.Options{Network: net, Model: model, Output: &out})
	must.Get(m.Advance(1 << 60))(t)
	return out.String(), m
}

// TestLUBalance checks what hpf/lu demonstrates: on four processors, cyclic columns take less than nine tenths of the time of block columns,
// which leave processors without work; on one processor there is no difference.
func TestLUBalance(t *testing.T) {
	elapsed := func(cyclic int64, processors int) float64 {
		_, m := execute(t, hpfLU, []int64{60, cyclic}, processors, sim.Model{InstructionPs: 1000})
		return float64(m.Now())
	}
	if block, cyclic := elapsed(0, 4), elapsed(1, 4); cyclic > 0.9*block {
		t.Errorf("BLOCK takes %.0f ns, CYCLIC %.0f ns", block, cyclic)
	}
	if block, cyclic := elapsed(0, 1), elapsed(1, 1); cyclic != block {
		t.Errorf("on one processor, BLOCK takes %.0f ns, CYCLIC %.0f ns", block, cyclic)
	}
}

// TestHPFSizes checks that the text of a program contains the default sizes of the benchmark, and other sizes after substitution.
func TestHPFSizes(t *testing.T) {
	for _, b := range hpf() {
		prog := b.Program.(HPF)
		plain, err := sources.ReadFile("hpf/" + prog.File)
		if err != nil {
			continue // a generated program
		}
		if prog.Text(b.Defaults()) != string(plain) {
			t.Errorf("%s: the text does not contain the default sizes", b.Name)
		}
		for i, q := range b.Params {
			p := b.Defaults()
			if p[i] = q.Max; p[i] == q.Default {
				p[i] = q.Min
			}
			if text := prog.Text(p); text == string(plain) || q.Name != "cyclic" && !strings.Contains(text, fmt.Sprintf(" %s = %d\n", q.Name, p[i])) {
				t.Errorf("%s: the text does not contain %s=%d", b.Name, q.Name, p[i])
			}
		}
		if !strings.HasPrefix(string(plain), "! ") {
			t.Errorf("%s does not begin with a comment", prog.File)
		}
	}
}

// TestHPFCheck checks that Check detects changes of right answers.
func TestHPFCheck(t *testing.T) {
	for _, b := range hpf() {
		t.Run(b.Bare(), func(t *testing.T) {
			p := smallHPF(b)
			right := printed(t, b, p, 3)
			must.Do(t, b.Check(p, right))
			for i, c := range right {
				if c < '0' || c > '9' {
					continue
				}
				wrong := right[:i] + string('0'+(c-'0'+5)%10) + right[i+1:]
				if b.Check(p, wrong) == nil {
					t.Errorf("Check accepts %q at character %d of %q", wrong[i], i, right)
				}
			}
			words := strings.Fields(right)
			for _, wrong := range []string{"", right + right, strings.Join(words[1:], " "), strings.Join(words[:len(words)-1], " ")} {
				if b.Check(p, wrong) == nil {
					t.Errorf("Check accepts %q", wrong)
				}
			}
			for i, q := range b.Params {
				other := slices.Clone(p)
				if other[i] += 2; q.Name == "cyclic" || q.Name == "lines" {
					continue // these sizes change the distribution and code that is not executed
				}
				if other[i] > q.Max {
					other[i] = q.Min
				}
				if b.Check(other, right) == nil {
					t.Errorf("Check accepts the answer for %v for %v", p, other)
				}
			}
		})
	}
}

// TestHPFSmallest runs the programs with minimum sizes and with odd sizes.
func TestHPFSmallest(t *testing.T) {
	for _, b := range hpf() {
		least, odd := b.Defaults(), b.Defaults()
		for i, q := range b.Params {
			least[i], odd[i] = q.Min, min(q.Min+6, q.Max)
		}
		for _, p := range [][]int64{least, odd} {
			for _, processors := range []int{1, 6} {
				if err := b.Check(p, printed(t, b, p, processors)); err != nil {
					t.Errorf("%s %v on %d processors: %v", b.Name, p, processors, err)
				}
			}
		}
	}
}

// TestHPFGfortran compiles the programs with gfortran, to which directives are comments, and compares the outputs. Numbers with a decimal point
// may differ by two units of their last decimal.
func TestHPFGfortran(t *testing.T) {
	compiler, err := exec.LookPath("gfortran")
	if err != nil {
		t.Skip("there is no gfortran")
	}
	last := regexp.MustCompile(`\.(\d+)$`)
	for _, b := range hpf() {
		t.Run(b.Bare(), func(t *testing.T) {
			prog := b.Program.(HPF)
			dir := t.TempDir()
			source, binary := filepath.Join(dir, "p.f90"), filepath.Join(dir, "p")
			p := b.Defaults()
			if b == hpfSpike {
				p[0] = b.Params[0].Min // gfortran takes most of a minute for the default
			}
			must.Do(t, os.WriteFile(source, []byte(prog.Text(p)), 0o666))
			if out, err := exec.Command(compiler, "-O0", "-o", binary, source).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			out := must.Get(exec.Command(binary).Output())(t)
			if err := b.Check(p, string(out)); err != nil {
				t.Errorf("gfortran's program: %v", err)
			}
			got, want := strings.Fields(printed(t, b, p, 4)), strings.Fields(string(out))
			if len(got) != len(want) || len(got) == 0 {
				t.Fatalf("%d words, but gfortran's program prints %d", len(got), len(want))
			}
			for i := range got {
				within := 0.0
				if d := last.FindStringSubmatch(want[i]); d != nil {
					within = 2.1
					for range d[1] {
						within /= 10
					}
				}
				if err := equalNumbers(got[i], want[i], within); err != nil {
					t.Errorf("word %d: %v", i+1, err)
				}
			}
		})
	}
}

func TestEqualNumbers(t *testing.T) {
	for _, c := range []struct {
		answer, want string
		same         bool
	}{
		{"a 1.00", "a  1.01\n", true}, {"a 1.00", "a 1.03", false}, {"b 1.00", "a 1.00", false}, {"a", "a 1", false}, {"NaN", "1.00", false}, {"NaN", "NaN", true},
	} {
		if err := equalNumbers(c.answer, c.want, 0.02); (err == nil) != c.same {
			t.Errorf("%q and %q: %v", c.answer, c.want, err)
		}
	}
}

package report

import (
	"bytes"
	"encoding/csv"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"whorl/testdata/must"
)

// TestStudentT compares the quantiles with those of another implementation.
func TestStudentT(t *testing.T) {
	for _, freedom := range []int{1, 2, 3, 4, 5, 9, 19, 20, 99, 4095} {
		want := distuv.StudentsT{Sigma: 1, Nu: float64(freedom)}.Quantile(0.975)
		if got := studentT(freedom); math.Abs(got/want-1) > 1e-9 {
			t.Errorf("%d degrees of freedom: %.12g, want %.12g", freedom, got, want)
		}
	}
	// The mean of 2, 4, 4, 5, 10 is 5, their standard deviation 3, and t with 4 degrees of freedom 2.776.
	if e := estimate([]float64{2, 4, 4, 5, 10}); e.Mean != 5 || math.Abs(e.Half-2.7764451*3/math.Sqrt(5)) > 1e-6 {
		t.Errorf("%+v", e)
	}
	if e := estimate([]float64{7}); e != (Estimate{Mean: 7, Known: true}) {
		t.Errorf("one number: %+v", e)
	}
}

// ran returns a run that is done.
func ran(policy string, pes int, seed uint64, ns float64) *Run {
	r := &Run{Setting: Setting{Program: "p", Args: "7", Machine: "m", Policy: policy, PEs: pes}, Seed: seed, Outcome: "done"}
	r.Baseline = policy != "" && pes == 1
	r.Numbers[ElapsedTime] = &ns
	return r
}

// heads are the first columns of every CSV of a comparison.
const heads = "program,args,goal,mode,machine,network,seed,seeds,policy,pes,outcome,done,time_ns,time_ns_ci95,speedup,"

// TestSettings compares runs with two arguments: each has the baseline of its own arguments, and the label says in which the runs differ. The
// columns of the CSV are those of runs with several seeds.
func TestSettings(t *testing.T) {
	var runs []*Run
	for i, args := range []string{"7", "9"} {
		for _, pes := range []int{1, 2} {
			r := ran("a", pes, 3, float64(100*(i+1)/pes))
			r.Args, r.Goal, r.Baseline = args, "go("+args+")", false
			runs = append(runs, r)
		}
	}
	c := &Comparison{Seed: 3, Seeds: 1, PEs: []int{1, 2}, Policies: []string{"a"}}
	c.Compare(runs)
	var b strings.Builder
	must.Do(t, c.WriteCSV(&b))
	lines := strings.Split(b.String(), "\n")
	if !strings.HasPrefix(lines[0], heads) || !strings.HasPrefix(lines[4], "p,9,go(9),,m,,3,1,a,2,done,1,100,,2.0000,,2.0000,,1.0000,,") || len(lines) != 6 {
		t.Errorf("%s", b.String())
	}
	if got := c.Label(&c.Cells[3]); got != "a, 9" || c.Best.TimeNs != 0 || !strings.Contains(strings.Join(c.Heading(), "\n"), "of the same program, arguments") {
		t.Errorf("%s, best %+v, %q", got, c.Best, c.Heading())
	}
}

// TestSpeedups compares two policies with two seeds. The best mean on 1 PE is that of b, 90.
func TestSpeedups(t *testing.T) {
	c := &Comparison{Program: "p", Machine: "m", Seed: 1, Seeds: 2, PEs: []int{2}, Policies: []string{"a", "b"}}
	c.Compare([]*Run{
		ran("a", 2, 1, 50), ran("a", 2, 2, 40), ran("b", 2, 1, 60), ran("b", 2, 2, 60),
		ran("a", 1, 1, 110), ran("a", 1, 2, 90), ran("b", 1, 1, 80), ran("b", 1, 2, 100),
	})
	if c.Best != (Baseline{"b", 90}) || len(c.Cells) != 2 {
		t.Fatalf("best %+v, %d cells", c.Best, len(c.Cells))
	}
	for i, want := range []struct{ time, speedup, own, efficiency float64 }{
		{45, (90.0/50 + 90.0/40) / 2, (100.0/50 + 100.0/40) / 2, (90.0/100 + 90.0/80) / 2}, {60, 1.5, 1.5, 0.75},
	} {
		n := &c.Cells[i].Numbers
		got := []float64{n[ElapsedTime].Mean, n[BestSpeedup].Mean, n[OwnSpeedup].Mean, n[SpeedupEfficiency].Mean}
		for k, x := range []float64{want.time, want.speedup, want.own, want.efficiency} {
			if math.Abs(got[k]-x) > 1e-12 {
				t.Errorf("%s: %v, want %+v", c.Cells[i].Name(), got, want)
				break
			}
		}
	}
	if half := c.Cells[0].Numbers[ElapsedTime].Half; math.Abs(half-12.7062047*5) > 1e-6 { // t with 1 degree of freedom, standard error 5
		t.Errorf("± %g", half)
	}
	var table, lines, object bytes.Buffer
	must.Do(t, c.WriteTable(&table))
	must.Do(t, c.WriteCSV(&lines))
	must.Do(t, c.WriteJSON(&object))
	const want = `p
m, seeds 1 to 2
means over the seeds, ± half of the 95 % confidence interval (Student's t)
speedup: against 90 ns on 1 PE under b, the best time on 1 PE; own: against the time of the same policy on 1 PE

policy  PEs   time      ±  speedup     ±   own     ±  efficiency  messages  bytes  idle
a         2  45 ns  64 ns     2.02  2.86  2.25  3.18     101.2 %         -      -     -
b         2  60 ns   0 ns     1.50  0.00  1.50  0.00      75.0 %         -      -     -
`
	if table.String() != want {
		t.Errorf("table\n%s\nwant\n%s", &table, want)
	}
	records := must.Get(csv.NewReader(&lines).ReadAll())(t)
	const start = "p,7,,,m,,1,2,a,2,done,2,45.00,63.53,"
	if len(records) != 3 || !strings.HasPrefix(strings.Join(records[0], ","), heads) || !strings.HasPrefix(strings.Join(records[1], ","), start) || records[1][20] != "" {
		t.Errorf("%v", records)
	}
	for _, want := range []string{`"best_policy": "b"`, `"time_ns": 45,`, `"time_ns_ci95": 63.5`, `"idle_share": null`} {
		if !strings.Contains(object.String(), want) {
			t.Errorf("no %s in\n%s", want, &object)
		}
	}
}

// TestFailedRuns leaves runs that are not done out of means, and says how many there are.
func TestFailedRuns(t *testing.T) {
	limited := ran("a", 1, 2, 7)
	limited.Outcome, limited.Err = "limited", "stopped"
	never := ran("a", 2, 1, 9)
	never.Outcome = "failed"
	c := &Comparison{Program: "p", Machine: "m", Seed: 1, Seeds: 2, PEs: []int{1, 2}, Policies: []string{"a"}}
	done := ran("a", 1, 1, 20)
	done.Baseline, limited.Baseline = false, false
	c.Compare([]*Run{done, limited, never})
	one, two := &c.Cells[0], &c.Cells[1]
	if one.Numbers[ElapsedTime].Mean != 20 || one.Runs != 1 || one.Total != 2 || one.Err != "stopped" || two.Numbers[ElapsedTime].Mean != 9 || two.Numbers[BestSpeedup].Known {
		t.Errorf("%+v %+v", one, two)
	}
	if f := c.Failed(); len(f) != 2 || f[0] != one || f[0].Outcome != "limited" {
		t.Errorf("%v", f)
	}
	var b strings.Builder
	must.Do(t, c.WriteTable(&b))
	if !strings.Contains(b.String(), "limited, 1 of 2 done\n") || !strings.Contains(b.String(), "failed, 0 of 1 done\n") {
		t.Errorf("%s", b.String())
	}
}

// TestNoPolicy writes one block without a column of policies.
func TestNoPolicy(t *testing.T) {
	c := &Comparison{Program: "hpf/p", Machine: "m", Network: "bus", Seed: 1, Seeds: 1, PEs: []int{1, 16}, Policies: []string{""}}
	c.Compare([]*Run{ran("", 1, 1, 80), ran("", 16, 1, 40)})
	var b strings.Builder
	must.Do(t, c.WriteTable(&b))
	const want = `hpf/p
m, bus, seed 1
no policy: the program itself says where its work runs
speedup: against 80 ns on 1 PE

PEs   time  speedup  efficiency  messages  bytes  idle
  1  80 ns     1.00     100.0 %         -      -     -
 16  40 ns     2.00      12.5 %         -      -     -
`
	if b.String() != want || c.Cells[1].Name() != "16 PEs" {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
}

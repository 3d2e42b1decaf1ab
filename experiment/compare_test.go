package experiment

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"whorl/testdata/must"
	"whorl/tracer/report"
	"whorl/tracer/store"
	"whorl/tracer/testdata/tracertest"
)

func smallPascal() Run {
	r := Defaults("pascal")
	r.Args = []string{"20"}
	return r
}

func compareAll(t *testing.T, g Grid) *report.Comparison {
	t.Helper()
	return must.Get(Compare(context.Background(), g, nil, nil))(t)
}

// TestCompareIsTheRuns compares each cell with the numbers of a single run.
func TestCompareIsTheRuns(t *testing.T) {
	base := smallPascal()
	base.Network, base.Machine = "mesh2d", "cenju3"
	g := Grid{Base: base, PEs: []int{4, 2}, Policies: []string{"steal", "round-robin"}}
	calls := 0
	var traces []*store.Growing
	c := must.Get(Compare(context.Background(), g, &traces, func(over, all int) {
		if calls++; over != calls || all != 6 { // each policy also runs on 1 PE
			t.Errorf("%d of %d runs are over at call %d", over, all, calls)
		}
	}))(t)
	if len(c.Cells) != 4 || len(traces) != 4 || calls != 6 || c.Failed() != nil {
		t.Fatalf("%d cells, %d traces, %d calls, failed %v", len(c.Cells), len(traces), calls, c.Failed())
	}
	alone := map[string]float64{}
	for _, policy := range g.Policies {
		one := base
		one.Policy, one.PEs = policy, 1
		_, trace := run(t, one)
		alone[policy] = float64(must.Get(report.Summarise(trace))(t).ElapsedNs)
	}
	best := min(alone["steal"], alone["round-robin"])
	for i := range c.Cells {
		x := &c.Cells[i]
		policy, pes := g.Policies[i/2], g.PEs[i%2]
		one := base
		one.Policy, one.PEs = policy, pes
		_, trace := run(t, one)
		s := must.Get(report.Summarise(trace))(t)
		elapsed := float64(s.ElapsedNs)
		least := max(math.Ceil(float64(*s.WorkNs)/float64(pes)), float64(*s.SpanNs))
		want := [report.NumNumbers]float64{
			report.ElapsedTime: elapsed, report.BestSpeedup: best / elapsed, report.OwnSpeedup: alone[policy] / elapsed,
			report.SpeedupEfficiency: best / (elapsed * float64(pes)), report.ParallelEfficiency: *s.Efficiency.Parallel,
			report.LoadBalance: *s.Efficiency.LoadBalance, report.SerialisationFactor: *s.Efficiency.Serialisation,
			report.TransferFactor: *s.Efficiency.Transfer, report.ReductionCount: float64(s.Reductions), report.SuspensionCount: float64(s.Suspensions),
			report.MessageCount: float64(s.Messages), report.ByteCount: float64(s.Bytes), report.IdleShare: *s.IdleShare,
			report.LeastTime: least, report.AboveLeast: elapsed/least - 1,
		}
		for n, value := range want {
			if got := x.Numbers[n]; got != (report.Estimate{Mean: value, Known: true}) {
				t.Errorf("%s: number %d is %+v, want %g", x.Name(), n, got, value)
			}
		}
		if x.Policy != policy || x.PEs != pes || x.Outcome != *s.Outcome || s.Messages == 0 || s.Suspensions == 0 {
			t.Errorf("cell %d is %s, %s", i, x.Name(), x.Outcome)
		}
		if tracertest.Text(t, traces[i]) != tracertest.Text(t, trace) {
			t.Errorf("%s: the trace is not the one of the run", x.Name())
		}
	}
	if c.Cells[0].Numbers[report.BestSpeedup] == c.Cells[1].Numbers[report.BestSpeedup] {
		t.Error("2 PEs are as fast as 4")
	}
}

// TestCompareSeeds compares means with those of comparisons with one seed. The traces kept are those of the first seed.
func TestCompareSeeds(t *testing.T) {
	base := smallPascal()
	base.Seed = 5
	g := Grid{Base: base, PEs: []int{1, 3}, Policies: []string{"random"}, Seeds: 3}
	var traces []*store.Growing
	c := must.Get(Compare(context.Background(), g, &traces, nil))(t)
	sum := 0.0
	for i := range 3 {
		one := g
		one.Base.Seed, one.Seeds = uint64(5+i), 1
		sum += compareAll(t, one).Cells[1].Numbers[report.ElapsedTime].Mean
	}
	x := &c.Cells[1]
	if got := x.Numbers[report.ElapsedTime]; math.Abs(got.Mean-sum/3) > 1e-6 || got.Half <= 0 || x.Total != 3 || c.Seeds != 3 || c.Seed != 5 {
		t.Errorf("%+v of %d runs, want %g", got, x.Total, sum/3)
	}
	if len(traces) != 2 || traces[1].Meta().Seed != 5 || traces[1].Meta().PEs != 3 {
		t.Errorf("%d traces, the second of seed %d on %d PEs", len(traces), traces[1].Meta().Seed, traces[1].Meta().PEs)
	}
}

// TestCompareWithoutPolicy runs a program in HPF once on each number of PEs, whatever the policies.
func TestCompareWithoutPolicy(t *testing.T) {
	c := compareAll(t, Grid{Base: Defaults("hpf/rsa"), PEs: []int{2, 4}, Policies: []string{"steal", "random"}})
	if len(c.Cells) != 2 || !reflect.DeepEqual(c.Policies, []string{""}) || c.Cells[0].Policy != "" || !c.Cells[0].Numbers[report.BestSpeedup].Known {
		t.Errorf("%d cells of the policies %q", len(c.Cells), c.Policies)
	}
}

// TestCompareDoesNotDependOnTheComputer compares the results of one run at a time with those of several at a time.
func TestCompareDoesNotDependOnTheComputer(t *testing.T) {
	g := Grid{Base: smallPascal(), PEs: []int{1, 3, 8}, Policies: []string{"on-demand", "random", "steal"}}
	var texts []string
	for _, procs := range []int{1, 4} {
		old := runtime.GOMAXPROCS(procs)
		c := compareAll(t, g)
		runtime.GOMAXPROCS(old)
		var b bytes.Buffer
		for _, write := range []func() error{
			func() error { return c.WriteTable(&b) }, func() error { return c.WriteCSV(&b) }, func() error { return c.WriteJSON(&b) },
		} {
			must.Do(t, write())
		}
		texts = append(texts, b.String())
	}
	if texts[0] != texts[1] {
		t.Errorf("%s\n%s", texts[0], texts[1])
	}
}

func TestCompareWrites(t *testing.T) {
	c := compareAll(t, Grid{Base: smallPascal(), PEs: []int{2}, Policies: []string{"on-demand", "static"}})
	var table, lines, object bytes.Buffer
	must.Do(t, c.WriteTable(&table))
	must.Do(t, c.WriteCSV(&lines))
	must.Do(t, c.WriteJSON(&object))
	records, err := csv.NewReader(&lines).ReadAll()
	if err != nil || len(records) != 3 || records[2][8] != "static" || records[0][14] != "speedup" || records[2][16] != "1.0000" ||
		strings.Join(records[1][:8], " ") != "fghc/pascal 20 go(20, X) sim symmetry bus 1 1" {
		t.Errorf("%v %v", records, err)
	}
	var got struct {
		Program string
		Args    []string
		Runs    []struct {
			Policy  string
			PEs     int     `json:"pes"`
			TimeNs  float64 `json:"time_ns"`
			Outcome string
		}
	}
	if err := json.Unmarshal(object.Bytes(), &got); err != nil || got.Program != "fghc/pascal" || got.Args[0] != "20" || len(got.Runs) != 2 ||
		got.Runs[1].Policy != "static" || got.Runs[1].PEs != 2 || got.Runs[1].TimeNs != c.Cells[1].Numbers[report.ElapsedTime].Mean {
		t.Errorf("%+v %v", got, err)
	}
	width := 0
	for _, l := range strings.Split(strings.TrimSpace(table.String()), "\n")[4:] {
		if width == 0 {
			width = utf8.RuneCountInString(l)
		}
		if utf8.RuneCountInString(l) != width || strings.HasSuffix(l, " ") {
			t.Errorf("%q has another width than %d", l, width)
		}
	}
}

func TestCompareWhatFails(t *testing.T) {
	base := smallPascal()
	base.Limits.Reductions = 30
	c := compareAll(t, Grid{Base: base, PEs: []int{1, 2}, Policies: []string{"on-demand"}})
	if f := c.Failed(); len(f) != 2 || f[0].Outcome != "limited" || f[0].Numbers[report.BestSpeedup].Known || !strings.Contains(f[0].Err, "30 reductions") {
		t.Errorf("%+v", f[0])
	}
	var b bytes.Buffer
	if err := c.WriteTable(&b); err != nil || !strings.Contains(b.String(), "limited\n") {
		t.Errorf("%v\n%s", err, &b)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c, err := Compare(ctx, Grid{Base: smallPascal(), PEs: []int{1, 2}, Policies: []string{"on-demand"}}, nil, nil)
	if err != nil || len(c.Failed()) != 2 || c.Cells[0].Outcome != "interrupted" {
		t.Errorf("%+v %v", c, err)
	}
	lastSeed := smallPascal()
	lastSeed.Seed = math.MaxUint64
	for _, g := range []struct {
		g    Grid
		want string
	}{
		{Grid{Base: smallPascal()}, "at least one"},
		{Grid{Base: smallPascal(), PEs: []int{2, 2}, Policies: []string{"steal"}}, "PEs 2 is listed twice"},
		{Grid{Base: smallPascal(), PEs: []int{2}, Policies: []string{"steal", "steal"}}, "steal is listed twice"},
		{Grid{Base: smallPascal(), PEs: []int{2}, Policies: []string{"stea"}}, "did you mean steal"},
		{Grid{Base: smallPascal(), PEs: []int{0}, Policies: []string{"steal"}}, "1 to 1,048,576"},
		{Grid{Base: smallPascal(), PEs: []int{OwnPEs}, Policies: []string{"steal"}}, "1 to 1,048,576"},
		{Grid{Base: Defaults("pascall"), PEs: []int{2}, Policies: []string{"steal"}}, "did you mean"},
		{Grid{Base: smallPascal(), PEs: make([]int, maxRuns+1), Policies: []string{"steal"}}, "4,097 runs"},
		{Grid{Base: smallPascal(), PEs: []int{2, 4}, Policies: []string{"steal"}, Seeds: 2049}, "4,098 runs"},
		{Grid{Base: lastSeed, PEs: []int{2}, Policies: []string{"steal"}, Seeds: 2}, "fewer than 2"},
	} {
		if _, err := Compare(context.Background(), g.g, nil, nil); err == nil || !strings.Contains(err.Error(), g.want) {
			t.Errorf("%v, want %q", err, g.want)
		}
	}
}

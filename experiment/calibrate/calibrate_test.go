package calibrate

import (
	"context"
	"encoding/csv"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"whorl/internal/bootstrap"
	"whorl/sim/machines"
	"whorl/testdata/must"
	"whorl/testdata/testenv"
)

// TestMeasure: a calibration of one round has all costs and all benchmarks, in a machine file that is read back and in two tables.
func TestMeasure(t *testing.T) {
	var said []string
	r := must.Get(Measure(t.Context(), Options{
		Substrate: "fghc", Limit: time.Hour, Say: func(text string) { said = append(said, text) }, cores: 2, rounds: 1, runs: 1,
	}))(t)
	file := r.Text("here")
	p := must.Get(machines.Read("here.toml", []byte(file)))(t)
	if p.Name != "here" || p.PEs != 2 || p.Network != "bus" || p.Model != r.Machine.Model || !strings.Contains(p.Source, "fitted to programs of fghc") {
		t.Errorf("machine %+v of the file\n%s", p, file)
	}
	if !regexp.MustCompile(`(?m)^instruction_ns = [0-9.]+ +# in 1 round$`).MatchString(file) ||
		!regexp.MustCompile(`(?m)^fork_ns += 0 +# not measured: programs of fghc`).MatchString(file) {
		t.Errorf("the file says nothing of its uncertainty:\n%s", file)
	}
	var table, text strings.Builder
	must.Do(t, r.WriteTable(&table))
	must.Do(t, r.WriteCSV(&text))
	lines := must.Get(csv.NewReader(strings.NewReader(text.String())).ReadAll())(t)
	kinds := map[string]int{}
	for _, line := range lines[1:] {
		kinds[line[0]]++
		if !strings.Contains(table.String(), "\n"+line[1]+" ") {
			t.Errorf("%s is not in the table", line[1])
		}
		if line[0] == "benchmark" && (line[3] == "" || line[7] == "" || line[8] == "" || line[9] != "") {
			t.Errorf("%v", line)
		}
	}
	if kinds["cost"] != len(machines.Options)+2 || kinds["benchmark"] != 24 || len(said) < 25 || r.Missing() != 0 {
		t.Errorf("%v lines, %d rows without times\n%s", kinds, r.Missing(), table.String())
	}
	if factor, rows := r.Spread(); rows != 24 || factor < 1 || !strings.Contains(table.String(), "\nIn half of the 24 rows ") {
		t.Errorf("a factor of %v in %d rows", factor, rows)
	}
}

// TestOneCore: costs between PEs that one core cannot show are those of another machine, and the file says so.
func TestOneCore(t *testing.T) {
	testenv.Sequential(t)
	r := must.Get(Measure(t.Context(), Options{Substrate: "hpf", Limit: time.Hour, cores: 1, rounds: 1, runs: 1}))(t)
	chosen := must.Get(machines.Named(other))(t).Model
	if m := r.Machine.Model; r.Machine.PEs != 1 || m.Latency != chosen.Latency || m.Steal != chosen.Steal || m.BytePs != chosen.BytePs {
		t.Errorf("machine %+v", r.Machine)
	}
	if file := r.Text("one"); strings.Count(file, "# not measured with one core: that of the machine modern") != 6 {
		t.Errorf("the file\n%s", file)
	}
	if last := r.Rows[len(r.Rows)-1]; len(r.Rows) != 16 || last.PEs != 1 {
		t.Errorf("%d rows, the last of %d PEs", len(r.Rows), last.PEs)
	}
}

// TestNoTime: a calibration without time, and one that is interrupted before the costs are known, have no report.
func TestNoTime(t *testing.T) {
	if r, err := Measure(t.Context(), Options{Limit: 1}); r != nil || !errors.Is(err, ErrTooShort) {
		t.Errorf("report %v, error %v", r, err)
	}
	cancelled, stop := context.WithCancel(t.Context())
	stop()
	if r, err := Measure(cancelled, Options{Limit: time.Minute}); r != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("report %v, error %v", r, err)
	}
	if _, err := Measure(t.Context(), Options{Substrate: "hfp", Limit: 1}); err == nil || !strings.Contains(err.Error(), "did you mean hpf?") {
		t.Errorf("error %v", err)
	}
}

// TestInterrupted: costs that are known are reported when the benchmarks are interrupted, and rows without times say so.
func TestInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	r, err := Measure(ctx, Options{Substrate: "dts", Limit: time.Hour, cores: 1, rounds: 1, Say: func(text string) {
		if strings.HasPrefix(text, "dts/rsa") {
			stop()
		}
	}})
	if !errors.Is(err, context.Canceled) || r == nil || r.Missing() != 9 || r.Rows[0].Runs != 1 {
		t.Fatalf("report %+v, error %v", r, err)
	}
	var table strings.Builder
	must.Do(t, r.WriteTable(&table))
	if strings.Count(table.String(), "no time left") != 9 {
		t.Error(table.String())
	}
}

// TestTables: the file, the tables and the summary of a report with known numbers.
func TestTables(t *testing.T) {
	r := Report{Cores: 2, Lost: 0.25, Machine: must.Get(machines.Named("modern"))(t), Rows: []Row{
		{Program: "fghc/a", PEs: 1, Runs: 3, Simulated: 2e6}, {Program: "fghc/b", PEs: 1, Runs: 3, Simulated: 5e5}, {Program: "fghc/c", PEs: 2, Err: "a failure"},
	}}
	for i := range r.Rows[:2] {
		r.Rows[i].Live.Value, r.Rows[i].Live.Low, r.Rows[i].Live.High = 1e6, 9e5, 1.25e6
	}
	if factor, rows := r.Spread(); factor != 2 || rows != 2 {
		t.Errorf("a factor of %v in %d rows", factor, rows)
	}
	var table strings.Builder
	must.Do(t, r.WriteTable(&table))
	for _, want := range []string{
		"fghc/a     1    1.00 ms  0.90 ms to 1.25 ms  2 ms       +100 %  3\n", "fghc/b     1    1.00 ms  0.90 ms to 1.25 ms  500 µs     -50 %   3\n",
		"fghc/c     2    a failure\n", "In half of the 2 rows the simulated and the live time differ by a factor of at most 2.00.\n",
	} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("no line %q in\n%s", want, table.String())
		}
	}
	if file := r.Text("busy"); !r.Overloaded() || !strings.Contains(file, "other programs had 25 % of the cores") {
		t.Errorf("the load is not told:\n%s", file)
	}
	if r := (&Report{}); r.Overloaded() {
		t.Error("an idle computer is overloaded")
	}
}

// TestSingle: a cost and a time that were measured once have no interval, and a cost that no round shows says so.
func TestSingle(t *testing.T) {
	once := bootstrap.Median([]float64{5000})
	r := Report{
		Cores: 2, Machine: must.Get(machines.Named("modern"))(t), Figures: []Figure{{Name: "latency", Live: once, Rounds: 1}, {Name: "steal"}},
		Rows: []Row{{Program: "fghc/a", PEs: 1, Runs: 1, Live: once, Simulated: 5000}},
	}
	var table, text strings.Builder
	must.Do(t, r.WriteTable(&table))
	must.Do(t, r.WriteCSV(&text))
	file := r.Text("here")
	if strings.Contains(table.String(), " to ") || !strings.Contains(text.String(), ",5000,,,1,") || !regexp.MustCompile(`(?m)^latency_ns .*# in 1 round$`).MatchString(file) ||
		!regexp.MustCompile(`(?m)^steal_ns .*# not found: with every value`).MatchString(file) {
		t.Errorf("%s\n%s\n%s", table.String(), text.String(), file)
	}
}

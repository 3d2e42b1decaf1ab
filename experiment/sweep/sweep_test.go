package sweep

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"whorl/testdata/must"
	"whorl/testdata/others"
	"whorl/tracer"
	"whorl/tracer/derive/threadgraph"
	"whorl/tracer/derive/workspan"
	"whorl/tracer/store"
)

// swept makes the runs of a grid in a folder.
func swept(t *testing.T, text, folder string) *Sweep {
	t.Helper()
	s := must.Get(Open(must.Get(Read("small.toml", text))(t), folder, 2))(t)
	t.Cleanup(func() { must.Do(t, s.Close()) })
	must.Do(t, s.Run(context.Background()))
	must.Do(t, s.Write())
	return s
}

// table reads a table of a folder as a list of maps from names to values.
func table(t *testing.T, folder, name string) (rows []map[string]string) {
	t.Helper()
	f := must.Get(os.Open(filepath.Join(folder, name)))(t)
	defer f.Close()
	lines := must.Get(csv.NewReader(f).ReadAll())(t)
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, value := range line {
			row[lines[0][i]] = value
		}
		rows = append(rows, row)
	}
	return rows
}

func TestSweep(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "small")
	swept(t, small, folder)
	rows := table(t, folder, csvName)
	if len(rows) != 32 {
		t.Fatalf("%d rows", len(rows))
	}
	for i, want := range []map[string]string{
		0: {"program": "fghc/pascal", "arguments": "5", "pes": "1", "policy": "on-demand", "seed": "7", "latency_ns": "1000", "network": "bus", "outcome": "done", "speedup": "1"},
		8: {"pes": "1", "latency_ns": "10000", "machine": "symmetry:latency=10us"},
	} {
		for name, value := range want {
			if rows[i][name] != value {
				t.Errorf("row %d has %s %q, want %q", i, name, rows[i][name], value)
			}
		}
	}
	for i, row := range rows {
		if row["outcome"] != "done" || row["time_ns"] == "" || row["work_ns"] == "" || row["span_ns"] == "" || row["reductions"] == "" || row["speedup"] == "" || row["version"] == "" || !strings.HasPrefix(row["command"], "whorl run fghc/") {
			t.Errorf("row %d is %v", i, row)
		}
	}
	summary := table(t, folder, summaryName)
	if len(summary) != 16 || summary[0]["runs"] != "2" || summary[0]["done"] != "2" || summary[0]["time_ns_low95"] == "" {
		t.Errorf("%d cells, the first is %v", len(summary), summary[0])
	}
	trace := must.Get(store.Open(filepath.Join(folder, "sweep.whorl")))(t)
	defer trace.Close()
	if forks := trace.Counts()[tracer.Fork]; forks != 32 || trace.Meta().PEs != 2 {
		t.Errorf("the trace of the sweep has %d forks on %d PEs", forks, trace.Meta().PEs)
	}
	wall := 0.0
	for _, row := range rows {
		wall += must.Get(strconv.ParseFloat(row["wall_ns"], 64))(t)
	}
	if work := float64(workspan.Compute(must.Get(threadgraph.Build(trace))(t)).Work); work < 0.95*wall { // two clocks
		t.Errorf("the threads of the sweep worked for %g ns, want the time of their runs, %g ns", work, wall)
	}
}

// TestParquet checks that the Parquet file has the same table as the CSV file.
func TestParquet(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "small")
	s := swept(t, small+"max_reductions = 100\n", folder) // some runs are stopped
	rows := table(t, folder, csvName)
	f := must.Get(os.Open(filepath.Join(folder, parquetName)))(t)
	defer f.Close()
	size := must.Get(f.Stat())(t).Size()
	file := must.Get(parquet.OpenFile(f, size))(t)
	if unit, _ := file.Lookup("unit.time_ns"); unit != "ns" || file.NumRows() != int64(len(rows)) {
		t.Fatalf("%d rows, the unit of time_ns is %s", file.NumRows(), unit)
	}
	stopped := 0
	read := make([]parquet.Row, len(rows)+1)
	n, err := parquet.NewReader(f).ReadRows(read)
	if n != len(rows) || err != nil && !errors.Is(err, io.EOF) {
		t.Fatalf("%d rows were read: %v", n, err)
	}
	for row, values := range read[:n] {
		for i, c := range columns {
			v, got := values[i], ""
			switch {
			case v.IsNull():
			case c.text != nil:
				got = v.String()
			case c.whole != nil:
				got = strconv.FormatInt(v.Int64(), 10)
			default:
				got = decimal(v.Double())
			}
			if want := rows[row][c.name]; got != want || file.Schema().Columns()[i][0] != c.name {
				t.Errorf("row %d has %s %q, want %q", row, c.name, got, want)
			}
			if c.name == "outcome" && got == "limited" {
				stopped++
			}
		}
	}
	if stopped == 0 || stopped == len(rows) || len(s.Results()) != len(rows) {
		t.Errorf("%d of %d runs were stopped", stopped, len(rows))
	}
}

// TestResume checks that a sweep which was killed in the middle of a line goes on, that its tables equal those of one that was not, and that a larger
// grid keeps the results of a smaller one.
func TestResume(t *testing.T) {
	whole, cut := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "cut")
	swept(t, small, whole)
	must.Do(t, os.Mkdir(cut, 0o700))
	lines := bytes.SplitAfter(must.Get(os.ReadFile(filepath.Join(whole, journalName)))(t), []byte("\n"))
	must.Do(t, os.WriteFile(filepath.Join(cut, journalName), append(bytes.Join(lines[:5], nil), lines[5][:40]...), 0o600))
	s := must.Get(Open(must.Get(Read("small.toml", small))(t), cut, 2))(t)
	if s.Known() != 5 {
		t.Errorf("%d runs are known, want 5", s.Known())
	}
	must.Do(t, s.Run(context.Background()))
	must.Do(t, s.Write())
	must.Do(t, s.Close())
	if s.made != 27 {
		t.Errorf("%d runs were made, want 27", s.made)
	}
	a, b := table(t, whole, csvName), table(t, cut, csvName)
	for i := range a {
		for name := range a[i] {
			if name != "wall_ns" && a[i][name] != b[i][name] {
				t.Errorf("row %d has %s %q and %q", i, name, a[i][name], b[i][name])
			}
		}
	}
	larger := swept(t, strings.Replace(small, "seeds    = 2", "seeds    = 3", 1), cut)
	if larger.made != 16 || len(table(t, cut, csvName)) != 48 {
		t.Errorf("the larger grid made %d runs, want 16", larger.made)
	}
	if _, err := os.Stat(filepath.Join(cut, "sweep-2.whorl")); err != nil {
		t.Error(err)
	}
}

func TestInterrupted(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "small")
	s := must.Get(Open(must.Get(Read("small.toml", small))(t), folder, 1))(t)
	defer s.Close()
	ctx, cancel := context.WithCancel(context.Background())
	s.Say = func(known, _ int64, _ time.Duration) {
		if known == 3 {
			cancel()
		}
	}
	if err := s.Run(ctx); ctx.Err() == nil {
		t.Errorf("the sweep is not interrupted: %v", err)
	}
	must.Do(t, s.Write())
	if rows := table(t, folder, csvName); len(rows) < 3 || len(rows) > 5 {
		t.Errorf("%d rows", len(rows))
	}
}

// TestSalvage checks that the trace of a sweep that was killed is completed by the next one.
func TestSalvage(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "small")
	must.Do(t, os.Mkdir(folder, 0o700))
	must.Do(t, os.WriteFile(filepath.Join(folder, journalName), nil, 0o600))
	path := filepath.Join(folder, "sweep.whorl")
	killed := must.Get(store.Create(path))(t)
	defer killed.Close()
	stream := killed.Stream(tracer.StreamInfo{})
	*stream.Slot() = tracer.Event{Kind: tracer.Mark, Peer: tracer.None}
	stream.Sync()
	if _, err := os.Stat(path + ".ring"); err != nil {
		t.Skip("no rings on this system")
	}
	s := must.Get(Open(must.Get(Read("small.toml", small))(t), folder, 1))(t)
	defer s.Close()
	if _, err := os.Stat(path + ".ring"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the ring of the killed sweep is left: %v", err)
	}
	trace := must.Get(store.Open(path))(t)
	defer trace.Close()
	if n := trace.Counts()[tracer.Mark]; n != 1 {
		t.Errorf("the trace has %d marks, want 1", n)
	}
}

// TestLimitOfTime checks that runs which reach their limit of time beside others are made again alone, and that this counts.
func TestLimitOfTime(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "limited")
	s := swept(t, "programs = [\"pascal 300\"]\nmax_time = \"1ns\"\nseeds = 3\n", folder)
	trace := must.Get(store.Open(filepath.Join(folder, "sweep.whorl")))(t)
	defer trace.Close()
	if forks := trace.Counts()[tracer.Fork]; forks != 6 || s.made != 3 {
		t.Errorf("%d threads for %d results, want 6 for 3", forks, s.made)
	}
	for i, row := range table(t, folder, csvName) {
		if row["outcome"] != "limited" {
			t.Errorf("row %d is %s", i, row["outcome"])
		}
	}
}

// TestFullDisk checks that a sweep whose results cannot be written stops with one error.
func TestFullDisk(t *testing.T) {
	s := must.Get(Open(must.Get(Read("small.toml", small))(t), filepath.Join(t.TempDir(), "small"), 2))(t)
	must.Do(t, s.Close()) // writing fails from now on
	err := s.Run(context.Background())
	if err == nil || !strings.HasPrefix(err.Error(), "cannot write "+filepath.Join(s.Folder, journalName)) || strings.Contains(err.Error(), "\n") {
		t.Errorf("the error is %v", err)
	}
}

func TestKeptTraces(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "small")
	swept(t, "programs = [\"pascal 2\", \"pascal 20\"]\ntraces = 10000\n", folder)
	rows := table(t, folder, csvName)
	if rows[0]["trace"] == "" || rows[1]["trace"] != "" {
		t.Fatalf("the traces are %q and %q", rows[0]["trace"], rows[1]["trace"])
	}
	trace := must.Get(store.Open(filepath.Join(folder, rows[0]["trace"])))(t)
	defer trace.Close()
	if trace.Meta().Program != "fghc/pascal" {
		t.Errorf("the trace is of %s", trace.Meta().Program)
	}
}

func TestRefusedFolders(t *testing.T) {
	g := must.Get(Read("small.toml", small))(t)
	other := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(other, gridName), []byte("of the user"), 0o600))
	if _, err := Open(g, other, 1); err == nil || !strings.Contains(err.Error(), "not the folder of a sweep") {
		t.Errorf("another folder: %v", err)
	}
	if text := must.Get(os.ReadFile(filepath.Join(other, gridName)))(t); string(text) != "of the user" {
		t.Errorf("the file of the user is now %s", text)
	}
	used := filepath.Join(t.TempDir(), "used")
	first := must.Get(Open(g, used, 1))(t)
	if _, err := Open(g, used, 1); runtime.GOOS == "linux" && (err == nil || !strings.Contains(err.Error(), "used: another sweep is at work")) {
		t.Errorf("a folder in use: %v", err)
	}
	must.Do(t, first.Close())
	broken := filepath.Join(t.TempDir(), "broken")
	must.Do(t, os.Mkdir(broken, 0o700))
	must.Do(t, os.WriteFile(filepath.Join(broken, journalName), []byte("{}\n"), 0o600))
	if _, err := Open(g, broken, 1); err == nil || !strings.Contains(err.Error(), "runs.jsonl:1: not the result of a run") {
		t.Errorf("a damaged journal: %v", err)
	}
	wrong := must.Get(Read("g.toml", `programs = ["no.fghc"]`))(t)
	folder := filepath.Join(t.TempDir(), "wrong")
	if _, err := Open(wrong, folder, 1); err == nil || !strings.HasPrefix(err.Error(), "g.toml:1: programs: no.fghc: no such file") {
		t.Errorf("a sweep of a missing file: %v", err)
	}
	if _, err := os.Stat(folder); err == nil {
		t.Error("a sweep that cannot begin makes a folder")
	}
}

// The row of a program in HPF names no policy, and its speedups are against its own run on 1 PE.
func TestFixedPrograms(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "fixed")
	swept(t, "programs = [\"hpf/lu 10\"]\npes = [1, 4]\npolicies = [\"steal\", \"random\"]\nmode = \"sim\"\n", folder)
	rows := table(t, folder, csvName)
	if len(rows) != 2 || rows[1]["policy"] != "" || rows[1]["speedup"] == "" || rows[1]["speedup"] != rows[1]["own_speedup"] {
		t.Errorf("%v", rows)
	}
}

// A run that cannot be resolved with some settings fails alone.
func TestFailingRuns(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "mixed")
	swept(t, "programs = [\"pascal 3\"]\nnetworks = [\"bus\", \"mesh2d\"]\npolicies = [\"on-demand:home=binder\"]\n", folder)
	rows := table(t, folder, csvName)
	if len(rows) != 2 || rows[0]["outcome"] != "done" || rows[1]["outcome"] != "failed" || !strings.Contains(rows[1]["error"], "home=binder") {
		t.Errorf("%v", rows)
	}
}

// The rows of runs on real cores have no machine and no network.
func TestLiveRuns(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "live")
	swept(t, "programs = [\"pascal 3\"]\nmode = \"live\"\n", folder)
	row := table(t, folder, csvName)[0]
	if row["outcome"] != "done" || row["machine"] != "" || row["network"] != "" || row["latency_ns"] != "" {
		t.Errorf("%v", row)
	}
}

// TestDuckDB checks that DuckDB reads both tables, with numbers as numbers.
func TestDuckDB(t *testing.T) {
	node, packages := others.Node(t)
	folder := filepath.Join(t.TempDir(), "small")
	swept(t, small, folder)
	script := `const { DuckDBInstance } = require(process.argv[2] + "/@duckdb/node-api");
(async () => {
  const db = await (await DuckDBInstance.create(":memory:")).connect();
  for (const file of ["table.parquet", "table.csv"]) {
    const rows = await db.runAndReadAll("select policy, pes::int as pes, count(*)::int as runs, (avg(speedup) > 0.1)::int as faster from '" +
      process.argv[3] + "/" + file + "' where latency_ns = 10000 and program = 'fghc/pascal' group by all order by all");
    console.log(JSON.stringify(rows.getRowsJson()));
  }
})();`
	path := filepath.Join(t.TempDir(), "query.cjs")
	must.Do(t, os.WriteFile(path, []byte(script), 0o600))
	out, err := exec.Command(node, path, packages, folder).CombinedOutput()
	want := `[["on-demand",1,2,1],["on-demand",2,2,1],["steal",1,2,1],["steal",2,2,1]]`
	if err != nil || string(out) != want+"\n"+want+"\n" {
		t.Errorf("%v: %s, want twice %s", err, out, want)
	}
}

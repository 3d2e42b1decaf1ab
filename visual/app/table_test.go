package app

import (
	"os"
	"path/filepath"
	"testing"

	"whorl/internal/files"
	"whorl/testdata/must"
	"whorl/tracer/open"
	"whorl/visual/documents"
	"whorl/visual/view"
)

// TestRunsOfTables opens the table of a sweep, and runs of it: first by its command, then by the trace that the sweep has kept. Each run opens once.
func TestRunsOfTables(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "table.csv")
	must.Do(t, os.WriteFile(path, must.Get(os.ReadFile("../../testdata/traces/sweep.csv"))(t), 0o600))
	d := drive(t, Options{Runner: native{}}, 1000, 700, 1)
	d.app.OpenFile(&documents.File{Name: "table.csv", Path: path, Size: -1})
	d.until("the table", func() bool { return len(d.app.model.State.Shared.Traces) == 1 })
	d.settle()
	table := d.app.model.Document(d.paneOf("sweep"))
	command := "whorl run fghc/pascal 5 --pes 2 --policy steal --seed 3 --machine symmetry -o run.whorl"
	for range 2 {
		d.app.launcher.OpenRun(table, view.Action{Do: view.OpenRun, Value: command})
		d.settle()
	}
	if all := d.app.model.State.Shared.Traces; len(all) != 2 || d.app.model.Docs.Get(all[1]).Run.Seed != 3 || d.app.model.Docs.Get(all[1]).Run.Policy != "steal" {
		t.Fatalf("the traces are %q", all)
	}
	d.app.launcher.OpenRun(table, view.Action{Do: view.OpenRun, Value: "rm everything"})
	if d.step(); !d.shows("expected whorl run") {
		t.Errorf("a wrong command shows\n%s", d.texts())
	}

	trace := must.Get(open.File("../../testdata/traces/quicksort.vista"))(t)
	defer trace.Close()
	must.Do(t, os.Mkdir(filepath.Join(folder, "traces"), 0o700))
	must.Do(t, open.Export(&files.Writer{}, trace, filepath.Join(folder, "traces", "kept.whorl"), "whorl"))
	for range 2 {
		d.app.launcher.OpenRun(table, view.Action{Do: view.OpenRun, Name: filepath.Join("traces", "kept.whorl"), Value: command})
		d.until("the kept trace", func() bool { return len(d.app.model.State.Shared.Traces) == 3 })
		d.settle()
	}
	if all := d.app.model.State.Shared.Traces; len(all) != 3 {
		t.Errorf("the traces are %q", all)
	}
}

package app

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
	"whorl/visual/view/page"
)

// runnable returns a driver of a window with the timeline of a run, its modules, and programs that run.
func runnable(t *testing.T) *driver {
	d := drive(t, Options{Runner: native{}}, 2600, 1300, 1)
	d.app.Open("qsort", run(t, "qsort", 4, ""))
	d.settle()
	d.app.actions.SetFocus(d.paneOf("timeline").ID)
	d.key("H", 0)
	return d
}

// comes waits for the picture of the focused modules.
func (d *driver) comes() {
	d.Helper()
	p := d.wired()
	d.until("the picture of the modules", func() bool { return p.Err == nil && p.Picture() != nil })
	d.settle()
}

// said returns the texts of the picture of the focused modules.
func (d *driver) said() []string {
	d.Helper()
	return viewtest.Strings(must.Get(d.wired().Shoot(900, 600, "light", page.Shot{}))(d.T))
}

// TestModulesRun: a run that is dragged in runs its program once its parameters name one, and its trace can be merged with that of the pane and compared
// with it. It is not one of the open traces, and ends with the network.
func TestModulesRun(t *testing.T) {
	d := runnable(t)
	x0, y0 := d.control("Add the module Run")
	x1, y1 := d.control("Module trace")
	d.drag(x0, y0, x1, y1+60)
	if !strings.Contains(d.network(), "[modules.run]") {
		t.Fatalf("the run is not added:\n%s", d.network())
	}
	d.chooseText("Program of run", "fghc/qsort")
	d.chooseText("Arguments of run", "50")
	d.setNetwork(d.network() + "\n[modules.both]\nmodule = \"merge\"\ntraces = [\"trace\", \"run\"]\n\n[modules.sum]\nmodule = \"timeline\"\ntrace = \"both\"\n")
	d.comes()
	if open := d.app.model.State.Shared.Traces; len(open) != 1 {
		t.Errorf("the open traces are %v", open)
	}
	if said := d.said(); !slices.Contains(said, "PE 7") { // 4 of the pane and 4 of the run
		t.Errorf("the picture has not both runs: %q", said)
	}
	if n := len(d.app.model.Docs.All()); n != 2 {
		t.Errorf("%d documents, want the trace and the run", n)
	}
	const differs = "[modules.t]\nmodule = \"trace\"\n[modules.r]\nmodule = \"run\"\nprogram = \"fghc/qsort\"\nargs = \"50\"\n" +
		"[modules.a]\nmodule = \"activity\"\ntrace = \"t\"\n[modules.b]\nmodule = \"activity\"\ntrace = \"r\"\n" +
		"[modules.d]\nmodule = \"difference\"\na = \"a\"\nb = \"b\"\n[modules.p]\nmodule = \"heat\"\nmatrix = \"d\"\n"
	d.setNetwork(differs)
	d.comes()
	if said := d.said(); !slices.Contains(said, "difference of busy share") {
		t.Errorf("the difference is not shown: %q", said)
	}
	d.setNetwork("")
	d.app.actions.ClosePane(d.wired().ID) // what no network reads is closed with the next pane
	d.app.actions.Apply(view.Action{Do: view.UndoAction})
	d.settle()
	if n := len(d.app.model.Docs.All()); n != 1 {
		t.Errorf("%d documents are left, want the trace alone", n)
	}
}

// TestModulesFiles: traces in files, tables in files and in folders of sweeps, and files of other formats are sources, with paths relative to the
// workspace.
func TestModulesFiles(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		must.Do(t, os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o755))
		must.Do(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
	}
	var text strings.Builder
	must.Do(t, tracer.WriteText(&text, run(t, "nrev", 2, "")))
	write("nrev.txt", text.String())
	write("sweep/table.csv", "pes,elapsed (ns)\n1,100\n2,60\n")
	write("broken.csv", "a,b\n1\n")
	d := runnable(t)
	d.app.networks.Workspace = func() string { return filepath.Join(folder, "w.toml") }
	for _, c := range []struct{ source, display, want string }{
		{"module = \"trace\"\nfile = \"nrev.txt\"", "timeline", "PE 1"},
		{"module = \"import\"\nfile = \"nrev.txt\"\nformat = \"text\"", "timeline", "PE 1"},
		{"module = \"sweep-table\"\nfile = \"sweep\"", "sheet", "pes"},
	} {
		input := map[bool]string{true: "table", false: "trace"}[c.display == "sheet"]
		d.setNetwork("[modules.s]\n" + c.source + "\n[modules.p]\nmodule = \"" + c.display + "\"\n" + input + " = \"s\"\n")
		d.comes()
		said := strings.Join(d.said(), "\n")
		if !strings.Contains(said, c.want) || strings.Contains(said, "PE 3") {
			t.Errorf("%s shows\n%s", c.source, said)
		}
	}
	for _, c := range []struct{ source, display, want string }{
		{"module = \"trace\"\nfile = \"none.whorl\"", "timeline", "none.whorl"},
		{"module = \"import\"\nfile = \"nrev.txt\"\nformat = \"txt\"", "timeline", "unknown format"},
		{"module = \"sweep-table\"\nfile = \"broken.csv\"", "sheet", "broken.csv: record on line 2: wrong number of fields"},
		{"module = \"run\"\nprogram = \"fghc/qsrt\"", "timeline", "qsrt"},
	} {
		input := map[bool]string{true: "table", false: "trace"}[c.display == "sheet"]
		d.setNetwork("[modules.s]\n" + c.source + "\n[modules.p]\nmodule = \"" + c.display + "\"\n" + input + " = \"s\"\n")
		p := d.wired()
		d.until("an error", func() bool { return p.Err != nil && !strings.Contains(p.Err.Error(), "not there yet") })
		if !strings.Contains(p.Err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.source, p.Err, c.want)
		}
	}
}

package app

import (
	"fmt"
	"path/filepath"
	"testing"

	"whorl/testdata/must"
	"whorl/testdata/testenv"
	"whorl/tracer"
	"whorl/tracer/open"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/workspace"
)

// TestDefaultWorkspaces draws the default workspaces of two compared runs. Their texts do not overlap, leave no picture, and lie beside the drawings.
func TestDefaultWorkspaces(t *testing.T) {
	defaultWorkspaces(t, "pascal", compared(t, "pascal"), 1280, 800, false)
}

// recordings are files of every kind of trace.
var recordings = []string{
	"traces/lock.trace", "traces/network.trace", "mpi/stencil.otf2", "traces/chromium.pftrace", "traces/shop.otlp.json", "traces/build.actiongraph.json",
	"profiles/heat.perf", "profiles/numa.perf", "profiles/vertx.collapsed", "profiles/heat-experiment.xml", "traces/sweep.csv", "starpu/cholesky.paje",
}

// TestDefaultWorkspacesSoak is TestDefaultWorkspaces for programs of all substrates and for recordings, in four sizes, light and dark.
func TestDefaultWorkspacesSoak(t *testing.T) {
	testenv.OnlySoak(t)
	sources := map[string][]tracer.Source{"mixture": {run(t, "hpf/mixture", 64, "")}, "ring": {run(t, "fibonacci", 8, "ring", "18")}}
	for _, program := range []string{"pascal", "dts/quicksort", "hpf/jacobi"} {
		sources[filepath.Base(program)] = compared(t, program)
	}
	for _, file := range recordings {
		sources[filepath.Base(file)] = []tracer.Source{must.Get(open.File("../../testdata/" + file))(t)}
	}
	for _, size := range [][2]float64{{1280, 800}, {1920, 1080}, {2560, 1440}, {3840, 2160}} {
		for _, dark := range []bool{false, true} {
			for name, traces := range sources {
				defaultWorkspaces(t, name, traces, size[0], size[1], dark)
			}
		}
	}
}

// compared returns two runs of a program.
func compared(t *testing.T, program string) (runs []tracer.Source) {
	t.Helper()
	for _, policy := range []string{"random", "on-demand"} {
		runs = append(runs, run(t, program, 8, policy))
	}
	return runs
}

func defaultWorkspaces(t *testing.T, of string, traces []tracer.Source, w, h float64, dark bool) {
	t.Helper()
	d := drive(t, Options{Dark: dark}, w, h, 1)
	var trace string
	for i, src := range traces {
		trace = d.add(of+[]string{"", " on-demand"}[i], src, len(traces)-1).Name
		if err := d.app.model.Change(func(w *workspace.Workspace) error { return d.app.model.Arranger.Open(w, trace) }); err != nil {
			t.Fatal(err)
		}
	}
	d.app.model.FocusFirst()
	d.app.out.Redraw()
	d.settle()
	name := func(question string) string {
		return fmt.Sprintf("%s-%gx%g-%s-%v", of, w, h, question, map[bool]string{true: "dark", false: "light"}[dark])
	}
	d.workspaceTexts(name("opened"))
	for i := range workspace.Questions {
		q := &workspace.Questions[i]
		after := d.app.model.Workspace
		if d.app.model.Arranger.Ask(&after, q, trace) != nil {
			continue // a question about something that the run lacks
		}
		d.app.actions.Edit(func(w *workspace.Workspace) error { return d.app.model.Arranger.Ask(w, q, trace) })
		d.app.model.FocusFirst()
		d.settle()
		d.workspaceTexts(name(q.Name))
	}
	d.app.Close()
}

// workspaceTexts leaves a picture of the window and reports texts of its bars and pictures that are hard to read.
func (d *driver) workspaceTexts(name string) {
	d.Helper()
	d.shot(name)
	for _, wrong := range viewtest.Texts(&d.app.chrome, glyphs) {
		d.Errorf("%s: %s", name, wrong)
	}
	for _, leaf := range d.app.model.Root.Leaves() {
		p := d.app.model.Pane(leaf.Shown)
		if list := d.base(d.app.model.Panes[leaf.Shown]).List; p.View != "source" { // whose long lines are clipped
			for _, wrong := range viewtest.Texts(list, glyphs) {
				d.Errorf("%s, %s: %s", name, p.View, wrong)
			}
		}
	}
}

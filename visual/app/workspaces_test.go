package app

import (
	"fmt"
	"strings"
	"testing"

	"whorl/testdata/testenv"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/workspace"
)

// TestDefaultWorkspaces draws the default workspaces of two compared runs. Their texts do not overlap, leave no picture, and lie beside the drawings.
func TestDefaultWorkspaces(t *testing.T) {
	defaultWorkspaces(t, "pascal", 1280, 800, false)
}

// TestDefaultWorkspacesSoak is TestDefaultWorkspaces for programs of all substrates, in four sizes, light and dark.
func TestDefaultWorkspacesSoak(t *testing.T) {
	testenv.OnlySoak(t)
	for _, size := range [][2]float64{{1280, 800}, {1920, 1080}, {2560, 1440}, {3840, 2160}} {
		for _, dark := range []bool{false, true} {
			for _, program := range []string{"pascal", "dts/quicksort", "hpf/jacobi"} {
				defaultWorkspaces(t, program, size[0], size[1], dark)
			}
		}
	}
}

func defaultWorkspaces(t *testing.T, program string, w, h float64, dark bool) {
	t.Helper()
	d := drive(t, Options{Dark: dark}, w, h, 1)
	var trace string
	for _, policy := range []string{"random", "on-demand"} {
		trace = d.add(program[strings.LastIndex(program, "/")+1:]+" "+policy, run(t, program, 8, policy), 1).Name
		if err := d.app.model.Change(func(w *workspace.Workspace) error { return d.app.model.Arranger.Open(w, trace) }); err != nil {
			t.Fatal(err)
		}
	}
	d.settle()
	for i := range workspace.Questions {
		q := &workspace.Questions[i]
		name := fmt.Sprintf("%s-%gx%g-%s-%v", program[:3], w, h, q.Name, map[bool]string{true: "dark", false: "light"}[dark])
		after := d.app.model.Workspace
		if d.app.model.Arranger.Ask(&after, q, trace) != nil {
			continue // a question about something that the run lacks
		}
		d.app.actions.Edit(func(w *workspace.Workspace) error { return d.app.model.Arranger.Ask(w, q, trace) })
		d.app.model.FocusFirst()
		d.settle()
		d.shot(name)
		for _, wrong := range viewtest.Texts(&d.app.chrome, glyphs) {
			t.Errorf("%s: %s", name, wrong)
		}
		for _, leaf := range d.app.model.Root.Leaves() {
			p := d.app.model.Pane(leaf.Shown)
			if list := d.base(d.app.model.Panes[leaf.Shown]).List; p.View != "source" { // whose long lines are clipped
				for _, wrong := range viewtest.Texts(list, glyphs) {
					t.Errorf("%s, %s: %s", name, p.View, wrong)
				}
			}
		}
	}
	d.app.Close()
}

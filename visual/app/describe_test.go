package app

import (
	"slices"
	"strings"
	"testing"

	"whorl/visual/app/describe"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/views"
)

// TestDescriptions describes every view of a run: its description has a title, tables, and the things that a pointer finds.
func TestDescriptions(t *testing.T) {
	src := run(t, "fghc/pascal", 4, "")
	for _, k := range views.All {
		if !view.Implements[view.Picture](k) {
			continue
		}
		d := sideBySide(t, src, 900, 700, k.Name)
		d.settle()
		got := d.description()
		if len(got.Panes) != 1 {
			t.Fatalf("%s: %+v", k.Name, got)
		}
		p := got.Panes[0]
		if p.Warning != "" && len(p.Tables) == 0 { // the trace has nothing for the view
			continue
		}
		if !strings.Contains(p.Title, k.Title+" of ") || len(p.Tables) == 0 {
			t.Errorf("%s: title %q and %d tables", k.Name, p.Title, len(p.Tables))
		}
		if !slices.ContainsFunc(got.Lines, func(s string) bool { return strings.Contains(s, k.Title) }) {
			t.Errorf("%s: the texts of the window lack its title: %q", k.Name, got.Lines)
		}
		for _, table := range p.Tables {
			for _, row := range table.Rows {
				if len(table.Columns) > 0 && len(row) > len(table.Columns) {
					t.Errorf("%s, %s: row %q has no heads in %q", k.Name, table.Caption, row, table.Columns)
				}
			}
		}
		if d.step(); d.out.Description != nil {
			t.Errorf("%s: a description that was not wanted", k.Name)
		}
	}
}

// description lets the window describe itself, which takes any number of steps.
func (d *driver) description() *describe.Description {
	d.Helper()
	var got *describe.Description
	d.in.Describe = true
	d.until("the description", func() bool {
		d.in.Describe = false
		got = d.out.Description
		return got != nil
	})
	return got
}

// TestDescriptionInSteps makes descriptions with the smallest budget: a step looks at one point of the grid, what was found in a picture
// is kept, and a description of a picture that has changed meanwhile has no result.
func TestDescriptionInSteps(t *testing.T) {
	d := sideBySide(t, run(t, "fghc/pascal", 4, ""), 900, 700, "timeline")
	d.settle()
	steps := func() (n int) {
		w := d.app.describer
		w.Begin()
		for n = 1; !w.Work(0); n++ {
			if !w.Wanted {
				t.Fatalf("the description ends after %d steps", n)
			}
		}
		return n
	}
	if n := steps(); n != 40*30+1 {
		t.Errorf("%d steps for %d points", n, 40*30)
	}
	if n := steps(); n != 1 {
		t.Errorf("%d steps for a picture that was described before", n)
	}
	d.step(Event{Kind: ui.Wheel, X: 400, Y: 300, DY: 1})
	d.settle()
	w := d.app.describer
	w.Begin()
	if w.Work(0) || !w.Wanted {
		t.Error("the things of another picture are known after one step")
	}
	d.step(Event{Kind: ui.Wheel, X: 400, Y: 300, DY: 1})
	if d.settle(); w.Wanted || d.out.Description != nil {
		t.Error("a description of a picture that has changed goes on")
	}
	if n := steps(); n == 1 {
		t.Error("the things of the picture before are kept")
	}
}

// TestDescriptionOfSlowTips checks that a description ends when its tips take too long, and says so.
func TestDescriptionOfSlowTips(t *testing.T) {
	d := sideBySide(t, run(t, "fghc/pascal", 4, ""), 900, 700, "timeline")
	d.app.describer.Most = 0
	d.settle()
	tables := d.description().Panes[0].Tables
	i := slices.IndexFunc(tables, func(t describe.DescribedTable) bool {
		return strings.HasSuffix(t.Caption, "those found in a second; zoom in to see others")
	})
	if i < 0 || len(tables[i].Rows) != 1 {
		t.Errorf("%+v", tables)
	}
}

// TestThingsOfATimeline checks that the things of a picture are those of its tips: every PE of the timeline.
func TestThingsOfATimeline(t *testing.T) {
	d := sideBySide(t, run(t, "fghc/pascal", 4, ""), 900, 700, "timeline")
	d.settle()
	tables := d.description().Panes[0].Tables
	i := slices.IndexFunc(tables, func(t describe.DescribedTable) bool { return strings.HasPrefix(t.Caption, "Things") })
	if i < 0 {
		t.Fatalf("%+v", tables)
	}
	var all []string
	for _, row := range tables[i].Rows {
		all = append(all, strings.Join(row, " "))
	}
	for _, pe := range []string{"PE 0", "PE 1", "PE 2", "PE 3"} {
		if !slices.ContainsFunc(all, func(s string) bool { return strings.Contains(s, pe) }) {
			t.Errorf("no thing of %s in %q", pe, all)
		}
	}
}

// TestControlsForAssistiveTechnology checks that bars and dialogs describe their controls, and that a dialog hides those below it.
func TestControlsForAssistiveTechnology(t *testing.T) {
	d := opened(t, "fghc/pascal", 1024, 640)
	find := func(role ui.Role, name string) *ui.Accessible {
		i := slices.IndexFunc(d.out.Controls, func(c ui.Accessible) bool { return c.Role == role && strings.HasPrefix(c.Name, name) })
		if i < 0 {
			return nil
		}
		return &d.out.Controls[i]
	}
	for _, c := range []struct {
		role ui.Role
		name string
	}{{ui.RoleButton, "Open"}, {ui.RoleButton, "Run"}, {ui.RoleButton, "palette"}, {ui.RoleTab, "Kaleidoscope"}, {ui.RoleSlider, "until"}} {
		if find(c.role, c.name) == nil {
			t.Errorf("no %s %q in %+v", c.role, c.name, d.out.Controls)
		}
	}
	d.key("Tab", 0)
	if !slices.ContainsFunc(d.out.Controls, func(c ui.Accessible) bool { return c.Focus }) {
		t.Error("after Tab no control has the focus")
	}
	d.step(Event{Kind: Failed, Text: "the disk is full"})
	d.settle()
	if find(ui.RoleStatus, "the disk is full") == nil {
		t.Error("a message is not among the controls")
	}
	d.key("F1", 0)
	if find(ui.RoleButton, "Open") != nil {
		t.Error("the help does not hide the controls below it")
	}
}

// TestScheme checks that the viewer follows the colours that the system prefers.
func TestScheme(t *testing.T) {
	d := opened(t, "fghc/pascal", 1024, 640)
	for _, c := range []struct {
		scheme string
		want   bool
	}{{"dark", true}, {"light", false}} {
		d.step(Event{Kind: Scheme, Text: c.scheme})
		if d.settle(); d.app.model.Dark != c.want {
			t.Errorf("%s: dark is %v", c.scheme, d.app.model.Dark)
		}
	}
}

package app

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/experiment/testdata/experimenttest"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/visual/app/describe"
	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/views/comparison"
)

// pascals adds compared runs of Pascal's triangle to a window, one for each description.
func pascals(t *testing.T, all ...experiment.Run) *driver {
	t.Helper()
	d := drive(t, Options{}, 1280, 800, 1)
	for i, r := range all {
		d.app.OpenFile(traceFile(t, string(rune('a'+i))+".whorl", experimenttest.Trace(t, r)))
	}
	d.settle()
	return d
}

func pascal(pes int, policy string, seed uint64) experiment.Run {
	r := experiment.Defaults("fghc/pascal")
	r.Args, r.PEs, r.Policy, r.Seed = []string{"20"}, pes, policy, seed
	return r
}

// set gives a parameter of a pane a value, as the user does in its settings.
func (d *driver) set(p *panes.Pane, name, value string) {
	d.app.actions.Apply(view.Action{Do: view.SetParam, Pane: d.app.model.Index(p.ID), Name: name, Value: value})
	d.settle()
}

// TestTableOfComparedRuns: the table has the numbers of whorl compare: a row for each run, or means over seeds. It is copied as the CSV of whorl compare,
// and a screen reader gets it as a table.
func TestTableOfComparedRuns(t *testing.T) {
	var all []experiment.Run
	for _, policy := range []string{"on-demand", "random"} {
		for seed := range uint64(3) {
			all = append(all, pascal(4, policy, seed+1))
		}
	}
	d := pascals(t, append(all, pascal(1, "on-demand", 1))...)
	d.key("T", ui.Shift)
	d.settle()
	p := d.paneOf("comparison")
	if d.app.model.Focus != p.ID || !p.Seen {
		t.Fatal("the key T does not show the table")
	}
	d.shot("table")
	d.in.Describe = true
	d.until("the description", func() bool { return d.out.Description != nil })
	d.in.Describe = false
	i := slices.IndexFunc(d.out.Description.Panes, func(p describe.PaneDescription) bool { return strings.HasPrefix(p.Title, "fghc/pascal 20: Comparison") })
	if i < 0 || len(d.out.Description.Panes[i].Tables) < 2 {
		t.Fatalf("the description has %+v", d.out.Description.Panes)
	}
	tables := d.out.Description.Panes[i].Tables
	if table := tables[len(tables)-1]; len(table.Rows) != 7 || !slices.Contains(table.Columns, "speedup") || !slices.Contains(table.Rows[6], "1.00") {
		t.Errorf("the accessible table is %+v", table)
	}
	d.set(p, "rows", "means")
	grid := experiment.Grid{Base: pascal(4, "", 1), PEs: []int{4}, Policies: []string{"on-demand", "random"}, Seeds: 3}
	want := must.Get(experiment.Compare(t.Context(), grid, nil, nil))(t)
	_, lines := want.Table()
	for _, line := range lines {
		if text := strings.TrimSpace(line[2]) + " ± " + strings.TrimSpace(line[3]); !d.shows(text) {
			t.Errorf("the window does not show the time %s:\n%s", text, d.texts())
		}
	}
	for _, text := range []string{"Means over the seeds", "Speedup: against"} {
		if !d.shows(text) && !strings.Contains(strings.Join(notes(d, p), "\n"), text) {
			t.Errorf("the window does not show %q:\n%s", text, d.texts())
		}
	}
	var csv strings.Builder
	must.Do(t, want.WriteCSV(&csv))
	d.key("c", ui.Control)
	first := strings.Join(strings.SplitAfter(csv.String(), "\n")[:2], "") // other rows have speedups against runs on 1 PE that are not open here
	for range 4 {                                                         // the window does not compute bounds
		first = first[:strings.LastIndex(first, ",")]
	}
	if n := len(d.asks); n == 0 || d.asks[n-1].Do != outbox.CopyText || !strings.HasPrefix(d.asks[n-1].Text, first) {
		t.Errorf("the user gets %+v, want\n%s", d.asks, csv.String())
	}
}

// notes returns the notes of the legend of a pane.
func notes(d *driver, p *panes.Pane) (all []string) {
	for _, b := range p.Picture().Legend(d.app.cameras.Frame(p)).Blocks {
		all = append(all, b.Notes...)
	}
	return all
}

// TestRowShowsItsRun: a click on a heading sorts the rows; a click on a row gives the keys to a pane of its run.
func TestRowShowsItsRun(t *testing.T) {
	d := pascals(t, pascal(4, "on-demand", 1), pascal(1, "on-demand", 1), pascal(8, "on-demand", 1))
	d.key("T", ui.Shift)
	p := d.paneOf("comparison")
	order := func() (pes []string) {
		_, heads, rows := p.Picture().(*comparison.Geometry).Table()
		for _, r := range rows {
			pes = append(pes, r[slices.Index(heads, "PEs")])
		}
		return pes
	}
	if got := order(); !slices.Equal(got, []string{"4", "1", "8"}) {
		t.Errorf("at first the rows are %q", got)
	}
	d.on("PEs")
	if got := order(); !slices.Equal(got, []string{"8", "4", "1"}) {
		t.Errorf("after a click on a heading the rows are %q", got)
	}
	d.on("PEs")
	if got := order(); !slices.Equal(got, []string{"1", "4", "8"}) {
		t.Errorf("after two clicks on a heading the rows are %q", got)
	}
	d.click((p.Area.X0+p.Area.X1)/2, p.Area.Y0+1.9*float64(d.app.cameras.Style().Font)*1.5) // 1 PE
	w := d.app.model.Pane(d.app.model.Focus)
	if w.Trace != "b" || w.View != "kaleidoscope" {
		t.Errorf("a click on a row shows %s of %s", w.View, w.Trace)
	}
}

// TestTableOfOtherRuns: columns have the properties in which runs differ, other programs too; a single run has a table of one row.
func TestTableOfOtherRuns(t *testing.T) {
	mesh, nrev := pascal(4, "on-demand", 1), experiment.Defaults("fghc/nrev")
	mesh.Network = "mesh2d"
	for _, c := range []struct {
		runs []experiment.Run
		want []string
	}{
		{[]experiment.Run{pascal(4, "on-demand", 1), mesh}, []string{"network", "mesh2d"}},
		{[]experiment.Run{pascal(4, "on-demand", 1), nrev}, []string{"program", "fghc/nrev"}},
		{[]experiment.Run{mesh}, []string{"run", "time"}},
	} {
		d := pascals(t, c.runs...)
		d.key("T", ui.Shift)
		for _, want := range c.want {
			if !d.shows(want) {
				t.Errorf("the window does not show %q:\n%s", want, d.texts())
			}
		}
	}
}

// brokenTrace is a trace whose events cannot be read.
type brokenTrace struct{ tracer.Source }

func (brokenTrace) Scan(tracer.KindSet, func([]tracer.Event) error) error {
	return errors.New("block 3 is damaged")
}

// slowTrace is a trace whose events a test hands out piece by piece.
type slowTrace struct {
	tracer.Source
	pieces chan struct{} // each allows one piece
	ended  chan error    // the result of each scan
}

func (s *slowTrace) Scan(kinds tracer.KindSet, yield func([]tracer.Event) error) error {
	err := s.Source.Scan(kinds, func(es []tracer.Event) error {
		for len(es) > 0 {
			<-s.pieces
			n := (len(es) + 1) / 2
			if err := yield(es[:n]); err != nil {
				return err
			}
			es = es[n:]
		}
		return nil
	})
	s.ended <- err
	return err
}

// TestTableFills: a run that goes on, a trace that is read slowly and one that cannot be read have rows without numbers, which say why. Numbers that
// compare runs wait for the numbers of all. When the table is hidden, reading stops.
func TestTableFills(t *testing.T) {
	d := pascals(t, pascal(1, "on-demand", 1), pascal(2, "on-demand", 1))
	d.app.model.Docs.Runner = stepper{}
	group := d.app.model.Docs.Get("a").Group
	slow := &slowTrace{experimenttest.Trace(t, pascal(6, "on-demand", 1)), make(chan struct{}, 1), make(chan error, 3)}
	for _, c := range []struct {
		name string
		src  tracer.Source
	}{{"broken", brokenTrace{experimenttest.Trace(t, pascal(5, "on-demand", 1))}}, {"slow", slow}} {
		d.add(c.name, c.src, group)
		must.Do(t, d.app.model.Workspace.State.Apply(view.Action{Do: view.OpenTrace, Name: c.name}))
	}
	live := d.app.launcher.Begin(steppedRun()) // on 3 PEs
	live.Group = group
	d.app.launcher.Steer(live, session.Command{Do: session.StepTo, N: 11})
	d.app.measuring.ShowTable()
	p := d.paneOf("comparison")
	row := func(pes string) string {
		g, ok := p.Picture().(*comparison.Geometry)
		if !ok {
			return ""
		}
		_, heads, rows := g.Table()
		if slices.Contains(heads, pes) {
			return pes
		}
		for _, r := range rows {
			if i := slices.Index(heads, "PEs"); i >= 0 && r[i] == pes {
				return strings.Join(r, " ")
			}
		}
		return ""
	}
	d.until("the first numbers", func() bool { return strings.Contains(row("2"), "done") && strings.Contains(row("5"), "damaged") })
	slow.pieces <- struct{}{}
	d.until("the progress", func() bool { return strings.Contains(row("6"), "read 2") })
	if !strings.Contains(row("3"), "running") || row("speedup") != "" {
		t.Errorf("while a trace is read, the rows are\n%s\n%s", row("3"), row("2"))
	}
	d.app.actions.Front(d.paneOf("source").ID)
	d.step()
	d.step()
	slow.pieces <- struct{}{}
	if err := <-slow.ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the scan for the hidden table ends with %v", err)
	}
	close(slow.pieces)
	d.app.launcher.Steer(live, session.Command{Do: session.Resume})
	d.app.measuring.ShowTable()
	d.until("all numbers", func() bool {
		return strings.Contains(row("6"), "done") && strings.Contains(row("3"), "done") && row("speedup") != ""
	})
}

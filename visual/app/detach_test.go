package app

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"whorl/experiment"
	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/app/peer"
	"whorl/visual/documents"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// twoWindows returns a window with the trace of a file, the one of its kaleidoscope, which it has detached, and the places of the panes before that.
func twoWindows(t *testing.T) (first, second *driver, p *panes.Pane, places string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "nrev.whorl")
	writeTrace(t, path)
	second = drive(t, Options{}, 900, 700, 1)
	first = drive(t, Options{Window: func() (io.ReadWriteCloser, error) {
		here, there := net.Pipe()
		second.app.Attach(there)
		return here, nil
	}}, 1280, 800, 1)
	first.app.OpenFile(&documents.File{Name: "nrev.whorl", Path: path, Size: -1})
	first.until("the trace", func() bool { return first.app.model.Docs.Get("nrev") != nil })
	first.settle()
	p = first.paneOf("kaleidoscope")
	first.app.actions.SetFocus(p.ID)
	places = first.app.model.Root.String()
	first.app.actions.Apply(view.Action{Do: view.SetParam, Pane: first.app.model.Index(p.ID), Name: "color", Value: "time"})
	first.step(Event{Kind: ui.Key, Key: "J"})
	second.until("the pane", func() bool {
		first.step()
		return len(second.app.model.Panes) == 1 && second.app.model.Docs.Get("nrev") != nil && second.paneOf("kaleidoscope").Picture() != nil
	})
	return first, second, p, places
}

// TestDetach moves a pane to a window of its own: both windows have the same selection, time, palette and notes, and closing the second one brings the
// pane back with its camera.
func TestDetach(t *testing.T) {
	first, second, p, places := twoWindows(t)
	if first.app.model.Root.LeafOf(p.ID) != nil || first.app.model.Pane(p.ID) == nil || first.app.model.Focus == p.ID {
		t.Errorf("the detached pane has a place in %s", first.app.model.Root)
	}
	if q := second.paneOf("kaleidoscope"); second.app.model.Pane(q.ID).Params["color"] != "time" {
		t.Errorf("the other window shows %+v", second.app.model.Pane(q.ID))
	}
	second.shot("detached")
	both := func(what string, from *driver, do view.Action, ok func(s *view.State) bool) {
		t.Helper()
		other := first
		if from == first {
			other = second
		}
		from.app.actions.Apply(do)
		other.until(what, func() bool { from.step(); return ok(&other.app.model.State) })
		from.step()
		if !ok(&from.app.model.State) {
			t.Errorf("%s is lost where it was done", what)
		}
	}
	until, sel := int64(5000), view.Subtree("nrev", 3)
	both("a selection", first, view.Action{Do: view.Select, Selection: &sel}, func(s *view.State) bool { return s.Shared.Selection.Equal(sel) })
	both("a window of time", second, view.Action{Do: view.SetWindow, Window: &view.Span{First: 1, Last: 9000}}, func(s *view.State) bool { return s.Shared.Window != nil && s.Shared.Window.Last == 9000 })
	both("a time", second, view.Action{Do: view.SetUntil, Until: &until}, func(s *view.State) bool { return s.Shared.Until != nil && *s.Shared.Until == until })
	both("a palette", first, view.Action{Do: view.SetPalette, Name: "safe"}, func(s *view.State) bool { return s.Shared.Palette == "safe" })
	both("a note", second, view.Action{Do: view.Annotate, Name: "nrev", Task: 3, Value: "here"}, func(s *view.State) bool { return len(s.Shared.Annotations) == 1 })
	both("no note", first, view.Action{Do: view.Unannotate, Name: "nrev", Task: 3}, func(s *view.State) bool { return len(s.Shared.Annotations) == 0 })
	both("a hovered node", second, view.Action{Do: view.Hover, Selection: &sel}, func(s *view.State) bool { return s.Personal.Hover.Equal(sel) })
	both("no window of time", first, view.Action{Do: view.UndoAction}, func(s *view.State) bool { return true })

	camera := view.Camera{X: 1, Y: 2, Scale: 3}
	second.app.actions.Apply(view.Action{Do: view.SetCamera, Camera: &camera})
	second.step()
	second.app.Close()
	first.until("the pane", func() bool { return first.app.model.Root.LeafOf(p.ID) != nil })
	if got := first.app.model.Root.String(); got != places {
		t.Errorf("the panes are %s, want %s", got, places)
	}
	if got := first.app.model.Pane(p.ID); got.Camera != camera || got.Params["color"] != "time" || first.app.model.Focus != p.ID {
		t.Errorf("the pane is back as %+v, the focus is on %d", got, first.app.model.Focus)
	}
}

// TestDetachedWindowsRest: two windows without anything to do wait for their users. What one step changes is sent in that step and wakes the other window.
func TestDetachedWindowsRest(t *testing.T) {
	wake := make(chan struct{}, 1)
	first, second, _, _ := twoWindows(t)
	first.settle()
	second.settle()
	first.until("rest", func() bool { second.step(); return first.out.Next < 0 && second.out.Next < 0 })
	first.app.windows.Close()
	here, there := net.Pipe()
	third := drive(t, Options{Wake: wake}, 900, 700, 1)
	third.app.Attach(there)
	link := peer.New(here, nil)
	third.step()
	link.Send(peer.Message{Actions: []view.Action{{Do: view.SetPalette, Name: "safe"}}})
	<-wake
	third.step()
	if got := third.app.model.State.Shared.Palette; got != "safe" {
		t.Errorf("the palette is %q", got)
	}
	link.Close()
	<-wake
}

// TestDetachedWindowCloses: the window of a pane closes when undo brings the pane back, and when the main window closes.
func TestDetachedWindowCloses(t *testing.T) {
	quits := func(d *driver) func() bool {
		return func() bool {
			return slices.ContainsFunc(d.asks, func(a outbox.Ask) bool { return a.Do == outbox.Quit })
		}
	}
	first, second, p, _ := twoWindows(t)
	first.app.actions.Apply(view.Action{Do: view.UndoAction})
	first.step()
	if first.app.model.Root.LeafOf(p.ID) == nil {
		t.Errorf("undo leads to %s", first.app.model.Root)
	}
	second.until("the end", quits(second))
	first, second, _, _ = twoWindows(t)
	first.app.Close()
	second.until("the end", quits(second))
}

// TestDetachFromAddress detaches a pane whose trace has an address but no path, as in a page: the other window fetches the address.
func TestDetachFromAddress(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nrev.whorl")
	writeTrace(t, path)
	read := func() (io.ReadCloser, error) { return os.Open(path) }
	const address = "blob:http://here/1#nrev.whorl"
	var asked []string
	second := drive(t, Options{Fetch: func(a string) *documents.File {
		asked = append(asked, a)
		return &documents.File{Name: "nrev.whorl", URL: a, Size: -1, Read: read}
	}}, 900, 700, 1)
	first := drive(t, Options{Window: func() (io.ReadWriteCloser, error) {
		here, there := net.Pipe()
		second.app.Attach(there)
		return here, nil
	}}, 1280, 800, 1)
	first.app.OpenFile(&documents.File{Name: "nrev.whorl", URL: address, Size: -1, Read: read})
	first.until("the trace", func() bool { return first.app.model.Docs.Get("nrev") != nil })
	first.settle()
	first.app.actions.SetFocus(first.paneOf("kaleidoscope").ID)
	first.key("J", 0)
	second.until("the pane", func() bool {
		first.step()
		return second.app.model.Docs.Get("nrev") != nil && second.paneOf("kaleidoscope").Picture() != nil
	})
	if len(asked) == 0 || asked[0] != address {
		t.Errorf("the other window fetches %q", asked)
	}
}

// TestDetachSeveralTraces moves panes of two compared runs into one window: it compares the runs too, has their notes, and gives back the pane that is
// closed there alone, and the others when it closes.
func TestDetachSeveralTraces(t *testing.T) {
	second, opened := drive(t, Options{}, 900, 700, 1), 0
	first := drive(t, Options{Window: func() (io.ReadWriteCloser, error) {
		here, there := net.Pipe()
		second.app.Attach(there)
		opened++
		return here, nil
	}}, 1280, 800, 1)
	dir := t.TempDir()
	for _, name := range []string{"a.whorl", "b.whorl"} {
		writeTrace(t, filepath.Join(dir, name))
		first.app.OpenFile(&documents.File{Name: name, Path: filepath.Join(dir, name), Size: -1})
	}
	first.until("the traces", func() bool { return first.app.model.Docs.Get("a") != nil && first.app.model.Docs.Get("b") != nil })
	first.settle()
	if first.app.links.Compared(first.app.model.Docs.Get("a")) == nil {
		t.Fatal("the runs are not compared")
	}
	paneOf := func(view, trace string) *panes.Pane {
		t.Helper()
		for _, p := range first.app.model.Panes {
			if p.View == view && p.Trace == trace {
				return p
			}
		}
		t.Fatalf("there is no %s of %s", view, trace)
		return nil
	}
	both := func(what string, ok func() bool) {
		t.Helper()
		second.until(what, func() bool { first.step(); return ok() })
	}
	first.app.actions.Apply(view.Action{Do: view.Annotate, Name: "b", Task: 3, Value: "here"})
	a, b := paneOf("kaleidoscope", "a"), paneOf("timeline", "b")
	places := first.app.model.Root
	first.app.actions.SetFocus(a.ID)
	first.step(Event{Kind: ui.Key, Key: "J"})
	both("the first pane", func() bool { return second.app.model.Docs.Get("a") != nil && second.app.model.Docs.Get("b") != nil })
	if second.app.links.Compared(second.app.model.Docs.Get("a")) == nil {
		t.Error("the other window does not compare the runs")
	}
	first.app.actions.SetFocus(b.ID)
	first.step(Event{Kind: ui.Key, Key: "j", Mods: ui.Alt})
	both("the second pane", func() bool {
		return len(second.app.model.Panes) == 2 && len(second.app.model.State.Shared.Annotations) == 1
	})
	both("its picture", func() bool {
		return second.paneOf("timeline").Picture() != nil && second.paneOf("kaleidoscope").Picture() != nil
	})
	second.shot("detached-two")
	if root := second.app.model.Root; root.Split != workspace.Columns || opened != 1 {
		t.Errorf("%d windows; the panes are %s", opened, root)
	}
	second.app.actions.ClosePane(second.paneOf("timeline").ID)
	both("the pane that was closed", func() bool { return first.app.model.Root.LeafOf(b.ID) != nil })
	if first.app.model.Root.LeafOf(a.ID) != nil || len(second.app.model.Panes) != 1 {
		t.Errorf("the panes are %s, and %d in the other window", first.app.model.Root, len(second.app.model.Panes))
	}
	second.app.Close()
	first.until("the other pane", func() bool { return first.app.model.Root.LeafOf(a.ID) != nil })
	if got := first.app.model.Root; !got.Alike(places) {
		t.Errorf("the panes are %s, want %s", got, places)
	}
}

// TestDetachedPaneReturns: undo brings one of two detached panes back, and the other stays in its window.
func TestDetachedPaneReturns(t *testing.T) {
	first, second, p, _ := twoWindows(t)
	first.app.actions.SetFocus(first.paneOf("timeline").ID)
	first.step(Event{Kind: ui.Key, Key: "j", Mods: ui.Alt})
	second.until("both panes", func() bool { first.step(); return len(second.app.model.Panes) == 2 })
	first.app.actions.Apply(view.Action{Do: view.UndoAction})
	second.until("one pane", func() bool { first.step(); return len(second.app.model.Panes) == 1 })
	if second.paneOf("kaleidoscope") == nil || first.app.model.Root.LeafOf(p.ID) != nil {
		t.Errorf("the panes are %s", first.app.model.Root)
	}
}

// TestNoOtherWindow: a pane that cannot be shown elsewhere stays, and the window says why.
func TestNoOtherWindow(t *testing.T) {
	tried := 0
	d := drive(t, Options{Window: func() (io.ReadWriteCloser, error) { tried++; return nil, errors.New("there is no second display") }}, 1280, 800, 1)
	d.app.Open("nrev", run(t, "nrev", 2, ""))
	d.settle()
	root := d.app.model.Root
	if d.key("J", 0); tried != 1 || !d.shows("there is no second display") || d.app.model.Root != root {
		t.Errorf("%d windows were opened:\n%s", tried, d.texts())
	}
	page := drive(t, Options{}, 1280, 800, 1)
	page.app.Open("nrev", run(t, "nrev", 2, ""))
	page.settle()
	if page.key("J", 0); !page.shows("detach panes in the main window") {
		t.Errorf("a detached window says nothing:\n%s", page.texts())
	}
	e := drive(t, Options{Window: func() (io.ReadWriteCloser, error) { tried++; return nil, nil }}, 1280, 800, 1)
	e.app.Open("nrev", run(t, "nrev", 2, ""))
	e.settle()
	e.app.model.Focused().Run = &experiment.Run{Mode: experiment.Live} // another one has another trace
	if e.key("J", 0); tried != 1 || !e.shows("save it first") {
		t.Errorf("%d windows were opened:\n%s", tried, e.texts())
	}
}

package app

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"whorl/testdata/must"
	"whorl/visual/app/outbox"
	"whorl/visual/documents"
	"whorl/visual/share"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// TestSessionFollow: a viewer gets the stage of the owner, follows what the owner does with cameras, panes, settings and the selection, and roams as
// soon as the viewer changes something.
func TestSessionFollow(t *testing.T) {
	r := newClassroom(t, "fghc/nrev")
	owner, _ := r.window("Ada", share.Owner, 1280, 800)
	viewer, _ := r.window("Bob", share.Viewer, 900, 700)
	r.same(owner, viewer)
	r.until("pictures", func() bool {
		return owner.paneOf("kaleidoscope").Picture() != nil && viewer.paneOf("kaleidoscope").Picture() != nil
	})
	p := owner.paneOf("kaleidoscope")
	sel := view.Subtree("nrev", 3)
	owner.app.actions.Apply(view.Action{Do: view.Select, Selection: &sel})
	owner.app.actions.Apply(view.Action{Do: view.SetParam, Pane: owner.app.model.Index(p.ID), Name: "color", Value: "time"})
	owner.app.actions.Apply(view.Action{Do: view.SetWindow, Window: &view.Span{First: 1, Last: 9000}})
	owner.app.actions.AddPane("timeline", "nrev", p.ID, workspace.ToRight)
	camera := view.Camera{X: 1, Y: 2, Scale: 30}
	owner.app.actions.Apply(view.Action{Do: view.SetCamera, Pane: owner.app.model.Index(p.ID), Camera: &camera})
	r.same(owner, viewer)
	r.until("what the owner has done", func() bool {
		m := viewer.app.model
		w := m.Pane(p.ID)
		return w != nil && w.Params["color"] == "time" && m.State.Shared.Selection.Equal(sel) && m.State.Shared.Window != nil && w.Camera.X == 1 && w.Camera.Scale > 0
	})
	q := viewer.paneOf("kaleidoscope")
	want := camera.Scale * min(q.Area.W()/p.Area.W(), q.Area.H()/p.Area.H())
	if got := viewer.app.model.Pane(p.ID).Camera.Scale; got < 0.9*want || got > 1.1*want {
		t.Errorf("the scale is %v in the smaller window, want about %v", got, want)
	}
	viewer.shot("session-follows")

	// A selection of the viewer is the viewer's own, and the owner sees it.
	other := view.Subtree("nrev", 5)
	viewer.app.actions.Apply(view.Action{Do: view.Select, Selection: &other})
	r.until("the mark of the viewer's selection", func() bool {
		return len(owner.app.painter.Marks()) == 1 && owner.app.painter.Marks()[0].Selection.Equal(other)
	})
	if !owner.app.model.State.Shared.Selection.Equal(sel) {
		t.Error("the viewer's selection has replaced the owner's")
	}

	// A change of the viewer is not the owner's, and the viewer roams from then on.
	viewer.app.actions.Apply(view.Action{Do: view.SetPalette, Name: "safe"})
	viewer.move(5, 5)
	if got := owner.app.model.State.Shared.Palette; got != "" || !viewer.shows("You roam") {
		t.Errorf("the owner's palette is %q; the viewer reads %s", got, viewer.texts())
	}
	owner.app.actions.Apply(view.Action{Do: view.SetParam, Pane: owner.app.model.Index(p.ID), Name: "color", Value: "pe"})
	r.until("the owner's change", func() bool { return len(r.hub.Registers("stage/pane/")) > 0 })
	for range 5 {
		owner.step()
		viewer.step()
	}
	if got := viewer.app.model.Pane(p.ID).Params["color"]; got != "time" {
		t.Errorf("the roamer's picture has the colours of %q", got)
	}
	viewer.step(Event{Kind: ui.Key, Key: "~"})
	r.until("the stage again", func() bool {
		m := viewer.app.model
		return m.Pane(p.ID).Params["color"] == owner.app.model.Pane(p.ID).Params["color"] && m.State.Shared.Palette == ""
	})
}

// TestSessionControl gives a name, raises a hand, gets the control, and changes the stage.
func TestSessionControl(t *testing.T) {
	r := newClassroom(t, "fghc/nrev")
	owner, _ := r.window("Ada", share.Owner, 1280, 800)
	viewer, _ := r.window("Guest", share.Viewer, 1280, 800)
	r.same(owner, viewer)
	viewer.click(viewer.control("name"))
	viewer.key("a", ui.Control)
	viewer.typed("Bob")
	viewer.key("Enter", 0)
	r.until("the name", func() bool { return owner.shows("Bob") })
	viewer.click(viewer.control("name"))
	viewer.typed("x")
	viewer.key("Escape", 0)
	viewer.step(Event{Kind: ui.Key, Key: "^"}) // a command, as the field has lost the keys
	r.until("the hand", func() bool { return owner.shows("raised a hand") && viewer.shows("Your hand is up") })
	if owner.shows("Bobx") || viewer.shows("Bobx") || viewer.shows("Bob^") {
		t.Errorf("the viewer reads %s", viewer.texts())
	}
	r.now += 3 * time.Second
	owner.in.Now += 3 * time.Second
	owner.step()
	r.until("how long it waits", func() bool { return owner.shows("raised a hand 3 s ago") })
	owner.shot("session-hand")
	owner.on("Bob")
	r.until("the menu", func() bool { return strings.Contains(owner.overTexts(), "Give the control") })
	owner.shot("session-menu")
	x, y, ok := owner.place("Give the control")
	if !ok {
		t.Fatalf("no item gives the control: %s", owner.overTexts())
	}
	owner.click(x, y)
	r.until("the control", func() bool { return viewer.shows("You present") && !owner.shows("raised a hand") })
	viewer.app.actions.Apply(view.Action{Do: view.SetPalette, Name: "safe"})
	r.until("the viewer's palette", func() bool { return owner.app.model.State.Shared.Palette == "safe" })
}

// TestSessionNotesAndPointers: notes are everybody's, and the pointer of one is seen by the others with the name.
func TestSessionNotesAndPointers(t *testing.T) {
	r := newClassroom(t, "fghc/nrev")
	owner, _ := r.window("Ada", share.Owner, 1280, 800)
	viewer, _ := r.window("Bob", share.Viewer, 1000, 800)
	r.same(owner, viewer)
	viewer.app.actions.Apply(view.Action{Do: view.Annotate, Name: "nrev", Task: 3, Value: "look here"})
	r.until("the note", func() bool {
		n := owner.app.model.State.Shared.Annotations
		return len(n) == 1 && n[0].Text == "look here"
	})
	owner.app.actions.Apply(view.Action{Do: view.Unannotate, Name: "nrev", Task: 3})
	r.until("no note", func() bool { return len(viewer.app.model.State.Shared.Annotations) == 0 })
	r.until("a picture", func() bool {
		return viewer.paneOf("kaleidoscope").Picture() != nil && owner.paneOf("kaleidoscope").Picture() != nil
	})
	p := viewer.paneOf("kaleidoscope")
	viewer.move((p.Area.X0+p.Area.X1)/2+40, (p.Area.Y0+p.Area.Y1)/2+25)
	r.until("the pointer", func() bool {
		list, _ := owner.app.session.Cursors(owner.app.painter.NextRevision)
		return list != nil
	})
	owner.shot("session-pointer")
}

// TestSessionComesBack loses the connection, goes on alone, and brings what was done meanwhile when the connection is back.
func TestSessionComesBack(t *testing.T) {
	r := newClassroom(t, "fghc/nrev")
	owner, _ := r.window("Ada", share.Owner, 1280, 800)
	viewer, wires := r.window("Bob", share.Viewer, 1280, 800)
	r.same(owner, viewer)
	r.down = true
	viewer.app.actions.Apply(view.Action{Do: view.Annotate, Name: "nrev", Task: 4, Value: "done alone"})
	for range 9 { // longer than warnings are shown
		viewer.step()
		viewer.in.Now += time.Second
	}
	r.down = false
	if !viewer.shows("No connection") {
		t.Errorf("the window says %s", viewer.texts())
	}
	owner.app.actions.Apply(view.Action{Do: view.SetPalette, Name: "safe"})
	r.until("both", func() bool {
		viewer.in.Now += 100 * time.Millisecond
		return viewer.app.model.State.Shared.Palette == "safe" && len(owner.app.model.State.Shared.Annotations) == 1
	})
	if len(*wires) < 2 {
		t.Error("the window has not connected again")
	}
}

// TestSessionKilled: the program of somebody is killed, and a new one with the secret shows what the old one showed: the panes of whoever roams, and
// selection, cameras and lesson of all.
func TestSessionKilled(t *testing.T) {
	for _, who := range []string{"presenter", "roamer", "follower"} {
		t.Run(who, func(t *testing.T) {
			r := newClassroom(t, "fghc/nrev")
			lead, leads := r.window("Ada", share.Owner, 1280, 800)
			d, wires := r.window("Bob", share.Viewer, 1280, 800)
			if who == "presenter" {
				d, wires = lead, leads
			}
			other := r.windows[0]
			if other == d {
				other = r.windows[1]
			}
			r.same(lead, r.windows[1])
			r.until("pictures", func() bool { return d.paneOf("kaleidoscope").Picture() != nil && d.paneOf("timeline").Picture() != nil })
			p := d.paneOf("kaleidoscope")
			if who != "follower" {
				d.app.actions.Apply(view.Action{Do: view.SetParam, Pane: d.app.model.Index(p.ID), Name: "color", Value: "time"})
				d.app.actions.AddPane("procedures", "nrev", p.ID, workspace.ToRight)
				camera := view.Camera{X: 1, Y: 2, Scale: 30}
				d.app.actions.Apply(view.Action{Do: view.SetCamera, Pane: d.app.model.Index(p.ID), Camera: &camera})
				until := int64(5000)
				d.app.actions.Apply(view.Action{Do: view.SetUntil, Until: &until})
			}
			sel := view.Subtree("nrev", 5)
			d.app.actions.Apply(view.Action{Do: view.Select, Selection: &sel})
			d.app.actions.Apply(view.Action{Do: view.Annotate, Name: "nrev", Task: 3, Value: "mine"})
			d.step(Event{Kind: ui.Key, Key: "^"})
			d.app.session.Rename("Bobby")
			r.until("the work of "+who, func() bool { return len(other.app.model.State.Shared.Annotations) == 1 && other.shows("Bobby") })
			for range 20 {
				d.in.Now += 100 * time.Millisecond
				for _, w := range r.windows {
					w.step()
				}
			}
			shown := func(d *driver) string {
				m := d.app.model
				text := fmt.Sprintln(m.Root, m.State.Shared.Selection.Tasks, m.State.Shared.Annotations)
				if m.State.Shared.Until != nil {
					text += fmt.Sprintln(*m.State.Shared.Until)
				}
				for i, p := range m.State.Personal.Panes {
					text += fmt.Sprintln(m.IDs[i], p.View, p.Params, p.Camera)
				}
				return text
			}
			before := shown(d)
			(*wires)[len(*wires)-1].Close()
			r.windows = slices.DeleteFunc(r.windows, func(w *driver) bool { return w == d })
			again := drive(t, Options{}, 1280, 800, 1)
			again.app.Join(share.Access{
				Name: "bob", Secret: r.secrets[d], IfAway: true,
				Dial:  func() share.Conn { return &wire{room: r, role: (*wires)[0].role} },
				Trace: func(id string, _ int64) io.ReaderAt { return bytes.NewReader(r.files[id]) },
			})
			r.windows = append(r.windows, again)
			r.until("the return", func() bool {
				return again.app.session.Joined() && len(again.app.model.IDs) > 0 && again.paneOf("kaleidoscope").Picture() != nil && shown(again) == before
			})
			if n := r.hub.People(); n != 2 {
				t.Errorf("%d people are there", n)
			}
			if !again.shows("task in subtree(5)") { // though the selection came before the trace
				t.Errorf("the field of expressions does not show the selection: %s", again.texts())
			}
			if !other.shows("Bobby") || other.shows("Guest") || other.shows("bob") || who != "presenter" && !other.shows("raised a hand") {
				t.Errorf("the other one sees %s", other.texts())
			}
		})
	}
}

// TestSessionHost shares a window from its dialog: the panes become the stage, a run is made again by the member, and the session ends from the panel.
func TestSessionHost(t *testing.T) {
	r := newClassroom(t)
	stopped := false
	host := drive(t, Options{Runner: native{}, Host: func(traces []string, network bool) (*share.Hosting, error) {
		if network || len(traces) != 1 || filepath.Base(traces[0]) != "nrev.whorl" {
			t.Errorf("a session is to be hosted with %v, in the network: %v", traces, network)
		}
		b := must.Get(os.ReadFile(traces[0]))(t)
		r.files["1"] = b
		r.hub.Offer("1", share.Trace{Name: "nrev", File: "nrev.whorl", Bytes: int64(len(b))}, 0)
		return &share.Hosting{
			Access:      share.Access{Name: "Ada", Dial: func() share.Conn { return &wire{room: r, role: share.Owner} }},
			Invitations: []share.Invitation{{Role: share.Owner, Link: "o"}, {Role: share.Viewer, Link: "http://there/#token=v"}},
			Stop:        func() { stopped = true },
		}, nil
	}}, 1280, 800, 1)
	r.windows = append(r.windows, host)
	path := filepath.Join(t.TempDir(), "nrev.whorl")
	writeTrace(t, path)
	host.app.OpenFile(&documents.File{Name: "nrev.whorl", Path: path, Size: -1})
	host.until("the trace", func() bool { return host.app.model.Docs.Get("nrev") != nil })
	doc := host.app.launcher.Begin(smallRun())
	host.until("the run", func() bool { return doc.Live.Over })
	host.settle()
	places := len(host.app.model.Panes)
	host.key("$", 0)
	host.shot("session-share")
	host.on("Share")
	host.until("the session", func() bool { return host.app.session.Joined() && host.shows("You present") })
	host.shot("session-host")
	d := drive(t, Options{Runner: native{}}, 1100, 700, 1)
	d.app.Join(share.Access{
		Name:  "Bob",
		Dial:  func() share.Conn { return &wire{room: r, role: share.Viewer} },
		Trace: func(id string, _ int64) io.ReaderAt { return bytes.NewReader(r.files[id]) },
	})
	r.windows = append(r.windows, d)
	r.same(host, d)
	r.until("the run at the member", func() bool {
		got := d.app.model.Docs.Get(doc.Name)
		return got != nil && got.Live != nil && got.Live.Over && got.Source.Counts() == doc.Source.Counts()
	})
	if len(host.app.model.Panes) != places {
		t.Errorf("sharing changes %d panes to %d", places, len(host.app.model.Panes))
	}
	host.on("Copy the link for a viewer")
	if !slices.ContainsFunc(host.asks, func(a outbox.Ask) bool { return a.Do == outbox.CopyText && a.Text == "http://there/#token=v" }) {
		t.Errorf("the window asks for %v", host.asks)
	}
	host.on("Copy the link for an owner")
	if !host.shows("The link for an owner is copied") {
		t.Errorf("the window says %s", host.texts())
	}
	host.on("End the session")
	if !stopped || host.app.session.Joined() || len(host.app.model.Panes) != places {
		t.Errorf("after the end: stopped %v, joined %v, %d panes", stopped, host.app.session.Joined(), len(host.app.model.Panes))
	}
}

// TestSessionPlays: what plays in one window plays in the other at the same time.
func TestSessionPlays(t *testing.T) {
	r := newClassroom(t, "fghc/nrev")
	owner, _ := r.window("Ada", share.Owner, 1280, 800)
	viewer, _ := r.window("Bob", share.Viewer, 1280, 800)
	r.same(owner, viewer)
	r.until("clocks", func() bool { return true })
	owner.app.play()
	r.until("the play", func() bool { return viewer.app.player.On })
	for range 5 {
		owner.step()
		viewer.step()
	}
	owner.app.play()
	r.until("the pause", func() bool {
		a, b := owner.app.model.State.Shared.Until, viewer.app.model.State.Shared.Until
		return !viewer.app.player.On && a != nil && b != nil && *a == *b
	})
}

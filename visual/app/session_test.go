package app

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"whorl/lesson"
	"whorl/lesson/script/solve"
	"whorl/testdata/must"
	"whorl/visual/app/lessons"
	"whorl/visual/app/outbox"
	"whorl/visual/documents"
	"whorl/visual/share"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// A classroom is a session in memory with the windows that have joined it.
type classroom struct {
	*testing.T
	hub     *share.Hub
	now     time.Duration
	still   bool // the time passes otherwise than by messages
	down    bool // nobody can connect
	files   map[string][]byte
	windows []*driver
	secrets map[*driver]string // as Access.Keep got them
}

// A wire is a share.Conn to the hub of a classroom. The first message is a Hello.
type wire struct {
	room *classroom
	role share.Role
	link *share.Link
	err  error
}

func (w *wire) Send(b []byte) {
	if w.room.down {
		w.err = errors.New("the cable is out")
		return
	}
	if w.link == nil {
		var r share.Request
		if w.err = json.Unmarshal(b, &r); w.err == nil {
			w.link, w.err = w.room.hub.Join(*r.Hello, w.role, func() {}, w.room.now)
		}
		return
	}
	if !w.room.still {
		w.room.now += time.Millisecond
	}
	w.err = w.link.Receive(b, w.room.now)
}

func (w *wire) Receive() (all [][]byte) {
	for w.link != nil && w.err == nil {
		b := w.link.Next()
		if b == nil {
			break
		}
		all = append(all, b)
	}
	return all
}

func (w *wire) Err() error { return w.err }

func (w *wire) Close() {
	if w.link != nil {
		w.link.Leave(w.room.now)
	}
	w.err = io.EOF
}

// newClassroom returns a session with the traces of programs.
func newClassroom(t *testing.T, programs ...string) *classroom {
	r := &classroom{T: t, hub: share.NewHub(share.Options{Rate: 1e6}), files: map[string][]byte{}, secrets: map[*driver]string{}}
	for _, p := range programs {
		path := filepath.Join(t.TempDir(), "x.whorl")
		writeRun(t, path, p)
		b := must.Get(os.ReadFile(path))(t)
		name := strings.TrimPrefix(p, "fghc/")
		r.files[name] = b
		r.hub.Offer(name, share.Trace{Name: name, File: name + ".whorl", Bytes: int64(len(b))}, 0)
	}
	return r
}

// window returns a window of a size that joins the session.
func (r *classroom) window(name string, role share.Role, w, h float64) (*driver, *[]*wire) {
	d := drive(r.T, Options{}, w, h, 1)
	wires := &[]*wire{}
	d.app.Join(share.Access{
		Name: name,
		Keep: func(_, secret string) { r.secrets[d] = secret },
		Dial: func() share.Conn {
			c := &wire{room: r, role: role}
			*wires = append(*wires, c)
			return c
		},
		Trace: func(id string, _ int64) io.ReaderAt { return bytes.NewReader(r.files[id]) },
	})
	r.windows = append(r.windows, d)
	return d, wires
}

const limit = enough

// until steps all windows until something is true.
func (r *classroom) until(what string, ok func() bool) {
	r.Helper()
	for end := time.Now().Add(limit); time.Now().Before(end); {
		for _, d := range r.windows {
			d.step()
		}
		if ok() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	for _, d := range r.windows {
		r.Logf("%s: %v notes %v until %v play %v", d.app.model.Root, d.app.model.IDs, d.app.model.State.Shared.Annotations, d.app.model.State.Shared.Until, d.app.player.On)
	}
	r.Fatalf("%s does not come", what)
}

// same waits until two windows show the same stage.
func (r *classroom) same(a, b *driver) {
	r.Helper()
	r.until("the same stage", func() bool {
		return a.app.model.Root.String() == b.app.model.Root.String() && a.app.model.Root != nil && len(a.app.model.Panes) == len(b.app.model.Panes)
	})
}

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

// TestSessionAnswers: who teaches sees a histogram of what the others predict and who is stuck, without names; the others see none.
func TestSessionAnswers(t *testing.T) {
	r := newClassroom(t)
	open := func(name string, role share.Role) *driver {
		d := drive(t, Options{Runner: native{}, Lessons: &solve.Shelf{}, Progress: &memory{}}, 1280, 900, 1)
		d.app.Join(share.Access{Name: name, Dial: func() share.Conn { return &wire{room: r, role: role} }})
		r.windows = append(r.windows, d)
		d.app.OpenLesson("load-balance")
		r.until("the lesson", func() bool { return d.app.lessons.Lesson() != nil && d.app.session.Joined() })
		return d
	}
	owner := open("Ada", share.Owner)
	r.until("the runs", func() bool { return len(owner.app.model.IDs) > 0 && !owner.teaches() })
	bob, cy := open("Bob", share.Viewer), open("Cy", share.Viewer)
	l := owner.app.lessons.Lesson()
	first, question := l.Find(l.Asks[0]), (*lesson.Block)(nil)
	for _, id := range l.Asks {
		if b := l.Find(id); b.Question != nil && b.Question.Number != nil && question == nil {
			question = b
		}
	}
	if first.Question == nil || first.Question.Kind != lesson.ChoiceAnswer || question == nil {
		t.Fatalf("the lesson begins with %+v", first)
	}
	bob.answer(first, lesson.Response{Choice: 0})
	cy.answer(first, lesson.Response{Choice: 1})
	for _, wrong := range []string{"1 ns", "2 ns"} {
		bob.answer(question, lesson.Response{Text: wrong})
	}
	crowd := func(id string) lessons.Crowd { return owner.app.session.Crowds()[l.Name+"/"+id] }
	r.until("the answers", func() bool {
		q := crowd(question.ID)
		return len(crowd(first.ID)) == 2 && len(q) == 1 && q[0].Tries == 2 && !q[0].Right
	})
	owner.top()
	owner.scrollTo("the histogram", func() (ui.Accessible, bool) { return owner.named(ui.RoleStatus, "2 answers", 0) })
	for _, choice := range first.Question.Choices {
		if _, ok := owner.named(ui.RoleStatus, choice.Text+": 1", 0); !ok {
			t.Errorf("no bar says how many predict %q", choice.Text)
		}
	}
	owner.shot("session-histogram")
	owner.scrollTo("who is stuck", func() (ui.Accessible, bool) { return owner.named(ui.RoleStatus, "1 answer, 0 right, 1 stuck", 0) })
	if bob.app.session.Crowds() != nil || strings.Contains(fmt.Sprint(owner.app.session.Crowds()), "Bob") {
		t.Errorf("a viewer reads %v, the owner %v", bob.app.session.Crowds(), owner.app.session.Crowds())
	}
}

// pupil returns a window with the lessons that joins the session.
func (r *classroom) pupil(name string, role share.Role, w, h float64) (*driver, *memory) {
	kept := &memory{}
	d := drive(r.T, Options{Runner: native{}, Lessons: &solve.Shelf{}, Progress: kept}, w, h, 1)
	d.app.Join(share.Access{Name: name, Dial: func() share.Conn { return &wire{room: r, role: role} }})
	r.windows = append(r.windows, d)
	r.until("the session", func() bool { return d.app.session.Joined() && len(r.hub.Registers("person/")) > 0 })
	return d, kept
}

// TestSessionLesson: whoever presents opens a lesson for all who follow, with its runs and at the same step, also for a late joiner and on a phone.
// Answers are everybody's own. Who chooses another lesson roams, and comes back to that of the session.
func TestSessionLesson(t *testing.T) {
	r := newClassroom(t)
	owner, _ := r.pupil("Ada", share.Owner, 1280, 900)
	bob, kept := r.pupil("Bob", share.Viewer, 1100, 700)
	shown := func(d *driver) string {
		if p := d.app.lessons; p.Open && p.Lesson() != nil && !p.Waits() {
			return fmt.Sprint(p.Lesson().Name, " ", p.Place().Step)
		}
		return ""
	}
	same := func(d *driver, lesson string) {
		t.Helper()
		r.until("the lesson "+lesson, func() bool {
			return strings.HasPrefix(shown(d), lesson+" ") && shown(owner) == shown(d) && len(d.app.model.IDs) > 0 && !owner.teaches()
		})
	}
	turn := func(d *driver, lines float64) {
		d.move(200, d.in.H-60)
		d.step(Event{Kind: ui.Wheel, X: 200, Y: d.in.H - 60, DY: lines})
		d.settle()
	}
	owner.app.OpenLesson("load-balance")
	same(bob, "load-balance")
	first := owner.app.lessons.Lesson().Asks[0]
	owner.answer(owner.app.lessons.Lesson().Find(first), lesson.Response{Choice: 0})
	turn(owner, -8)
	if step := owner.app.lessons.Place().Step; step == 0 {
		t.Error("some pages down the step is the first one")
	}
	same(bob, "load-balance")
	if s := bob.progress(kept); len(s.Done) > 0 {
		t.Errorf("the prediction of the owner is Bob's: %v", s.Done)
	}
	bob.shot("session-lesson")
	cy, _ := r.pupil("Cy", share.Viewer, 390, 844)
	same(cy, "load-balance")
	cy.shot("session-lesson-phone")

	// A panel that was put away stays so until there is another lesson. What a follower scrolls turns no pages for others.
	bob.key("!", 0)
	at := shown(owner)
	turn(cy, -4)
	turn(owner, -8)
	r.until("the next step", func() bool { return shown(owner) != at && shown(cy) == shown(owner) })
	if bob.app.lessons.Open {
		t.Error("the step of the owner opens Bob's panel")
	}
	// Other parameters are other runs with the same names.
	pes := func(d *driver) int {
		if doc := d.app.model.Docs.Get("blind"); doc != nil && doc.Run != nil {
			return doc.Run.PEs
		}
		return 0
	}
	owner.top()
	owner.on("As written")
	owner.until("the sets", func() bool { return strings.Contains(owner.overTexts(), "Four PEs") })
	x, y, _ := owner.place("Four PEs")
	owner.click(x, y)
	r.until("the runs on 4 PEs", func() bool { return pes(owner) == 4 && pes(bob) == 4 && pes(cy) == 4 })

	owner.app.OpenLesson("waves")
	same(bob, "waves")
	same(cy, "waves")

	// Another lesson is chosen alone.
	bob.top()
	bob.on("All lessons")
	bob.scrollTo("the list", func() (ui.Accessible, bool) { return bob.named(ui.RoleButton, "Load balance", 0) })
	bob.on("Load balance")
	r.until("Bob's lesson", func() bool { return strings.HasPrefix(shown(bob), "load-balance") })
	if !bob.shows("You roam") || !strings.HasPrefix(shown(owner), "waves") {
		t.Errorf("Bob has %s and the owner %s:\n%s", shown(bob), shown(owner), bob.texts())
	}
	r.until("Bob's own runs", func() bool {
		return pes(bob) == 8 && slices.ContainsFunc(bob.app.model.State.Personal.Panes, func(p view.Pane) bool { return p.Trace == "blind" })
	})
	if pes(owner) == 8 || slices.ContainsFunc(owner.app.model.State.Personal.Panes, func(p view.Pane) bool { return p.Trace == "blind" }) {
		t.Error("Bob's runs are the owner's")
	}
	turn(owner, -8)
	bob.step(Event{Kind: ui.Key, Key: "~"})
	same(bob, "waves")
	r.until("the time of the runs of the session", func() bool { _, to := bob.app.model.Clock.Span(); return to > 0 })
	owner.key("!", 0)
	r.until("the end of the lesson", func() bool { return !bob.app.lessons.Open && !cy.app.lessons.Open })
}

// A slowWire is a wire that delays messages both ways by times within limits.
type slowWire struct {
	wire
	rand     *rand.Rand
	least    time.Duration
	more     time.Duration
	up, down []letter
}

type letter struct {
	due time.Duration
	b   []byte
}

// late returns when the next message of a queue arrives.
func (w *slowWire) late(queue []letter) time.Duration {
	due := w.room.now + w.least + time.Duration(w.rand.Int64N(int64(w.more)))
	if n := len(queue); n > 0 {
		due = max(due, queue[n-1].due)
	}
	return due
}

func (w *slowWire) Send(b []byte) { w.up = append(w.up, letter{w.late(w.up), b}) }

func (w *slowWire) Receive() (all [][]byte) {
	for len(w.up) > 0 && w.up[0].due <= w.room.now {
		w.wire.Send(w.up[0].b)
		w.up = w.up[1:]
	}
	for _, b := range w.wire.Receive() {
		w.down = append(w.down, letter{w.late(w.down), b})
	}
	for len(w.down) > 0 && w.down[0].due <= w.room.now {
		all = append(all, w.down[0].b)
		w.down = w.down[1:]
	}
	return all
}

// TestSessionClocks plays in three windows whose clocks differ and whose connections take 20 to 140 ms: all show the same time within 50 ms.
func TestSessionClocks(t *testing.T) {
	r := newClassroom(t, "fghc/nrev")
	r.still = true
	rand := rand.New(rand.NewPCG(1, 2))
	var windows []*driver
	for i, role := range []share.Role{share.Owner, share.Viewer, share.Viewer} {
		d := drive(t, Options{}, 900, 700, 1)
		d.in.Now += time.Duration(i) * 77 * time.Second
		least := time.Duration(20+25*i) * time.Millisecond
		d.app.Join(share.Access{
			Name: fmt.Sprint("p", i),
			Dial: func() share.Conn {
				return &slowWire{wire: wire{room: r, role: role}, rand: rand, least: least, more: 25 * time.Millisecond}
			},
			Trace: func(id string, _ int64) io.ReaderAt { return bytes.NewReader(r.files[id]) },
		})
		windows = append(windows, d)
	}
	step := func() {
		r.now += 10 * time.Millisecond
		for _, d := range windows {
			d.step()
		}
	}
	wait := func(what string, ok func() bool) {
		t.Helper()
		for end := time.Now().Add(enough); !ok(); step() {
			if time.Now().After(end) {
				t.Fatalf("%s does not come", what)
			}
			time.Sleep(50 * time.Microsecond)
		}
	}
	for _, d := range windows {
		wait("the trace", func() bool {
			return d.app.model.Docs.Get("nrev") != nil && d.app.model.Root != nil && d.paneOf("kaleidoscope").Picture() != nil
		})
	}
	for range 600 { // several measurements of the clock
		step()
	}
	windows[0].app.play()
	wait("the play", func() bool { return windows[1].app.player.On && windows[2].app.player.On })
	span, _ := windows[0].app.model.Clock.Span()
	_, to := windows[0].app.model.Clock.Span()
	worst := time.Duration(0)
	for range 300 {
		step()
		var least, most int64
		for i, d := range windows {
			u := d.app.model.State.Shared.Until
			if u == nil {
				t.Fatalf("window %d shows all", i)
			}
			if i == 0 {
				least, most = *u, *u
			}
			least, most = min(least, *u), max(most, *u)
		}
		worst = max(worst, time.Duration(float64(most-least)/float64(to-span)*float64(windows[0].app.model.Clock.Length())))
	}
	if worst > 50*time.Millisecond {
		t.Errorf("what plays differs by up to %v", worst)
	}
	t.Logf("what plays differs by at most %v", worst)
}

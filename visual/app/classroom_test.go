package app

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"whorl/lesson/script/solve"
	"whorl/testdata/must"
	"whorl/visual/share"
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

// pupil returns a window with the lessons that joins the session.
func (r *classroom) pupil(name string, role share.Role, w, h float64) (*driver, *memory) {
	kept := &memory{}
	d := drive(r.T, Options{Runner: native{}, Lessons: &solve.Shelf{}, Progress: kept}, w, h, 1)
	d.app.Join(share.Access{Name: name, Dial: func() share.Conn { return &wire{room: r, role: role} }})
	r.windows = append(r.windows, d)
	r.until("the session", func() bool { return d.app.session.Joined() && len(r.hub.Registers("person/")) > 0 })
	return d, kept
}

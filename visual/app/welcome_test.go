package app

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"

	"whorl/lesson"
	"whorl/lesson/script/solve"
	"whorl/lessons"
	"whorl/testdata/must"
	"whorl/visual/app/chooser"
	panel "whorl/visual/app/lessons"
	"whorl/visual/documents"
	"whorl/visual/view"
)

// A usedDisk is a disk whose recent files are traces of the test.
type usedDisk struct {
	memoryDisk
	recent []chooser.Entry
	file   *documents.File
}

func (d *usedDisk) Recent() []chooser.Entry          { return d.recent }
func (d *usedDisk) File(path string) *documents.File { return d.file }

// TestWelcome: a program of one's own is the first way to begin, recent files open with a click, and as many as have room are listed.
func TestWelcome(t *testing.T) {
	disk := &usedDisk{file: traceFile(t, "last.whorl", run(t, "nrev", 2, ""))}
	for _, name := range []string{"last.whorl", "b.whorl", "c.whorl", "d.whorl", "e.whorl", "f.whorl"} {
		disk.recent = append(disk.recent, chooser.Entry{Name: "/far/" + name, Kind: chooser.Trace})
	}
	d := drive(t, Options{Runner: native{}, Disk: disk}, 1200, 800, 1)
	d.until("the recent files", func() bool { return d.shows("last.whorl") })
	d.shot("welcome-recent")
	own, y, _ := d.place("Your own program")
	for _, other := range []string{"Run a benchmark", "Open a trace"} {
		if x, v, ok := d.place(other); !ok || v != y || x <= own {
			t.Errorf("%q is at %g, %g; a program of one's own at %g, %g", other, x, v, own, y)
		}
	}
	if !d.shows("e.whorl") || d.shows("f.whorl") {
		t.Errorf("the welcome shows\n%s", d.texts())
	}
	d.until("the pictures of the examples", d.drawn)
	d.settle()
	for _, size := range []struct {
		name string
		w, h float64
	}{{"wide", 1280, 800}, {"phone", 390, 844}} {
		d.in.W, d.in.H = size.w, size.h
		d.settle()
		d.shot("welcome-" + size.name)
		for _, text := range []string{"Your own program", "Run a benchmark", "Open a trace", "Watch an example"} {
			if x, y, ok := d.place(text); !ok || x < 0 || x > size.w || y > size.h {
				t.Errorf("%s: %q is at %g, %g", size.name, text, x, y)
			}
		}
	}
	for _, card := range d.app.welcome.Examples.Cards {
		if !card.Parts[0].Thumb.Ready() {
			t.Errorf("the example %s has no picture", card.Name)
		}
	}
	if d.app.welcome.Examples.Doc != nil || len(d.app.model.Docs.All()) != 0 {
		t.Error("examples stay open")
	}
	d.in.W, d.in.H = 1280, 800
	d.key("D", 0)
	d.until("the pictures on a dark ground", d.drawn)
	d.settle()
	d.shot("welcome-dark")
	d.key("D", 0)
	d.on("Your own program")
	if !d.app.runs.Open || !d.shows("% Pascal's triangle") {
		t.Errorf("no program can be written:\n%s", d.texts())
	}
	d.on("last.whorl")
	d.until("the trace", func() bool { return d.app.model.Docs.Get("last") != nil })
}

// TestExamples runs the example whose card is chosen, while the pictures of others are still computed.
func TestExamples(t *testing.T) {
	d := drive(t, Options{Runner: native{}}, 1280, 800, 1)
	d.until("the first picture", func() bool { return d.app.welcome.Examples.Index > 0 })
	d.on("fghc/primes")
	d.until("the run", func() bool { return d.app.model.Focused() != nil && d.app.model.Focused().Live.Over })
	if d.settle(); d.app.welcome.Examples.Doc != nil {
		t.Error("examples are simulated while a trace is open")
	}
	at := d.app.welcome.Examples.Index
	d.app.actions.Apply(view.Action{Do: view.CloseTrace, Name: d.app.model.Focused().Name})
	d.until("the other pictures", d.drawn)
	if at == 0 {
		t.Error("the pictures begin anew")
	}
}

// TestWelcomeLessons: the welcome has a card with a picture for each lesson, and opens the one that is chosen. The list comes from the beginning of the
// file beside a page.
func TestWelcomeLessons(t *testing.T) {
	bundle := must.Get(json.Marshal(&lesson.Bundle{All: must.Get((&solve.Shelf{}).Heads("en"))(t)}))(t)
	file := &documents.File{Name: "lessons.json", Read: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(bundle)), nil }}
	for _, library := range []lesson.Library{&solve.Shelf{}, &panel.Fetched{File: file}} {
		d := drive(t, Options{Runner: native{}, Lessons: library, Progress: &memory{}}, 1280, 1800, 1)
		d.until("the pictures of all lessons", func() bool {
			e := &d.app.welcome.Examples
			return len(e.Cards) == e.Some+len(lessons.Names) && e.Index == len(e.Cards)
		})
		d.settle()
		d.shot("welcome-lessons")
		for _, card := range d.app.welcome.Examples.Cards {
			if len(card.Parts) != 1 || !card.Parts[0].Thumb.Ready() {
				t.Errorf("%s has no picture", card.Title)
			}
		}
		if _, ok := library.(*solve.Shelf); !ok {
			continue
		}
		d.on("Load balance")
		d.until("the lesson", func() bool {
			return d.app.lessons.Lesson() != nil && !d.teaches() && len(d.app.model.IDs) > 0
		})
		if !d.app.lessons.Open || d.app.lessons.Lesson().Name != "load-balance" {
			t.Errorf("the card opens %s", d.app.lessons.Lesson().Name)
		}
	}
}

// drawn reports whether all cards of the welcome page have their pictures.
func (d *driver) drawn() bool {
	e := &d.app.welcome.Examples
	return len(e.Cards) > 0 && e.Index == len(e.Cards)
}

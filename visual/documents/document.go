// Package documents holds the open traces of the viewer: files, and runs with growing traces. A Set reads files in the background, receives the
// recorded events of runs, and groups runs for comparison. The package does not draw and is independent of panes.
package documents

import (
	"math"
	"time"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/tracer"
	"whorl/tracer/open"
	"whorl/tracer/store"
	"whorl/visual/view"
)

// A Document is an open trace, or a closed trace that undo can reopen.
type Document struct {
	Name    string        // the name in selections
	Source  tracer.Source // the trace; replaced when a run restarts
	Path    string        // of its file, "" for none
	URL     string        // of its file in a page, "" for none
	Missing string        // a sentence about the data that the file lacks
	Reading bool          // the trace is the beginning of one that is being read
	Live    *Live         // the run that records the trace, nil for a file
	Run     *experiment.Run
	Group   int // runs of the same group are compared; 0 for none

	Data   *view.Data // the data that views derive from the trace; nil before Supply
	Module bool       // it is a source of a network of modules and has no panes
	Large  bool       // the trace of the run has outgrown the memory of a view, which reads all of it for each picture
	Fed    Fed        // the part of the trace that Data has

	Refused string // why the last trial has recorded nothing, "" if it has

	close    func() error
	begun    *open.Trace // while Reading
	before   *Document   // the recorded run while a trial is shown in its place
	next     *trial      // not shown yet, nil for none
	restarts uint64      // the number of the replacement of Source, 0 for the first one
	replaced uint64      // how often Source has been replaced
	compared comparing
	group    any        // set by SetGroup
	grouped  *view.Data // that has the group
	answers  answers
	filter   filtering
	digest   *digesting // nil before Digest
	recorded *recorded  // the program in the trace; nil before Repeat wants it
}

// Fed describes the part of a trace that its stages have.
type Fed struct {
	Revision uint64 // of the document, 0 for nothing
	Events   int64
	time     time.Duration
}

// answers caches the results of scans of the whole trace, for one revision.
type answers struct {
	revision uint64
	spanned  bool
	from, to int64
	fits     map[string]error // by view
}

// New returns a document of a trace in memory, which may grow.
func New(src tracer.Source) *Document { return &Document{Source: src} }

// Revision returns a number that changes when the trace grows or is replaced.
func (d *Document) Revision() uint64 {
	if g, ok := d.Source.(*store.Growing); ok {
		return d.restarts<<40 + g.Revision() + 1
	}
	return d.restarts<<40 + 1
}

func (d *Document) known() *answers {
	if rev := d.Revision(); d.answers.revision != rev {
		d.answers = answers{revision: rev, fits: map[string]error{}}
	}
	return &d.answers
}

// Span returns the times at which the trace begins and ends.
func (d *Document) Span() (from, to int64) {
	k := d.known()
	if !k.spanned {
		k.from, k.to = d.Source.Span()
		k.spanned = true
	}
	return k.from, k.to
}

// Fits returns the reason why a view cannot show the trace, nil if it can. A running program may still record the missing events.
func (d *Document) Fits(k *view.Kind) error {
	if d.Live != nil && !d.Live.Over {
		return nil
	}
	known := d.known()
	err, asked := known.fits[k.Name]
	if !asked {
		err = k.CanOpen(d.Source)
		known.fits[k.Name] = err
	}
	return err
}

// Program returns the name and the text of the first source file, "" if the trace has none.
func (d *Document) Program() (name, text string) {
	if files := d.Source.Meta().Source; len(files) > 0 {
		return files[0].Name, files[0].Text
	}
	return "", ""
}

// Again returns the run that reproduces the trace; nil if neither the viewer nor the trace has it.
func (d *Document) Again() *experiment.Run {
	if d.Run != nil {
		return d.Run
	}
	m := d.Source.Meta()
	r, err := experiment.Again(&m)
	if err != nil {
		return nil
	}
	return &r
}

// Edited returns the run of the trace with another program text.
func (d *Document) Edited(text string) experiment.Run {
	m := d.Source.Meta()
	return experiment.Edited(&m, text)
}

// A growing trace is redrawn every growEvery at most. While its program runs, it is redrawn when it has grown by a twentieth, at the latest after
// growLate, so that the work on a long trace is not repeated faster than the trace grows. A trace that is read from the beginning each time is
// redrawn when it has doubled, and at the end.
const (
	growEvery = 100 * time.Millisecond
	growLate  = time.Second
)

// Due returns the time of the next Supply.
func (d *Document) Due() time.Duration {
	if l := d.Live; l != nil && l.Status.State == session.Running && !l.Over {
		n := events(d.Source)
		if d.Large && n >= d.Fed.Events && n-d.Fed.Events < d.Fed.Events {
			return math.MaxInt64
		}
		if n >= d.Fed.Events && n-d.Fed.Events < d.Fed.Events/20 {
			return d.Fed.time + growLate
		}
	}
	return d.Fed.time + growEvery
}

// Supply gives the current trace to the stages. All stages get the same snapshot.
// A document that shows a part of its trace keeps it until SetFilter has made another one.
func (d *Document) Supply(now time.Duration) {
	if d.filter.whole != nil {
		return
	}
	src := d.Source
	if g, ok := src.(*store.Growing); ok {
		src = g.Merged()
	}
	rev := d.Revision()
	if d.Data == nil {
		d.Data = view.NewData(src)
	} else {
		d.Data.SetTrace(src)
	}
	d.Fed = Fed{Revision: rev, Events: events(src), time: now}
}

func events(src tracer.Source) (n int64) {
	for _, k := range src.Counts() {
		n += k
	}
	return n
}

// comparing says with which trace the views of a document compare theirs.
type comparing struct {
	other *Document
	src   tracer.Source
	own   *view.Data // that has src
}

// Compared returns the document with which the views compare theirs, nil for none.
func (d *Document) Compared() *Document { return d.compared.other }

// Compare gives the views the trace of another document to compare theirs with, nil for none. It reports whether the trace has changed.
func (d *Document) Compare(other *Document) bool {
	next := comparing{other: other, own: d.Data}
	if other != nil && other.Data != nil {
		next.src = other.Data.Source()
	}
	if d.Data == nil || next == d.compared || other == nil && d.compared.src == nil {
		return false
	}
	d.compared = next
	if next.src == nil {
		d.Data.Compare("", nil)
	} else {
		d.Data.Compare(other.Name, next.src)
	}
	return true
}

// SetGroup gives the views of several runs the numbers of the compared runs. It reports whether they changed.
func (d *Document) SetGroup(value any) bool {
	if d.group == value && d.grouped == d.Data {
		return false
	}
	d.group, d.grouped = value, d.Data
	d.Data.SetGroup(value)
	return true
}

// end releases the data of the views and then the trace.
func (d *Document) end() {
	d.dropFilter()
	d.dropTrial()
	if d.before != nil {
		d.before.end()
	}
	if d.Data != nil {
		d.Data.Close()
	}
	if d.Live != nil {
		d.Live.session.Close()
	}
	release := func() {
		if d.close != nil {
			_ = d.close() // the file was only read
		}
	}
	if r := d.recorded; r != nil {
		go r.forgetThen(release)
		return
	}
	release()
}

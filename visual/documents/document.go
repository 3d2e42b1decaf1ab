// Package documents holds the traces that are open in the viewer: files, and runs whose traces grow. A Set reads files on goroutines of
// their own, takes what runs have recorded, and says which runs are compared with each other. The package draws nothing and knows no
// panes.
package documents

import (
	"time"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/tracer"
	"whorl/tracer/store"
	"whorl/visual/view"
	"whorl/visual/view/contexts"
)

// A Document is a trace that is open, or that undo can bring back.
type Document struct {
	Name    string        // as selections have it
	Source  tracer.Source // the trace; another one after a run has begun again
	Path    string        // of its file, "" for none
	Missing string        // what the file lacks, in words
	Live    *Live         // the run that records the trace, nil for a file
	Run     *experiment.Run
	Group   int // the same for runs that are compared with each other, 0 for none

	Data *view.Data // what views compute of the trace; nil before Supply
	Fed  Fed        // what Data has been given

	close    func() error
	restarts uint64           // how often Source has been replaced
	Beside   *contexts.Beside // of another run, set by SetBeside
	answers  answers
}

// Fed describes the part of a trace that its stages have.
type Fed struct {
	Revision uint64 // of the document, 0 for nothing
	Events   int64
	at       time.Duration
}

// answers keeps what a scan of the whole trace has found, for one revision.
type answers struct {
	revision uint64
	spanned  bool
	from, to int64
	fits     map[string]error // by view
}

// New returns a document of a trace that lies in memory or grows there.
func New(src tracer.Source) *Document { return &Document{Source: src} }

// Revision changes when the trace has grown or has been replaced.
func (d *Document) Revision() uint64 {
	if g, ok := d.Source.(interface{ Revision() uint64 }); ok {
		return d.restarts<<40 + g.Revision() + 1
	}
	return 1
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

// Fits returns the reason why a view cannot show the trace, nil if it can. A run that goes on may still record the missing events.
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

// Again returns the run that makes the trace again; nil if neither the viewer nor the trace knows it.
func (d *Document) Again() *experiment.Run {
	if d.Run != nil {
		return d.Run
	}
	m := d.Source.Meta()
	_, text := d.Program()
	if m.Substrate != "fghc" || m.Mode != "sim" || text == "" || len(m.Source) > 1 {
		return nil
	}
	r := d.Edited(text)
	return &r
}

// Edited returns the run that the trace comes from with another text of the program.
func (d *Document) Edited(text string) experiment.Run {
	name, _ := d.Program()
	m := d.Source.Meta()
	return experiment.Run{Program: name, Text: text, Goal: m.Goal, PEs: m.PEs, Policy: m.Policy, Machine: m.Machine, Network: m.Network, Seed: m.Seed}
}

// A trace that grows is shown anew every growEvery. While its program runs, it is shown anew when it is longer by a twentieth, at the
// latest after growLate: the work on a long trace must not be repeated faster than the trace grows.
const (
	growEvery = 100 * time.Millisecond
	growLate  = time.Second
)

// Due returns the time at which the stages get what has been recorded since the last time.
func (d *Document) Due() time.Duration {
	if l := d.Live; l != nil && l.Status.State == session.Running && !l.Over {
		if n := events(d.Source); n >= d.Fed.Events && n-d.Fed.Events < d.Fed.Events/20 {
			return d.Fed.at + growLate
		}
	}
	return d.Fed.at + growEvery
}

// Supply gives the trace as it is now to the stages. All of them see the same snapshot.
func (d *Document) Supply(now time.Duration) {
	src := d.Source
	if g, ok := src.(interface{ Snapshot() *store.File }); ok {
		src = g.Snapshot()
	}
	rev := d.Revision()
	if d.Data == nil {
		d.Data, d.Beside = view.NewData(src), nil
	} else {
		d.Data.SetTrace(src)
	}
	d.Fed = Fed{Revision: rev, Events: events(src), at: now}
}

func events(src tracer.Source) (n int64) {
	for _, k := range src.Counts() {
		n += k
	}
	return n
}

// SetBeside gives the views of calling contexts the contexts of another run to compare with, nil for none. It reports whether they are
// other ones than before.
func (d *Document) SetBeside(name string, c *contexts.Contexts) bool {
	was := d.Beside
	switch {
	case d.Data == nil, was == nil && c == nil, was != nil && was.Contexts == c && was.Name == name:
		return false
	case c == nil:
		d.Beside = nil
		d.Data.SetBeside(nil)
	default:
		d.Beside = &contexts.Beside{Name: name, Contexts: c}
		d.Data.SetBeside(d.Beside)
	}
	return true
}

// end releases what the document holds: first what the views compute of the trace, then the trace.
func (d *Document) end() {
	if d.Data != nil {
		d.Data.Close()
	}
	if d.Live != nil {
		d.Live.session.Close()
	}
	if d.close != nil {
		_ = d.close() // the file was only read
	}
}

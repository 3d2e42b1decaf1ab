package app

import (
	"fmt"

	"whorl/experiment"
	"whorl/tracer"
	"whorl/visual/view"
	"whorl/visual/view/contexts"
)

// A document is a trace that is open, or was: while the history can bring it back it stays.
type document struct {
	name    string // as selections have it
	src     tracer.Source
	path    string // of its file; "" where it has none
	missing string // what it lacks, in words
	close   func() error

	live *live           // the run it comes from; nil for a file
	run  *experiment.Run // how to make it again; nil where that is not known

	group    int    // of those that are compared with each other, 0 for none
	restarts uint64 // how often src has been replaced

	edit edited // its program, once somebody has changed it

	data *view.Data // what its panes compute of src; nil before the first
	fed  fed

	beside *contexts.Beside // what data has been given to compare with

	asked known // what was asked of src, at its last revision
}

// known is what has been asked of a trace: some look through all of it to answer.
type known struct {
	revision uint64
	spanned  bool
	from, to int64
	fits     map[string]error // by view
}

// know forgets the answers of a trace that has grown since.
func (d *document) know() *known {
	if rev := d.revision(); d.asked.revision != rev {
		d.asked = known{revision: rev, fits: map[string]error{}}
	}
	return &d.asked
}

// span is when the trace begins and ends.
func (d *document) span() (from, to int64) {
	k := d.know()
	if !k.spanned {
		k.from, k.to = d.src.Span()
		k.spanned = true
	}
	return k.from, k.to
}

// fits says why a view cannot show the trace, nil where it can.
func (d *document) fits(v *view.Kind) error {
	k := d.know()
	err, asked := k.fits[v.Name]
	if !asked {
		err = v.CanOpen(d.src)
		k.fits[v.Name] = err
	}
	return err
}

// revision changes when the trace has grown.
func (d *document) revision() uint64 {
	if g, ok := d.src.(interface{ Revision() uint64 }); ok {
		return d.restarts<<40 + g.Revision() + 1
	}
	return 1
}

// source is the text of the program's first source file with its name, "" where the trace has none.
func (d *document) source() (name, text string) {
	if files := d.src.Meta().Source; len(files) > 0 {
		return files[0].Name, files[0].Text
	}
	return "", ""
}

// again is how to make a trace again: as it was run here, or by what it says of itself; nil where that is not enough.
func (d *document) again() *experiment.Run {
	if d.run != nil {
		return d.run
	}
	m := d.src.Meta()
	_, text := d.source()
	if m.Substrate != "fghc" || m.Mode != "sim" || text == "" || len(m.Source) > 1 {
		return nil
	}
	r := d.rerun(text)
	return &r
}

// nameFor returns a name for a new trace that no other has.
func (a *App) nameFor(base string) string {
	if base == "" || base == "." || base == "/" {
		base = "trace"
	}
	name := base
	for i := 2; a.docs[name] != nil || a.awaits(name); i++ {
		name = fmt.Sprintf("%s (%d)", base, i)
	}
	return name
}

// sweep closes the documents that nothing shows and no undo can bring back.
func (a *App) sweep() {
	used := a.Traces()
	for name, d := range a.docs {
		if !used[name] {
			d.end()
			delete(a.docs, name)
		}
	}
}

// end gives back what a document holds.
func (d *document) end() {
	if d.data != nil {
		d.data.Close() // before what it reads goes
	}
	if d.live != nil {
		d.live.session.Close()
	}
	if d.close != nil {
		_ = d.close() // it was only read
	}
}

package export

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/app/saving"
	"whorl/visual/documents"
	"whorl/visual/network/modules"
	"whorl/visual/sheet"
	"whorl/visual/view/page"
)

// Exports writes the files of the exports in the networks of panes.
type Exports struct {
	model    *panes.Model
	networks *panes.Networks
	out      *outbox.Outbox
	saving   *saving.Saver
	now      *writing // nil for none
}

// A writing is a file that is being computed.
type writing struct {
	name, path string
	trace      *documents.Document
	work       *documents.Exporting
}

// NewExports returns the exports of the networks of panes.
func NewExports(m *panes.Model, n *panes.Networks, out *outbox.Outbox, s *saving.Saver) *Exports {
	return &Exports{model: m, networks: n, out: out, saving: s}
}

// exported is the size of a picture that names none.
var exported = sheet.Sheet{W: 1200, H: 900}

// Begin lets the user choose the file of an export in the network of a pane, and begins to compute it.
func (e *Exports) Begin(p *panes.Pane, use string) {
	_, o, err := e.networks.Export(p, use)
	if err != nil {
		e.out.Fail(outbox.AboutWriting, err)
		return
	}
	name := o.Values.Text(modules.FileParam)
	ext := filepath.Ext(name)
	e.saving.Choose(strings.TrimSuffix(name, ext), ext, func(path string) {
		e.stop()
		n, o, err := e.networks.Export(p, use) // again, since the run may have gone on, or the trace was closed
		if err != nil {
			e.out.Fail(outbox.AboutWriting, err)
			return
		}
		e.now = &writing{name: name, path: path, trace: e.model.Document(p), work: documents.BeginExport(n, o, exported, page.Shot{})}
		e.out.Say(outbox.AboutWriting, "Computing "+name)
		e.out.Redraw()
	})
}

// Work computes for at most a duration, and asks for the file to be written once it is done. It reports whether there is more to do.
func (e *Exports) Work(budget time.Duration) bool {
	if e.now == nil {
		return false
	}
	if e.model.Docs.Get(e.now.trace.Name) != e.now.trace {
		e.out.Fail(outbox.AboutWriting, fmt.Errorf("%s: its trace was closed before it was computed", e.now.name))
		e.now = nil // the values went with the trace
		return false
	}
	ctx := context.Background()
	done, err := e.now.work.Compute(ctx, budget)
	if err == nil && !done {
		return true
	}
	var b bytes.Buffer
	if err == nil {
		err = e.now.work.Write(ctx, &b)
	}
	if err != nil {
		e.out.Fail(outbox.AboutWriting, err)
	} else {
		e.saving.Ask(e.now.name, e.now.path, b.Bytes(), nil)
	}
	e.stop()
	e.out.Redraw()
	return false
}

// stop gives up the file that is being computed.
func (e *Exports) stop() {
	if e.now != nil {
		e.now.work.Rest()
		e.now = nil
	}
}

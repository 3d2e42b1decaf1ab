package documents

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"whorl/visual/flow"
	"whorl/visual/network"
	"whorl/visual/network/modules"
	"whorl/visual/network/still"
	"whorl/visual/sheet"
	"whorl/visual/view"
	"whorl/visual/view/page"
)

// An Exporting computes what an export of a network reads, and writes its file.
type Exporting struct {
	name    string // of the use
	compute func(ctx context.Context, budget time.Duration) (done bool, err error)
	write   func(ctx context.Context, w io.Writer) error
	rest    func()
}

// BeginExport begins an export of a network. A picture has the size that its export names, or else that of paper.
func BeginExport(n *still.Network, export *network.Output, paper sheet.Sheet, shot page.Shot) *Exporting {
	e := &Exporting{name: export.Use.Name, rest: func() {}}
	input := still.Input(export)
	switch export.Module.Name {
	case modules.CSVName:
		reading(e, n.Data, input, func(t *network.Table, w io.Writer) error { return t.WriteCSV(w) })
	case modules.SaveName:
		reading(e, n.Data, input, writeTrace)
	default:
		e.compute = func(context.Context, time.Duration) (bool, error) { return true, nil }
		e.write = func(ctx context.Context, w io.Writer) error {
			if size := export.Values.Text("size"); size != "" {
				var err error
				if paper, err = sheet.Parse(size, ""); err != nil {
					return err
				}
				shot.Font = paper.Font
			}
			list, err := n.Picture(ctx, input, paper.W, paper.H, shot)
			if err != nil {
				return err
			}
			file := export.Values.Text(modules.FileParam)
			return paper.Encode(w, filepath.Ext(file), file, list, n.Text)
		}
	}
	return e
}

// reading makes an export write the value of an output.
func reading[T any](e *Exporting, d *view.Data, o *network.Output, write func(T, io.Writer) error) {
	reader := view.Read(d, o.Stage.(*flow.Stage[T]))
	var value T
	e.rest = reader.Rest
	e.compute = func(ctx context.Context, budget time.Duration) (bool, error) {
		got, err := reader.Get(ctx, budget)
		value = got.Value
		return got.Done, err
	}
	e.write = func(_ context.Context, w io.Writer) error { return write(value, w) }
}

// Compute computes for at most a duration, 0 for no limit, and reports whether Write can be called.
func (e *Exporting) Compute(ctx context.Context, budget time.Duration) (done bool, err error) {
	done, err = e.compute(ctx, budget)
	return done, e.named(err)
}

// Write writes the file.
func (e *Exporting) Write(ctx context.Context, w io.Writer) error { return e.named(e.write(ctx, w)) }

// Rest gives up what was computed. No method may be called afterwards.
func (e *Exporting) Rest() { e.rest() }

// named adds the name of the export to an error.
func (e *Exporting) named(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", e.name, err)
}

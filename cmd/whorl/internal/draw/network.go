package draw

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"whorl/cmd/whorl/internal/build"
	"whorl/cmd/whorl/internal/command"
	"whorl/internal/figures"
	"whorl/internal/files"
	"whorl/tracer"
	"whorl/tracer/open"
	"whorl/visual/documents"
	"whorl/visual/glyph"
	"whorl/visual/network"
	"whorl/visual/network/modules"
	"whorl/visual/network/still"
	"whorl/visual/network/wiring"
	"whorl/visual/sheet"
	"whorl/visual/view"
	"whorl/visual/view/page"
	"whorl/visual/views"
	drawn "whorl/visual/views/modules"
)

// networkHelp explains networks in the help of render.
const networkHelp = `With --network FILE.toml the picture is that of a network of modules (docs/modules.md): sources, filters, transforms, layouts, displays and
exports. The traces are its inputs, in order; a network whose sources name files or runs needs none. -o FILE writes the picture of the
network, and -o FOLDER the files of its exports; without -o these go to the current folder, where they replace no file. --view modules
draws the modules themselves, with their links.`

// A networkRender draws a network of modules, or writes the files of its exports.
type networkRender struct {
	*render
	opened []*open.Trace
	still  *still.Network
}

// draw runs the network on some traces.
func (r *networkRender) draw(paths []string) error {
	if err := command.CheckScopes(r.cmd, networkScopes, r.view); err != nil {
		return err
	}
	text, err := files.ReadText(r.network, network.MaxText)
	if err != nil {
		return err
	}
	catalog := modules.Catalog(views.All)
	n, err := catalog.Read(r.network, text)
	if err != nil {
		return err
	}
	plan, err := (&network.Builder{Catalog: catalog}).Build(n)
	if err != nil {
		return err
	}
	if err := r.check(plan); err != nil {
		return err
	}
	defer func() {
		for _, t := range r.opened {
			t.Close()
		}
	}()
	var inputs []tracer.Source
	for _, path := range paths {
		trace, err := r.open(path, "")
		if err != nil {
			return err
		}
		inputs = append(inputs, trace)
	}
	if err := r.countInputs(plan, len(inputs)); err != nil {
		return err
	}
	first := tracer.Source(tracer.NewMemory())
	if len(inputs) > 0 {
		first = inputs[0]
	}
	r.glyphs = glyph.New()
	r.still = &still.Network{Plan: plan, Data: view.NewData(first), Text: r.glyphs}
	defer r.still.Data.Close()
	if r.view != "" {
		return r.modules(catalog, n)
	}
	for _, o := range plan.Outputs {
		if o.Supplied() {
			v, err := r.source(o, inputs)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", r.network, o.Use.Name, err)
			}
			o.Supply(r.still.Data, v)
		}
	}
	if r.toFile() {
		list, err := r.still.Picture(r.cmd.Context(), r.still.Result(), r.sheet.W, r.sheet.H, r.shotOf(r.sheet))
		if err != nil {
			return command.InFile(r.network, err)
		}
		return r.write(r.out, r.sheet, list)
	}
	for _, o := range r.still.Exports() {
		if err := r.export(o); err != nil {
			return command.InFile(r.network, err)
		}
	}
	return nil
}

// modules draws the modules of the network and their links in place of its picture.
func (r *networkRender) modules(catalog network.Catalog, n *network.Network) error {
	kind, err := FindView(r.view)
	if err != nil {
		return err
	}
	shown := wiring.NewPicture(wiring.Scene{Catalog: catalog, Network: n})
	list, err := drawn.Shoot(r.cmd.Context(), r.still.Data, kind, drawn.Shown{Title: cmp.Or(n.Title, filepath.Base(r.network)), Picture: shown},
		r.glyphs, r.sheet.W, r.sheet.H, r.shotOf(r.sheet))
	if err != nil {
		return command.InFile(r.network, err)
	}
	return r.write(r.out, r.sheet, list)
}

// toFile reports whether the picture of the network is written to a file, instead of its exports.
func (r *networkRender) toFile() bool { return r.out != "" && !build.IsFolder(r.out) }

// check returns an error, before anything is computed, if the network has not what -o asks for.
func (r *networkRender) check(plan *network.Plan) error {
	n := &still.Network{Plan: plan}
	if r.view != "" && !r.toFile() {
		return errors.New("the modules of a network need a file to write: -o FILE.svg, -o FILE.png or -o FILE.pdf")
	}
	switch exports := n.Exports(); {
	case r.toFile():
		if strings.HasSuffix(r.out, "/") {
			return fmt.Errorf("there is no folder %s: make it, and the exports of the network are written there", r.out)
		}
		if r.out != "-" {
			if err := CheckPicture(r.out); err != nil {
				return err
			}
		}
		if n.Result() == nil && r.view == "" {
			return fmt.Errorf("%s: the network has no display, so there is no picture to write to %s", r.network, r.out)
		}
	case len(exports) == 0:
		return fmt.Errorf("%s: the network has no exports: write its picture with -o FILE.svg, -o FILE.png or -o FILE.pdf", r.network)
	default:
		for _, o := range exports {
			if _, err := os.Lstat(r.path(o)); err == nil && r.out == "" {
				return fmt.Errorf("%s is there already: -o FOLDER says where the files of the network go, and replaces old ones", r.path(o))
			}
		}
	}
	return nil
}

// path returns the file of an export.
func (r *networkRender) path(export *network.Output) string {
	return filepath.Join(r.out, export.Values.Text(modules.FileParam))
}

// countInputs compares the traces that were given with those that the network reads.
func (r *networkRender) countInputs(plan *network.Plan, given int) error {
	needed := 0
	for _, o := range plan.Outputs {
		if o.Module.Name == modules.TraceName && o.Values.Text("file") == "" {
			needed = max(needed, int(o.Values.Int("input")))
		}
	}
	if given == needed {
		return nil
	}
	return fmt.Errorf("%s reads %s, and %d %s given", r.network, figures.Counted(int64(needed), "trace"), given, map[bool]string{true: "is", false: "are"}[given == 1])
}

// source returns the value of a source.
func (r *networkRender) source(o *network.Output, inputs []tracer.Source) (any, error) {
	file := documents.ModuleFile(o.Values, filepath.Dir(r.network))
	switch o.Module.Name {
	case modules.TraceName:
		if file == "" {
			return inputs[o.Values.Int("input")-1], nil
		}
		return r.open(file, "")
	case modules.ImportName:
		return r.open(file, o.Values.Text("format"))
	case modules.RunName:
		return r.run(o)
	}
	return documents.ModuleTable(file)
}

// open opens a trace until the end of the command.
func (r *networkRender) open(path, format string) (tracer.Source, error) {
	reading := *r.reading
	reading.Format = format
	trace, err := reading.OpenWhole(r.cmd, path)
	if err != nil {
		return nil, err
	}
	r.opened = append(r.opened, trace)
	return trace, nil
}

// run runs a program and returns its trace.
func (r *networkRender) run(o *network.Output) (tracer.Source, error) {
	run := documents.ModuleRun(o.Values, filepath.Dir(r.network))
	prepared, err := run.Resolve()
	if err != nil {
		return nil, err
	}
	measured, trace, err := prepared.Measure(r.cmd.Context(), nil)
	if err != nil {
		return nil, err
	}
	if measured.Err != "" {
		return nil, errors.New(measured.Err)
	}
	return trace.Snapshot(), nil
}

// shotOf returns how pictures are drawn on a sheet.
func (r *networkRender) shotOf(s sheet.Sheet) page.Shot {
	return page.Shot{Legend: r.legend, Font: s.Font}
}

// export writes the file of an export.
func (r *networkRender) export(o *network.Output) error {
	ctx := r.cmd.Context()
	e := documents.BeginExport(r.still, o, r.sheet, r.shotOf(r.sheet))
	defer e.Rest()
	if _, err := e.Compute(ctx, 0); err != nil {
		return err
	}
	return r.w.Write(r.path(o), func(w io.Writer) error { return e.Write(ctx, w) })
}

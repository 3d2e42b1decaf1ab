package draw

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/traces"
	"whorl/internal/files"
	"whorl/internal/nearest"
	"whorl/tracer/derive/spawntree"
	"whorl/tracer/open"
	"whorl/visual/documents"
	"whorl/visual/glyph"
	"whorl/visual/network/filter"
	"whorl/visual/scene"
	"whorl/visual/sheet"
	"whorl/visual/view"
	"whorl/visual/view/page"
	"whorl/visual/view/selector"
	"whorl/visual/views"
	"whorl/visual/views/comparison"
	"whorl/visual/workspace"
)

// A render holds the flags of the command render, and its writers.
type render struct {
	view, network           string
	out, size, font, legend string
	notes, against          string
	selected, filter        string
	color, palette, ground  string
	set                     []string
	until                   command.Moment
	window                  command.Interval
	camera                  cameraFlag
	detail                  linesFlag
	reading                 *traces.Reading
	memory                  *memoryLimit

	cmd    *cobra.Command
	w      *files.Writer
	sheet  sheet.Sheet
	glyphs *glyph.Set
}

func newRender() *cobra.Command {
	r := &render{}
	cmd := &cobra.Command{
		Use:   "render TRACE... --view VIEW -o FILE | WORKSPACE.toml -o FILE | --network NETWORK.toml [TRACE...] [-o OUT]",
		Short: "Draw a trace",
		Long: `Draw a trace in one of the views, with title, legend and the numbers of the run, as SVG, PNG or PDF by the ending of FILE; - writes
SVG to standard output. With a size in mm, as papers ask for, the font has a size in points, and a PNG has 300 pixels to the inch. --notes takes
the notes that were written in the viewer from the workspace that was saved there. --select marks a part of the trace in the
picture (docs/query.md has the expressions), and --window sets the time in which views count.

With --max-memory the kaleidoscope, the timeline, the utilisation, the measures and the source draw a trace that is larger than memory. The
kaleidoscope condenses the tree while it reads the trace, so that the picture is the same within a pixel; it reads the trace twice if the tree
has more levels than the picture has circles. The timeline and the utilisation read the states of the PEs without their steps. The measures
leave out the tasks and the span. The source counts reductions by clause alone. Without --max-memory these views do so for traces that would
take more than a quarter of the memory of the machine. Where a limit does not suffice, the exit status is 3, and the message names a limit that
is enough. For another view it names the views that condense.

--filter draws only the part of the trace that an expression selects, with the ancestors of its tasks; --select draws all and marks what is selected.

The view comparison draws one table of the numbers of several traces. A workspace that was saved in the viewer is drawn as a
whole: all panes in their arrangement, with titles and legends.

` + networkHelp + "\n\n" + traces.Help + "\n\n" + paramsHelp(views.All),
		Example: `  whorl render pascal.whorl --view kaleidoscope -o pascal.svg
  whorl render pascal.whorl --view kaleidoscope --color time --size 1600x1600 -o pascal.png
  whorl render pascal.whorl --view utilisation --size 85x60mm --font 7pt --legend below -o pascal.pdf
  whorl render pascal.whorl --view kaleidoscope --notes workspace.toml -o pascal.png
  whorl render pascal.whorl --view timeline --select 'pe in 3..7 and time > 20us' --window 1ms..2ms -o big.svg
  whorl render pascal.whorl --view kaleidoscope --filter 'pe in 0..1' -o two.svg
  whorl render late.whorl --view halo --against even.whorl -o halo.png
  whorl render eight.whorl --view timeline --against four.whorl -o both.png
  whorl render one.whorl pascal.whorl --view comparison -o numbers.svg
  whorl render workspace.toml --size 175x110mm --font 6pt -o workspace.pdf
  whorl render --network examples/modules/perfviss.toml jacobi.whorl -o perfviss.png`,
		Args: func(cmd *cobra.Command, args []string) error {
			if r.network != "" {
				return nil
			}
			return command.AtLeast("a trace")(cmd, args)
		},
		PreRun: func(cmd *cobra.Command, _ []string) { r.memory.watch(cmd) },
		RunE: command.Interruptible(func(cmd *cobra.Command, args []string, w *files.Writer) (err error) {
			r.cmd, r.w = cmd, w
			if r.sheet, err = sheet.Parse(r.size, r.font); err != nil {
				return err
			}
			if !slices.Contains(page.LegendPlaces, r.legend) {
				return nearest.Unknown("place of the legend", r.legend, page.LegendPlaces)
			}
			switch {
			case r.network != "":
				return (&networkRender{render: r}).draw(args)
			case len(args) == 1 && documents.IsWorkspace(args[0]):
				return r.workspace(args[0])
			}
			return r.trace(args)
		}),
	}
	f := cmd.Flags()
	r.reading = traces.Flags(cmd)
	r.partFlags(cmd)
	f.StringVar(&r.network, "network", "", "network of modules to draw instead of a view, `FILE`.toml")
	f.StringVarP(&r.out, "output", "o", "", "picture to write, `FILE`.svg, FILE.png, FILE.pdf, or - for SVG on standard output")
	f.StringVar(&r.size, "size", "1200x900", "`width` x height of the picture in pixels, or in millimetres, as in 85x60mm")
	f.StringVar(&r.font, "font", "", "`size` of the font in points if that of the picture is in mm (default 8pt)")
	f.StringVar(&r.ground, "background", "", "`background` of the picture: light or dark")
	f.StringVar(&r.against, "against", "", "another `TRACE` to compare with: colours show the differences, or with --set against=none and in other views, both stand side by side")
	f.Var(&r.until, "until", "draw the run until this `time` after its beginning, as in 1.5ms (default the end, for bodies the middle)")
	f.Var(&r.detail, "detail", "`LINES` of the program that are shown one by one, or outlined in the overview, as in lu.hpf:10..60")
	f.StringVar(&r.legend, "legend", page.LegendBeside, "`place` of the title and the legend: beside (or below, where that leaves a larger picture), below with the colours alone, inside where nothing is drawn at the right or the left, or none")
	f.StringVar(&r.notes, "notes", "", "workspace saved by the viewer, `FILE`.toml, with notes to draw")
	r.memory = memoryFlag(cmd)
	f.StringArrayVar(&r.set, "set", nil, "any other parameter of the view: `NAME=VALUE`")
	command.Complete(cmd, "view", ViewNames(nil))
	return cmd
}

// partFlags adds the flags for a view, its colours, and the part of the trace and of the picture that it shows.
func (r *render) partFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&r.view, "view", "", "`view` to draw (whorl list views)")
	f.StringVar(&r.color, "color", "", "`quantity` that the colours show, a parameter of the view")
	f.StringVar(&r.palette, "palette", "", "colour `scheme`")
	f.StringVar(&r.filter, "filter", "", "`EXPRESSION` that selects what is shown at all, as in 'pe in 3..7'")
	f.StringVar(&r.selected, "select", "", "`EXPRESSION` that selects what is marked, as in 'pe in 3..7 and procedure ~ /^big/'")
	f.Var(&r.window, "window", "time window, after the beginning of the run, as in 1ms..2.5ms: views count only what is in it, or dim the rest")
	f.Var(&r.camera, "camera", "`CAMERA` of a pane of the viewer, which copies it with the command: X,Y,SCALE@WIDTHxHEIGHT")
}

// trace draws the trace in some files, or for a view of several runs the traces.
func (r *render) trace(paths []string) error {
	kind, err := FindView(r.view)
	if err != nil {
		return err
	}
	if err := command.CheckScopes(r.cmd, renderScopes, kind); err != nil {
		return err
	}
	params, err := r.params(kind)
	if err != nil {
		return err
	}
	besides := r.against != "" && params[view.Against] != view.AgainstTrace && !kind.Group
	if besides {
		if err := command.CheckScopes(r.cmd, againstScopes, true); err != nil {
			return err
		}
	}
	if err := checkOutput(r.out); err != nil {
		return err
	}
	defer debug.SetGCPercent(debug.SetGCPercent(25)) // arrays of numbers take most of the memory and make collections cheap
	d := &Drawing{Params: params, W: r.sheet.W, H: r.sheet.H}
	if kind.Group {
		if r.against != "" {
			paths = append(paths, r.against)
		}
		if d.group, err = r.measure(paths); err != nil {
			return err
		}
		paths = paths[:1]
	}
	if d.Trace, err = r.reading.OpenWhole(r.cmd, paths...); err != nil {
		return err
	}
	defer d.Trace.Close()
	if besides {
		if d.Trace, err = r.part(d.Trace); err != nil {
			return err
		}
		list, err := r.sideBySide(kind, d.Trace, paths[0], params)
		if err != nil {
			return err
		}
		return r.write(r.out, r.sheet, list)
	}
	if d.Shot, err = r.shot(d.Trace, paths[0]); err != nil {
		return err
	}
	if d.Trace, err = r.part(d.Trace); err != nil {
		return err
	}
	if d.Kind, err = r.memory.fit(kind, d.Trace, r.out, d.W, d.H, params); err != nil {
		return err
	}
	if r.against != "" && !kind.Group {
		other, err := r.reading.OpenWhole(r.cmd, r.against)
		if err != nil {
			return err
		}
		defer other.Close()
		if other, err = r.part(other); err != nil {
			return err
		}
		if err := kind.CanOpen(other); err != nil {
			return command.InFile(r.against, err)
		}
		d.other, d.otherName = other, runName(r.against)
	}
	r.glyphs = glyph.New()
	still, err := d.Make(r.cmd.Context(), r.glyphs)
	if lack := (*spawntree.MemoryError)(nil); errors.As(err, &lack) {
		return r.memory.lacks(err.Error(), lack.Enough)
	} else if err != nil {
		return err
	}
	for _, n := range still.Unplaced() {
		fmt.Fprintf(r.cmd.ErrOrStderr(), "whorl: the note at task %d has no place in the picture: %s\n", n.Task, n.Text)
	}
	return r.write(r.out, r.sheet, still.List)
}

// part returns the part of a trace that the filter selects, which lives as long as the trace.
func (r *render) part(trace *open.Trace) (*open.Trace, error) {
	if r.filter == "" {
		return trace, nil
	}
	part, err := filter.Part(trace, r.filter, nil)
	if err != nil {
		return trace, fmt.Errorf("--filter: %w", err)
	}
	return &open.Trace{StreamSource: part, Path: trace.Path, Missing: trace.Missing}, nil
}

// write writes a picture to a file.
func (r *render) write(out string, page sheet.Sheet, list *scene.List) error {
	return WritePicture(r.cmd, r.w, out, page, list, r.glyphs)
}

// params returns the parameters of the view that the flags set.
func (r *render) params(kind *view.Kind) (map[string]string, error) {
	params := map[string]string{}
	for _, p := range []struct{ flag, value string }{{"color", r.color}, {"palette", r.palette}, {"background", r.ground}} {
		if r.cmd.Flags().Changed(p.flag) {
			params[p.flag] = p.value
		}
	}
	apart := slices.Contains(r.set, view.Against+"="+view.AgainstNone)
	if r.against != "" && shows(kind, view.Against) && !apart {
		params[view.Against] = view.AgainstTrace
	}
	return params, SetParams(params, r.set)
}

// shot returns what the picture of the trace in a file shows of it.
func (r *render) shot(trace *open.Trace, path string) (shot page.Shot, err error) {
	shot = page.Shot{Legend: r.legend, Font: r.sheet.Font, Camera: r.camera.camera, Area: r.camera.area}
	if r.notes != "" {
		text, err := files.ReadText(r.notes, maxWorkspace)
		if err != nil {
			return shot, err
		}
		if shot.Shared.Annotations, shot.Trace, err = workspace.Notes(text, r.notes, path); err != nil {
			return shot, err
		}
	}
	from, _ := trace.Span()
	shot.Shared.Until, shot.Shared.Detail = r.until.Time(from), r.detail.lines
	if first, last, ok := r.window.Times(from); ok {
		shot.Shared.Window = &view.Span{First: first, Last: last}
	}
	shot.Shared.Selection, err = selector.New(shot.Trace, trace, nil).Select(r.selected)
	return shot, err
}

// measure measures the traces of a view of several runs.
func (r *render) measure(paths []string) (*comparison.Group, error) {
	group := &comparison.Group{}
	for _, path := range paths {
		trace, err := r.reading.OpenWhole(r.cmd, path)
		if err != nil {
			return nil, err
		}
		part, err := r.part(trace)
		var run comparison.Run
		if err == nil {
			run, err = comparison.Measure(runName(path), part)
		}
		trace.Close()
		if err != nil {
			return nil, command.InFile(path, err)
		}
		group.Runs = append(group.Runs, run)
	}
	return group, nil
}

// runName returns the name of the run whose trace is in a file.
func runName(path string) string { return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) }

// checkOutput returns an error, before anything is read, for a missing or a wrong file to write.
func checkOutput(out string) error {
	if out == "" {
		return errors.New("render needs a file to write: -o FILE.svg, -o FILE.png or -o FILE.pdf")
	}
	if out == "-" {
		return nil
	}
	return CheckPicture(out)
}

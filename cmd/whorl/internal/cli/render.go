package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/traces"
	"whorl/experiment"
	"whorl/internal/files"
	"whorl/internal/nearest"
	"whorl/tracer/derive/spawntree"
	"whorl/tracer/open"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/sheet"
	"whorl/visual/view"
	"whorl/visual/view/contexts"
	"whorl/visual/view/selector"
	"whorl/visual/views"
	"whorl/visual/views/comparison"
	"whorl/visual/workspace"
)

func newRender() *cobra.Command {
	var name, out, size, font, notes, against, legend, selected, network string
	var set []string
	var until command.Moment
	var window command.Interval
	var camera cameraFlag
	var detail linesFlag
	var reading *traces.Reading
	var memory *memoryLimit
	own := map[string]*string{"color": new(string), "palette": new(string), "background": new(string)}
	cmd := &cobra.Command{
		Use:   "render TRACE... --view VIEW -o FILE | WORKSPACE.toml -o FILE | --network NETWORK.toml [TRACE...] [-o OUT]",
		Short: "Draw a trace",
		Long: `Draw a trace in one of the views, with title, legend and the numbers of the run, as SVG, PNG or PDF by the ending of FILE; - writes
SVG to standard output. With a size in mm, as papers ask for, the font has a size in points, and a PNG has 300 pixels to the inch. --notes takes
the notes that were written in the viewer from the workspace that was saved there. --select marks a part of the trace in the
picture (docs/query.md has the expressions), and --window sets the time in which views count.

With --max-memory the kaleidoscope, the timeline, the utilisation and the measures draw a trace that is larger than memory. The kaleidoscope
condenses the tree while it reads the trace, so that the picture is the same within a pixel; it reads the trace twice if the tree has more
levels than the picture has circles. The timeline and the utilisation read the states of the PEs without their steps. The measures leave out
the tasks and the span. Without --max-memory these views do so for traces that would take more than a quarter of the memory of the machine.
Where a limit does not suffice, the exit status is 3, and the message names a limit that is enough. For another view it names the views that
condense.

The view comparison draws one table of the numbers of several traces. A workspace that was saved in the viewer is drawn as a
whole: all panes in their arrangement, with titles and legends.

` + networkHelp + "\n\n" + traces.Help + "\n\n" + paramsHelp(views.All),
		Example: `  whorl render pascal.whorl --view kaleidoscope -o pascal.svg
  whorl render pascal.whorl --view kaleidoscope --color time --size 1600x1600 -o pascal.png
  whorl render pascal.whorl --view utilisation --size 85x60mm --font 7pt --legend below -o pascal.pdf
  whorl render pascal.whorl --view kaleidoscope --notes workspace.toml -o pascal.png
  whorl render pascal.whorl --view timeline --select 'pe in 3..7 and time > 20us' --window 1ms..2ms -o big.svg
  whorl render late.whorl --view halo --against even.whorl -o halo.png
  whorl render one.whorl pascal.whorl --view comparison -o numbers.svg
  whorl render workspace.toml --size 175x110mm --font 6pt -o workspace.pdf
  whorl render --network examples/modules/perfviss.toml jacobi.whorl -o perfviss.png`,
		Args: func(cmd *cobra.Command, args []string) error {
			if network != "" {
				return nil
			}
			return command.AtLeast("a trace")(cmd, args)
		},
		PreRun: func(cmd *cobra.Command, _ []string) { memory.watch(cmd) },
		RunE: command.Interruptible(func(cmd *cobra.Command, args []string, w *files.Writer) error {
			page, err := sheet.Parse(size, font)
			if err != nil {
				return err
			}
			if !slices.Contains(view.LegendPlaces, legend) {
				return nearest.Unknown("place of the legend", legend, view.LegendPlaces)
			}
			if network != "" {
				if err := command.CheckScopes(cmd, networkScopes, name == ""); err != nil {
					return err
				}
				r := &networkRender{cmd: cmd, w: w, file: network, out: out, sheet: page, reading: reading, glyphs: glyph.New()}
				r.shot.Legend, r.shot.Font = legend, page.Font
				return r.render(args)
			}
			if len(args) == 1 && traces.IsWorkspace(args[0]) {
				if err := command.CheckScopes(cmd, workspaceScopes, true); err != nil {
					return err
				}
				if err := checkOutput(out); err != nil {
					return err
				}
				if ground := *own["background"]; ground != "" {
					if _, err := view.Background.Parse(ground); err != nil {
						return err
					}
				}
				return renderWorkspace(cmd, w, args[0], out, page, *own["background"], legend)
			}
			kind, err := findView(name)
			if err != nil {
				return err
			}
			if err := command.CheckScopes(cmd, renderScopes, kind); err != nil {
				return err
			}
			if err := checkOutput(out); err != nil {
				return err
			}
			params := map[string]string{}
			for flag, value := range own {
				if cmd.Flags().Changed(flag) {
					params[flag] = *value
				}
			}
			if against != "" {
				params[contexts.Against.Name] = contexts.AgainstTrace
			}
			if err := setParams(params, set); err != nil {
				return err
			}
			defer debug.SetGCPercent(debug.SetGCPercent(25)) // arrays of numbers take most of the memory and make collections cheap
			group, args, err := openGroup(cmd, kind, args, reading)
			if err != nil {
				return err
			}
			trace, err := reading.OpenWhole(cmd, args...)
			if err != nil {
				return err
			}
			defer trace.Close()
			if kind, err = memory.fit(kind, trace, out, page.W, page.H, params); err != nil {
				return err
			}
			shot, err := readNotes(notes, args[0])
			if err != nil {
				return err
			}
			shot.Legend, shot.Font = legend, page.Font
			beside, err := openBeside(cmd, against, reading)
			if err != nil {
				return err
			}
			from, _ := trace.Span()
			if at := until.Time(from); at != nil {
				shot.Shared.Until = at
			}
			if first, last, ok := window.Times(from); ok {
				shot.Shared.Window = &view.Span{First: first, Last: last}
			}
			if shot.Shared.Selection, err = selector.New(shot.Trace, trace, nil).Select(selected); err != nil {
				return err
			}
			shot.Camera, shot.Area, shot.Shared.Detail = camera.camera, camera.area, detail.lines
			glyphs := glyph.New()
			list, missing, err := draw(cmd.Context(), kind, trace, beside, group, params, page.W, page.H, shot, glyphs)
			if lack := (*spawntree.MemoryError)(nil); errors.As(err, &lack) {
				return memory.lacks(err.Error(), lack.Enough)
			} else if err != nil {
				return err
			}
			for _, n := range missing {
				fmt.Fprintf(cmd.ErrOrStderr(), "whorl: the note at task %d has no place in the picture: %s\n", n.Task, n.Text)
			}
			return writePicture(cmd, w, out, page, list, glyphs)
		}),
	}
	f := cmd.Flags()
	reading = traces.Flags(cmd)
	f.StringVar(&name, "view", "", "`view` to draw (whorl list views)")
	f.StringVar(&network, "network", "", "network of modules to draw instead of a view, `FILE`.toml")
	f.StringVarP(&out, "output", "o", "", "picture to write, `FILE`.svg, FILE.png, FILE.pdf, or - for SVG on standard output")
	f.StringVar(&size, "size", "1200x900", "`width` x height of the picture in pixels, or in millimetres, as in 85x60mm")
	f.StringVar(&font, "font", "", "`size` of the font in points if that of the picture is in mm (default 8pt)")
	f.StringVar(own["color"], "color", "", "`quantity` that the colours show, a parameter of the view")
	f.StringVar(own["palette"], "palette", "", "colour `scheme`")
	f.StringVar(own["background"], "background", "", "`background` of the picture: light or dark")
	f.StringVar(&against, "against", "", "another `TRACE` to compare with: colours show how the calling contexts differ")
	f.Var(&until, "until", "draw the run until this `time` after its beginning, as in 1.5ms (default the end, for bodies the middle)")
	f.Var(&window, "window", "time window, after the beginning of the run, as in 1ms..2.5ms: views count only what is in it, or dim the rest")
	f.StringVar(&selected, "select", "", "`EXPRESSION` that selects what is marked, as in 'pe in 3..7 and procedure ~ /^big/'")
	f.Var(&detail, "detail", "`LINES` of the program that are shown one by one, as in lu.hpf:10..60")
	f.Var(&camera, "camera", "`CAMERA` of a pane of the viewer, which copies it with the command: X,Y,SCALE@WIDTHxHEIGHT")
	f.StringVar(&legend, "legend", view.LegendBeside, "`place` of the title and the legend: beside (or below, where that leaves a larger picture), below with the colours alone, inside where nothing is drawn at the right or the left, or none")
	f.StringVar(&notes, "notes", "", "workspace saved by the viewer, `FILE`.toml, with notes to draw")
	memory = memoryFlag(cmd)
	f.StringArrayVar(&set, "set", nil, "any other parameter of the view: `NAME=VALUE`")
	command.Complete(cmd, "view", viewNames(nil))
	return cmd
}

// checkOutput returns an error, before anything is read, for a missing or a wrong file to write.
func checkOutput(out string) error {
	if out == "" {
		return errors.New("render needs a file to write: -o FILE.svg, -o FILE.png or -o FILE.pdf")
	}
	if out == "-" {
		return nil
	}
	return checkPicture(out)
}

func viewItems() []experiment.Item {
	var items []experiment.Item
	for _, k := range views.All {
		items = append(items, experiment.Item{Name: k.Name, Doc: k.Doc})
	}
	return items
}

// viewNames returns the names of the views that satisfy a condition; nil selects all.
func viewNames(selected func(*view.Kind) bool) (names []string) {
	for _, k := range views.All {
		if selected == nil || selected(k) {
			names = append(names, k.Name)
		}
	}
	return names
}

// setParams adds the parameters of --set. It returns an error for one that has another value already.
func setParams(params map[string]string, set []string) error {
	for _, s := range set {
		key, value, ok := strings.Cut(s, "=")
		if !ok {
			return fmt.Errorf("--set %s: expected NAME=VALUE", nearest.Quote(s))
		}
		if before, set := params[key]; set && before != value {
			return fmt.Errorf("%s is given twice, as %s and %s: choose one", key, nearest.Quote(before), nearest.Quote(value))
		}
		params[key] = value
	}
	return nil
}

// paramsHelp lists the parameters of some views for the help text: those that several views have in the same form once, with the views, then those
// of single views. A line has the key with its default, the label, the explanation and the type.
func paramsHelp(kinds []*view.Kind) string {
	var lines []string
	users := map[string][]string{} // names of views by line
	for _, k := range kinds {
		for _, p := range k.Params {
			line := fmt.Sprintf("%s=%v  %s: %s (%s)", p.Name, p.Default, p.Label, p.Doc, p.Type())
			if users[line] == nil {
				lines = append(lines, line)
			}
			users[line] = append(users[line], k.Name)
		}
	}
	var shared, single strings.Builder
	for _, line := range lines {
		if names := users[line]; len(names) == 1 {
			single.WriteString("\n" + command.Fold("  "+names[0]+" "+line, "      "))
		} else {
			shared.WriteString("\n" + command.Fold("  "+line, "      ") + "\n" + command.Fold("      in "+strings.Join(names, ", "), "         "))
		}
	}
	text := "Parameters of single views:" + single.String()
	if shared.Len() > 0 {
		text = "Parameters of several views:" + shared.String() + "\n\n" + text
	}
	return text
}

func findView(name string) (*view.Kind, error) {
	if name == "" {
		return nil, fmt.Errorf("render needs a view: --view %s", strings.Join(viewNames(nil), ", "))
	}
	for _, k := range views.All {
		if k.Name == name {
			return k, nil
		}
	}
	return nil, &nearest.UnknownError{Kind: "view", Name: name, Known: viewNames(nil), See: "whorl list views"}
}

// maxWorkspace is the longest workspace that is read, in bytes.
const maxWorkspace = 16 << 20

// readNotes reads the notes for the picture of a trace from a workspace. The file "" has no notes.
func readNotes(file, trace string) (shot view.Shot, err error) {
	if file == "" {
		return shot, nil
	}
	text, err := files.ReadText(file, maxWorkspace)
	if err != nil {
		return shot, err
	}
	shot.Shared.Annotations, shot.Trace, err = workspace.Notes(text, file, trace)
	return shot, err
}

// openView opens a trace in a view and sets parameters, which are as users write them.
func openView(kind *view.Kind, trace *open.Trace, params map[string]string, text scene.Measurer) (*view.Opened, error) {
	opened, err := view.Open(kind, trace, text)
	if err != nil {
		return nil, command.InFile(trace.Path, err)
	}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		if err := opened.Set(name, params[name]); err != nil {
			opened.Close()
			return nil, err
		}
	}
	return opened, nil
}

// draw draws a trace and returns the notes without a place in the picture.
func draw(
	ctx context.Context, kind *view.Kind, trace *open.Trace, beside *contexts.Beside, group *comparison.Group, params map[string]string, w, h int, shot view.Shot, text scene.Measurer,
) (list *scene.List, missing []view.Annotation, err error) {
	opened, err := openView(kind, trace, params, text)
	if err != nil {
		return nil, nil, err
	}
	defer opened.Close()
	if beside != nil {
		opened.Data.SetBeside(beside)
	}
	if group != nil {
		opened.Data.SetGroup(group)
	}
	if list, err = opened.Shoot(ctx, w, h, shot); err != nil {
		return nil, nil, command.InFile(trace.Path, err)
	}
	if err := opened.Wrong(); err != nil {
		return nil, nil, command.InFile(trace.Path, err)
	}
	return list, opened.Unplaced(), nil
}

// openGroup measures the traces of a view of several runs, and returns the first of the paths. For other views it returns all paths, which are those of
// one trace.
func openGroup(cmd *cobra.Command, kind *view.Kind, paths []string, reading *traces.Reading) (*comparison.Group, []string, error) {
	if !kind.Group {
		return nil, paths, nil
	}
	group := &comparison.Group{}
	for _, path := range paths {
		trace, err := reading.OpenWhole(cmd, path)
		if err != nil {
			return nil, nil, err
		}
		run, err := comparison.Measure(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), trace)
		trace.Close()
		if err != nil {
			return nil, nil, command.InFile(path, err)
		}
		group.Runs = append(group.Runs, run)
	}
	return group, paths[:1], nil
}

// openBeside reads the trace with which a view of calling contexts compares another one. It returns nil for the path "".
func openBeside(cmd *cobra.Command, path string, reading *traces.Reading) (*contexts.Beside, error) {
	if path == "" {
		return nil, nil
	}
	trace, err := reading.Open(cmd, path)
	if err != nil {
		return nil, err
	}
	defer trace.Close()
	beside, err := contexts.Open(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), trace)
	if err != nil {
		return nil, command.InFile(path, err)
	}
	return beside, nil
}

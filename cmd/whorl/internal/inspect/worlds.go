package inspect

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/draw"
	"whorl/experiment"
	"whorl/internal/files"
	"whorl/tracer/open"
	"whorl/visual/glyph"
	"whorl/visual/space"
	"whorl/visual/space/gltf"
	"whorl/visual/space/vrml"
	"whorl/visual/view"
	"whorl/visual/view/page"
	"whorl/visual/views"
)

// A worldFormat is a format of three-dimensional viewers. convert writes the view bodies in it.
type worldFormat struct {
	name, ext, doc string
	write          func(io.Writer, *space.World) error
	still          bool // without sounds and changing colours
}

var worldFormats = []worldFormat{
	{"gltf", ".glb", "the animation of the view bodies as glTF 2.0, binary", gltf.Write, true},
	{"vrml", ".wrl", "the animation of the view bodies as VRML 2.0, with a clock that stops it", vrml.WriteVRML, false},
	{"x3d", ".x3d", "the animation of the view bodies as X3D in XML, with a clock that stops it", vrml.WriteX3D, false},
}

// findWorld returns the named format, or for "" the one of the file's ending. It returns nil for formats of traces.
func findWorld(path, format string) *worldFormat {
	for i := range worldFormats {
		if f := &worldFormats[i]; format == f.name || format == "" && strings.EqualFold(filepath.Ext(path), f.ext) {
			return f
		}
	}
	return nil
}

func worldNames() []string {
	var names []string
	for _, f := range worldFormats {
		names = append(names, f.name)
	}
	return names
}

// FormatItems lists the formats of traces, of worlds and of schedules.
func FormatItems() []experiment.Item {
	var items []experiment.Item
	for _, f := range open.Formats() {
		items = append(items, experiment.Item{Name: f.Name, Doc: f.Doc + " (" + f.Ext + ")"})
	}
	for _, f := range worldFormats {
		items = append(items, experiment.Item{Name: f.name, Doc: f.doc + ", write only (" + f.ext + ")"})
	}
	return append(items, experiment.Item{Name: goalName, Doc: "the program of processes in GOAL, for LogGOPSim and whorl replay, write only (.goal)"})
}

// A play holds the flags of an animation.
type play struct {
	set    []string
	until  command.Moment
	length time.Duration
	frames int
}

func (p *play) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&p.set, "set", nil, "worlds: parameter of the view bodies, `NAME=VALUE` (whorl help render)")
	f.Var(&p.until, "until", "worlds: show the run until this `time` after its beginning, as in 1.5ms")
	f.DurationVar(&p.length, "length", 20*time.Second, "worlds: `time` that the animation plays")
	f.IntVar(&p.frames, "keys", 201, fmt.Sprintf("worlds: `number` of key frames, 2 to %d", space.MostFrames))
}

// check returns an error for a value out of range.
func (p *play) check() error { return space.Check(p.frames, 1, 0, p.length.Seconds()) }

// exportWorld writes the bodies of a trace, and reports the differences from the view on standard error.
func (p *play) exportWorld(cmd *cobra.Command, w *files.Writer, trace *open.Trace, out string, f *worldFormat) error {
	world, left, err := p.world(cmd.Context(), trace)
	if err != nil {
		return err
	}
	if f.still {
		if len(world.Voices) > 0 {
			left = append(left, f.name+" has no sounds")
		}
		if p.colored() {
			left = append(left, f.name+" has no changing colours: bodies have the colours of their PEs")
		}
	}
	if err := w.Write(out, func(to io.Writer) error { return f.write(to, world) }); err != nil {
		return err
	}
	if len(left) > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "whorl: %s: %s\n", out, strings.Join(left, "; "))
	}
	return nil
}

// colored reports whether bodies change their colour with their activity.
func (p *play) colored() bool {
	by := ""
	for _, s := range p.set {
		if name, value, _ := strings.Cut(s, "="); name == "color" {
			by = value
		}
	}
	return by != "pe"
}

func (p *play) world(ctx context.Context, trace *open.Trace) (*space.World, []string, error) {
	params := map[string]string{}
	if err := draw.SetParams(params, p.set); err != nil {
		return nil, nil, err
	}
	kind := views.All[slices.IndexFunc(views.All, view.Implements[view.Spatial])]
	opened, err := draw.OpenView(kind, trace, params, glyph.New())
	if err != nil {
		return nil, nil, err
	}
	defer opened.Close()
	got, err := opened.Geometry(ctx, 0, page.MinSide)
	if err != nil {
		return nil, nil, command.InFile(trace.Path, err)
	}
	from, _ := trace.Span()
	how := view.Play{Length: p.length.Seconds(), Frames: p.frames, Dark: params[view.Background.Name] == "dark", Until: p.until.Time(from)}
	w, left, err := got.Value.(view.Spatial).World(ctx, how)
	return w, left, command.InFile(trace.Path, err)
}

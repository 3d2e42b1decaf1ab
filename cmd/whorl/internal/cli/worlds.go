package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"whorl/experiment"
	"whorl/internal/files"
	"whorl/tracer/open"
	"whorl/visual/glyph"
	"whorl/visual/space"
	"whorl/visual/space/gltf"
	"whorl/visual/space/vrml"
	"whorl/visual/view"
	"whorl/visual/views/bodies"
)

// A worldFormat is one that convert writes the view bodies in, for programs that show worlds in three dimensions.
type worldFormat struct {
	name, ext, doc string
	write          func(io.Writer, *space.World) error
	still          bool // colours do not change, and nothing is heard
}

var worldFormats = []worldFormat{
	{"gltf", ".glb", "the animation of the view bodies as glTF 2.0, binary", gltf.Write, true},
	{"vrml", ".wrl", "the animation of the view bodies as VRML 2.0, with a clock that stops it", vrml.WriteVRML, false},
	{"x3d", ".x3d", "the animation of the view bodies as X3D in XML, with a clock that stops it", vrml.WriteX3D, false},
}

// findWorld is the format of a file, by its name or, where that is given, by the format's; nil for one that is none of worlds.
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

// formatItems are the formats of traces and of worlds.
func formatItems() []experiment.Item {
	var items []experiment.Item
	for _, f := range open.Formats() {
		items = append(items, experiment.Item{Name: f.Name, Doc: f.Doc + " (" + f.Ext + ")"})
	}
	for _, f := range worldFormats {
		items = append(items, experiment.Item{Name: f.name, Doc: f.doc + ", to be written only (" + f.ext + ")"})
	}
	return items
}

// A play is what is asked for of an animation.
type play struct {
	set    []string
	until  time.Duration
	length time.Duration
	frames int
}

// playFlags are the flags that only worlds have.
var playFlags = []string{"set", "until", "length", "keys"}

func (p *play) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&p.set, "set", nil, "of a world: a parameter of the view bodies, `NAME=VALUE` (whorl help render)")
	f.DurationVar(&p.until, "until", 0, "of a world: what happened until this `time` after the beginning of the run, as in 1.5ms")
	f.DurationVar(&p.length, "length", 20*time.Second, "of a world: how long it plays, a `time`")
	f.IntVar(&p.frames, "keys", 201, fmt.Sprintf("of a world: key frames, a `number` from 2 to %d", space.MostFrames))
}

// check says which flag is given in vain, or which value is out of range.
func (p *play) check(cmd *cobra.Command, out string, f *worldFormat) error {
	for _, name := range playFlags {
		if f == nil && cmd.Flags().Changed(name) {
			return fmt.Errorf("--%s is for worlds (.wrl, .x3d, .glb), and %s is none", name, out)
		}
	}
	if f == nil {
		return nil
	}
	return space.Check(p.frames, 1, 0, p.length.Seconds())
}

// exportWorld writes the bodies of a trace, and says what is not as in the view.
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
			left = append(left, f.name+" has no colours that change: bodies have those of their PEs")
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

// colored says whether bodies are to be coloured by what they do.
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
	opened, err := view.Open(bodies.Kind(), trace, glyph.New())
	if err != nil {
		return nil, nil, inFile(trace.Path, err)
	}
	defer opened.Close()
	params := map[string]string{}
	if err := setParams(params, p.set); err != nil {
		return nil, nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		if err := opened.Set(name, params[name]); err != nil {
			return nil, nil, err
		}
	}
	got, err := opened.Geometry(ctx, 0, view.MinSide)
	if err != nil {
		return nil, nil, inFile(trace.Path, err)
	}
	g, ok := got.Value.(*bodies.Geometry)
	if !ok {
		return nil, nil, errors.New("the view bodies has no bodies")
	}
	how := bodies.Play{Length: p.length.Seconds(), Frames: p.frames, Dark: params[view.Background.Name] == "dark"}
	if p.until > 0 {
		from, _ := trace.Span()
		at := from + int64(p.until)
		how.Until = &at
	}
	w, left, err := g.World(ctx, how)
	return w, left, inFile(trace.Path, err)
}

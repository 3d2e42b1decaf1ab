package draw

import (
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/build"
	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/traces"
	"whorl/internal/files"
	"whorl/internal/nearest"
	"whorl/visual/backend/raster"
	films "whorl/visual/film"
	"whorl/visual/glyph"
	"whorl/visual/sheet"
	"whorl/visual/view"
	"whorl/visual/view/page"
)

// A film holds the flags of the command film. Those that say what a picture shows are those of the command render.
type film struct {
	render
	lasts time.Duration
	rate  int
	plays command.Interval

	w, h   int
	kind   *view.Kind
	params map[string]string
}

func newFilm() *cobra.Command {
	f := &film{}
	cmd := &cobra.Command{
		Use:   "film TRACE... --view VIEW -o FOLDER | FILE.gif",
		Short: "Draw a run as it plays, as numbered pictures or as an animated GIF",
		Long: `Draw a run at equal steps of its time in one of the views, as the viewer plays it. The pictures are numbered PNG files in a folder, which
other programs make films of, or an animated GIF with the 256 colours that the film needs most.

` + traces.Help,
		Example: `  whorl film pascal.whorl --view kaleidoscope -o frames
  whorl film ring.whorl --view bodies --lasts 8s --rate 20 --size 800x600 -o ring.gif
  whorl film pascal.whorl --view timeline --plays 1ms..2ms --legend none -o part.gif`,
		Args: command.AtLeast("a trace"),
		RunE: command.Interruptible(func(cmd *cobra.Command, args []string, w *files.Writer) error {
			f.cmd = cmd
			if err := f.check(); err != nil {
				return err
			}
			trace, err := f.reading.OpenWhole(cmd, args...)
			if err != nil {
				return err
			}
			defer trace.Close()
			shot, err := f.shot(trace, args[0])
			if err != nil {
				return err
			}
			if trace, err = f.part(trace); err != nil {
				return err
			}
			glyphs := glyph.New()
			opened, err := OpenView(f.kind, trace, f.params, glyphs)
			if err != nil {
				return err
			}
			defer opened.Close()
			from, to := trace.Span()
			if first, last, ok := f.plays.Times(from); ok {
				from, to = max(first, from), min(last, to)
			}
			if to <= from {
				return command.InFile(args[0], errors.New("nothing happens in the time that the film plays"))
			}
			line := command.NewProgress(cmd.Context(), cmd.ErrOrStderr())
			defer line.Done()
			draw := func(i int) (*image.RGBA, error) {
				line.Say("%d of %d pictures are drawn", i, f.frames())
				until := films.Time(from, to, i, f.frames())
				shot.Shared.Until = &until
				still, err := page.Shoot(cmd.Context(), opened, f.w, f.h, shot)
				if err != nil {
					return nil, command.InFile(args[0], err)
				}
				return raster.New(glyphs).Picture(still.List, 1), nil
			}
			if strings.HasSuffix(f.out, films.Ending) {
				return f.animate(w, draw)
			}
			return f.number(w, draw)
		}),
	}
	flags := cmd.Flags()
	f.reading = traces.Flags(cmd)
	f.partFlags(cmd)
	flags.StringVarP(&f.out, "output", "o", "", "`FOLDER` for numbered PNG files, or an animated FILE.gif")
	flags.StringVar(&f.size, "size", "1200x900", "`width` x height of the film in pixels")
	flags.DurationVar(&f.lasts, "lasts", 10*time.Second, "`time` that the film lasts")
	flags.IntVar(&f.rate, "rate", 25, "`number` of pictures in a second")
	flags.Var(&f.plays, "plays", "part of the run that the film plays, after its beginning, as in 1ms..2.5ms (default all of it)")
	flags.StringVar(&f.ground, "background", "light", "`background` of the film: light or dark")
	flags.StringVar(&f.legend, "legend", page.LegendBeside, "`place` of the title and the legend: beside, below, inside or none")
	flags.Var(&f.detail, "detail", "`LINES` of the program that are shown one by one, as in lu.hpf:10..60")
	flags.StringArrayVar(&f.set, "set", nil, "a parameter of the view: `NAME=VALUE`")
	command.Complete(cmd, "view", ViewNames(plays))
	return cmd
}

// plays reports whether the pictures of a view change while a run plays.
func plays(k *view.Kind) bool { return !k.Whole }

// frames returns the number of pictures.
func (f *film) frames() int { return films.Pictures(f.lasts, f.rate) }

// check returns an error for wrong flags before anything is read.
func (f *film) check() (err error) {
	if f.kind, err = FindView(f.view); err != nil {
		return err
	}
	if !plays(f.kind) {
		return fmt.Errorf("the view %s shows the whole run at every moment; views that play: %s", f.view, strings.Join(ViewNames(plays), ", "))
	}
	if !slices.Contains(page.LegendPlaces, f.legend) {
		return nearest.Unknown("place of the legend", f.legend, page.LegendPlaces)
	}
	if f.w, f.h, err = sheet.ParseSize(f.size); err != nil {
		return err
	}
	if err := films.CheckRate(f.rate); err != nil {
		return fmt.Errorf("--rate %d: %w", f.rate, err)
	}
	if err := films.CheckTime(f.lasts, f.rate); err != nil {
		return fmt.Errorf("--lasts %v at %d pictures in a second: %w", f.lasts, f.rate, err)
	}
	if _, err := view.Background.Parse(f.ground); err != nil {
		return err
	}
	if f.params, err = f.render.params(f.kind); err != nil {
		return err
	}
	if !slices.ContainsFunc(f.kind.Params, func(p view.Param) bool { return p.Name == view.Background.Name }) {
		delete(f.params, view.Background.Name)
	}
	switch ext := filepath.Ext(f.out); {
	case f.out == "":
		return errors.New("film needs a folder or a file to write: -o FOLDER or -o FILE.gif")
	case ext == films.Ending:
		return files.CheckFolder(f.out)
	case ext != "":
		return fmt.Errorf("%s: a film is written as numbered pictures in a FOLDER or as FILE.gif, not %s", f.out, nearest.Quote(ext))
	case !build.IsFolder(f.out):
		if err := os.MkdirAll(f.out, 0o755); err != nil {
			return files.CannotWrite(f.out, err)
		}
	}
	return nil
}

// number writes the pictures as numbered files, the first as 0001.png.
func (f *film) number(w *files.Writer, draw func(i int) (*image.RGBA, error)) error {
	for i := range f.frames() {
		m, err := draw(i)
		if err != nil {
			return err
		}
		err = w.Write(filepath.Join(f.out, fmt.Sprintf("%04d.png", i+1)), func(w io.Writer) error { return raster.WritePNG(w, m, 0) })
		if err != nil {
			return err
		}
	}
	return nil
}

// animate writes the pictures as a GIF that plays again and again.
func (f *film) animate(w *files.Writer, draw func(i int) (*image.RGBA, error)) error {
	var samples []*image.RGBA
	for _, i := range films.Samples(f.frames()) {
		m, err := draw(i)
		if err != nil {
			return err
		}
		samples = append(samples, m)
	}
	return w.Write(f.out, func(w io.Writer) error {
		g := films.NewGIF(w, f.w, f.h, f.rate, samples)
		for i := range f.frames() {
			m, err := draw(i)
			if err == nil {
				err = g.Add(m)
			}
			if err != nil {
				return err
			}
		}
		return g.Close()
	})
}

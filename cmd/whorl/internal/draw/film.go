package draw

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"maps"
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
	"whorl/visual/glyph"
	"whorl/visual/sheet"
	"whorl/visual/view"
	"whorl/visual/view/page"
)

// A film holds the flags of the command film.
type film struct {
	view, out, size, background, legend string
	set                                 []string
	lasts                               time.Duration
	rate                                int
	plays                               command.Interval

	w, h   int
	kind   *view.Kind
	params map[string]string
}

// Bounds of films.
const (
	mostRate   = 60
	mostFrames = 10_000
	gifEnding  = ".gif"
)

func newFilm() *cobra.Command {
	f := &film{}
	var reading *traces.Reading
	cmd := &cobra.Command{
		Use:   "film TRACE... --view VIEW -o FOLDER | FILE.gif",
		Short: "Draw what plays as numbered pictures or as an animated GIF",
		Long: `Draw a run at equal steps of its time in one of the views, as the viewer plays it. The pictures are numbered PNG files in a folder, which
other programs make films of, or an animated GIF with the 256 colours that the film needs most.

` + traces.Help,
		Example: `  whorl film pascal.whorl --view kaleidoscope -o frames
  whorl film ring.whorl --view bodies --lasts 8s --rate 20 --size 800x600 -o ring.gif
  whorl film pascal.whorl --view timeline --plays 1ms..2ms --legend none -o part.gif`,
		Args: command.AtLeast("a trace"),
		RunE: command.Interruptible(func(cmd *cobra.Command, args []string, w *files.Writer) error {
			if err := f.check(); err != nil {
				return err
			}
			trace, err := reading.OpenWhole(cmd, args...)
			if err != nil {
				return err
			}
			defer trace.Close()
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
				until := from + int64(float64(to-from)*float64(i)/float64(max(f.frames()-1, 1)))
				still, err := page.Shoot(cmd.Context(), opened, f.w, f.h, page.Shot{Shared: view.Shared{Until: &until}, Legend: f.legend})
				if err != nil {
					return nil, command.InFile(args[0], err)
				}
				return raster.New(glyphs).Picture(still.List, 1), nil
			}
			if strings.HasSuffix(f.out, gifEnding) {
				return f.animate(w, draw)
			}
			return f.number(w, draw)
		}),
	}
	flags := cmd.Flags()
	reading = traces.Flags(cmd)
	flags.StringVar(&f.view, "view", "", "`view` to draw (whorl list views)")
	flags.StringVarP(&f.out, "output", "o", "", "`FOLDER` for numbered PNG files, or an animated FILE.gif")
	flags.StringVar(&f.size, "size", "1200x900", "`width` x height of the film in pixels")
	flags.DurationVar(&f.lasts, "lasts", 10*time.Second, "`time` that the film lasts")
	flags.IntVar(&f.rate, "rate", 25, "`number` of pictures in a second")
	flags.Var(&f.plays, "plays", "part of the run that the film plays, after its beginning, as in 1ms..2.5ms (default all of it)")
	flags.StringVar(&f.background, "background", "light", "`background` of the film: light or dark")
	flags.StringVar(&f.legend, "legend", page.LegendBeside, "`place` of the title and the legend: beside, below, inside or none")
	flags.StringArrayVar(&f.set, "set", nil, "a parameter of the view: `NAME=VALUE`")
	command.Complete(cmd, "view", ViewNames(plays))
	return cmd
}

// plays reports whether the pictures of a view change while a run plays.
func plays(k *view.Kind) bool { return !k.Whole }

// frames returns the number of pictures.
func (f *film) frames() int { return max(int(f.lasts.Seconds()*float64(f.rate)+0.5), 1) }

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
	if f.rate < 1 || f.rate > mostRate {
		return fmt.Errorf("--rate %d: expected 1 to %d pictures in a second", f.rate, mostRate)
	}
	if f.lasts <= 0 || f.frames() > mostFrames {
		return fmt.Errorf("--lasts %v at %d pictures in a second: expected 1 to %d pictures", f.lasts, f.rate, mostFrames)
	}
	if _, err := view.Background.Parse(f.background); err != nil {
		return err
	}
	f.params = map[string]string{}
	if slices.ContainsFunc(f.kind.Params, func(p view.Param) bool { return p.Name == view.Background.Name }) {
		f.params[view.Background.Name] = f.background
	}
	if err := SetParams(f.params, f.set); err != nil {
		return err
	}
	switch ext := filepath.Ext(f.out); {
	case f.out == "":
		return errors.New("film needs a folder or a file to write: -o FOLDER or -o FILE.gif")
	case ext == gifEnding:
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
	counts := map[uint16]int{}
	for _, i := range []int{0, f.frames() / 2, f.frames() - 1} {
		m, err := draw(i)
		if err != nil {
			return err
		}
		for p := 0; p < len(m.Pix); p += 4 {
			counts[coarse(m.Pix[p:])]++
		}
	}
	colors := commonest(counts)
	return w.Write(f.out, func(w io.Writer) error {
		indexOf := map[uint16]uint8{}
		g := newAnimation(w, f.w, f.h, colors)
		for i := range f.frames() {
			m, err := draw(i)
			if err != nil {
				return err
			}
			p := image.NewPaletted(m.Rect, colors)
			for k := range p.Pix {
				key := coarse(m.Pix[4*k:])
				index, ok := indexOf[key]
				if !ok {
					index = uint8(colors.Index(fine(key)))
					indexOf[key] = index
				}
				p.Pix[k] = index
			}
			at := func(i int) int { return i * 100 / f.rate } // GIF counts hundredths of a second
			if err := g.add(p, at(i+1)-at(i)); err != nil {
				return err
			}
		}
		return g.close()
	})
}

// coarse returns the first five bits of each part of an opaque colour, the green one with six.
func coarse(pix []uint8) uint16 {
	return uint16(pix[0]>>3)<<11 | uint16(pix[1]>>2)<<5 | uint16(pix[2]>>3)
}

// fine returns the colour of a key of coarse. White and black stay what they are.
func fine(key uint16) color.RGBA {
	r, g, b := uint8(key>>11), uint8(key>>5&63), uint8(key&31)
	return color.RGBA{R: r<<3 | r>>2, G: g<<2 | g>>4, B: b<<3 | b>>2, A: 255}
}

// commonest returns the 256 colours that are counted most often.
func commonest(counts map[uint16]int) color.Palette {
	keys := slices.SortedFunc(maps.Keys(counts), func(a, b uint16) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return int(a) - int(b)
	})
	var out color.Palette
	for _, k := range keys[:min(len(keys), 256)] {
		out = append(out, fine(k))
	}
	return out
}

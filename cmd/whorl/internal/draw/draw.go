// Package draw has the commands that draw traces, and functions for the pictures of other commands: render, film, report, and sonify, which plays
// what the others show.
package draw

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/build"
	"whorl/cmd/whorl/internal/command"
	"whorl/internal/files"
	"whorl/internal/nearest"
	"whorl/tracer/open"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/sheet"
	"whorl/visual/view"
	"whorl/visual/view/page"
	"whorl/visual/views"
	"whorl/visual/views/comparison"
)

// Commands returns the commands of the package.
func Commands() []*cobra.Command {
	return []*cobra.Command{newRender(), newFilm(), newReport(), newSonify()}
}

// ViewNames returns the names of the views that satisfy a condition; nil selects all.
func ViewNames(selected func(*view.Kind) bool) (names []string) {
	for _, k := range views.All {
		if selected == nil || selected(k) {
			names = append(names, k.Name)
		}
	}
	return names
}

func FindView(name string) (*view.Kind, error) {
	if name == "" {
		return nil, fmt.Errorf("render needs a view: --view %s", strings.Join(ViewNames(nil), ", "))
	}
	for _, k := range views.All {
		if k.Name == name {
			return k, nil
		}
	}
	return nil, &nearest.UnknownError{Kind: "view", Name: name, Known: ViewNames(nil), See: "whorl list views"}
}

// OpenView opens a trace in a view and sets parameters, which are as users write them.
func OpenView(kind *view.Kind, trace *open.Trace, params map[string]string, text scene.Measurer) (*view.Opened, error) {
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

// A Drawing is a picture of a trace to be made.
type Drawing struct {
	Kind   *view.Kind
	Trace  *open.Trace
	Params map[string]string // as users write them
	W, H   int               // pixels
	Shot   page.Shot

	other     *open.Trace // the trace of the run to compare with, nil for none
	otherName string
	group     *comparison.Group // nil for none
}

// Make draws the picture.
func (d *Drawing) Make(ctx context.Context, text scene.Measurer) (*page.Still, error) {
	opened, err := OpenView(d.Kind, d.Trace, d.Params, text)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	if d.other != nil {
		opened.Data.Compare(d.otherName, d.other)
	}
	if d.group != nil {
		opened.Data.SetGroup(d.group)
	}
	still, err := page.Shoot(ctx, opened, d.W, d.H, d.Shot)
	if err == nil {
		err = still.Wrong()
	}
	return still, command.InFile(d.Trace.Path, err)
}

// CheckPicture returns an error, before a picture is drawn, for a file whose name has none of sheet.Endings or whose folder does not exist.
func CheckPicture(out string) error {
	const known = "pictures are written as FILE.svg, FILE.png or FILE.pdf"
	if build.IsFolder(out) {
		return fmt.Errorf("%s is a folder: %s", out, known)
	}
	if ext := filepath.Ext(out); !slices.Contains(sheet.Endings, ext) {
		return fmt.Errorf("%s: %s, not %s", out, known, nearest.Quote(ext))
	}
	return files.CheckFolder(out)
}

// WritePicture writes the display list as SVG, PNG or PDF, by the name of the file.
func WritePicture(cmd *cobra.Command, w *files.Writer, out string, s sheet.Sheet, list *scene.List, glyphs *glyph.Set) error {
	if out == "-" {
		return s.Encode(cmd.OutOrStdout(), ".svg", "", list, glyphs)
	}
	return w.Write(out, func(w io.Writer) error { return s.Encode(w, filepath.Ext(out), "", list, glyphs) })
}

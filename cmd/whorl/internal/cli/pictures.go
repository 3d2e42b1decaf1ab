package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/build"
	"whorl/internal/files"
	"whorl/internal/nearest"
	"whorl/visual/backend/pdf"
	"whorl/visual/backend/raster"
	"whorl/visual/backend/svg"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// A sheet is the size of a picture: in pixels, and in millimetres on paper if the user gives these.
type sheet struct {
	w, h          int     // pixels
	width, height float64 // mm, 0 for a picture on the screen
	font          float32 // pixels, 0 if it follows from the size
}

const (
	sheetDPI  = 200 // pixels to the inch of a picture in mm, whose details are no smaller
	paperDPI  = 300 // of such a picture as PNG
	paperFont = 8   // points
	leastFont = 3
	mostFont  = 72
	leastMM   = 20
	mostMM    = 1000
)

// parseSheet reads a size in pixels or, as in 85x60mm, in millimetres with a font in points, as in 8pt.
func parseSheet(size, font string) (s sheet, err error) {
	mm, ok := strings.CutSuffix(size, "mm")
	if !ok {
		if font != "" {
			return s, fmt.Errorf("--font %s is for sizes in mm, as in --size 85x60mm", font)
		}
		s.w, s.h, err = parseSize(size)
		return s, err
	}
	ws, hs, _ := strings.Cut(mm, "x")
	var errW, errH error
	s.width, errW = strconv.ParseFloat(ws, 64)
	s.height, errH = strconv.ParseFloat(hs, 64)
	if errW != nil || errH != nil || !(min(s.width, s.height) >= leastMM) || !(max(s.width, s.height) <= mostMM) {
		return s, fmt.Errorf("size %s: expected WIDTHxHEIGHTmm, each from %d to %d mm, as in 85x60mm", nearest.Quote(size), leastMM, mostMM)
	}
	points := float64(paperFont)
	if font != "" {
		if points, err = strconv.ParseFloat(strings.TrimSuffix(font, "pt"), 64); err != nil || !(points >= leastFont && points <= mostFont) {
			return s, fmt.Errorf("--font %s: expected points from %d to %d, as in 8pt", nearest.Quote(font), leastFont, mostFont)
		}
	}
	s.w, s.h = int(s.width/25.4*sheetDPI+0.5), int(s.height/25.4*sheetDPI+0.5)
	s.font = float32(points / 72 * sheetDPI)
	return s, nil
}

// parseSize reads a width and a height in pixels.
func parseSize(s string) (w, h int, err error) {
	ws, hs, _ := strings.Cut(s, "x")
	w, errW := strconv.Atoi(ws)
	h, errH := strconv.Atoi(hs)
	if errW != nil || errH != nil || w < view.MinSide || h < view.MinSide || w > view.MaxSide || h > view.MaxSide {
		return 0, 0, fmt.Errorf("size %s: expected WIDTHxHEIGHT in pixels, each from %d to %d, as in 1200x900",
			nearest.Quote(s), view.MinSide, view.MaxSide)
	}
	return w, h, nil
}

// pictureEndings are the endings of the files of pictures.
var pictureEndings = []string{".svg", ".png", ".pdf"}

// checkPicture returns an error, before a picture is drawn, for a file whose name has none of pictureEndings or whose folder does not exist.
func checkPicture(out string) error {
	const known = "pictures are written as FILE.svg, FILE.png or FILE.pdf"
	if build.IsFolder(out) {
		return fmt.Errorf("%s is a folder: %s", out, known)
	}
	if ext := filepath.Ext(out); !slices.Contains(pictureEndings, ext) {
		return fmt.Errorf("%s: %s, not %s", out, known, nearest.Quote(ext))
	}
	return files.CheckFolder(out)
}

// writePicture writes the display list as SVG, PNG or PDF, by the name of the file.
func writePicture(cmd *cobra.Command, w *files.Writer, out string, s sheet, list *scene.List, glyphs *glyph.Set) error {
	if out == "-" {
		return s.encode(cmd.OutOrStdout(), ".svg", list, glyphs)
	}
	return w.Write(out, func(w io.Writer) error { return s.encode(w, filepath.Ext(out), list, glyphs) })
}

// encode writes the display list in the format of a file ending.
func (s sheet) encode(w io.Writer, ending string, list *scene.List, glyphs *glyph.Set) error {
	switch ending {
	case ".png":
		if s.width == 0 {
			return raster.WritePNG(w, raster.New(glyphs).Picture(list, 1), 0)
		}
		return raster.WritePNG(w, raster.New(glyphs).Picture(list, float64(paperDPI)/sheetDPI), paperDPI)
	case ".pdf":
		return pdf.Write(w, list, pdf.Options{Width: s.width * 72 / 25.4, Height: s.height * 72 / 25.4, Fonts: glyphs})
	}
	return svg.Write(w, list, svg.Options{Measure: glyphs, Width: s.width, Height: s.height})
}

// Package sheet holds the sizes of pictures in files, in pixels or in millimetres with a font in points, writes display lists of these sizes as SVG, PNG
// and PDF, and composes the pictures of several panes.
package sheet

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"whorl/internal/nearest"
	"whorl/visual/backend/pdf"
	"whorl/visual/backend/raster"
	"whorl/visual/backend/svg"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/view/page"
)

// A Sheet is the size of a picture: in pixels, and in millimetres on paper if the user gives these.
type Sheet struct {
	W, H          int     // pixels
	Width, Height float64 // mm, 0 for a picture on the screen
	Font          float32 // pixels, 0 if it follows from the size
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

// Parse reads a size in pixels or, as in 85x60mm, in millimetres with a font in points, as in 8pt.
func Parse(size, font string) (s Sheet, err error) {
	mm, ok := strings.CutSuffix(size, "mm")
	if !ok {
		if font != "" {
			return s, fmt.Errorf("--font %s is for sizes in mm, as in --size 85x60mm", font)
		}
		s.W, s.H, err = ParseSize(size)
		return s, err
	}
	ws, hs, _ := strings.Cut(mm, "x")
	var errW, errH error
	s.Width, errW = strconv.ParseFloat(ws, 64)
	s.Height, errH = strconv.ParseFloat(hs, 64)
	if errW != nil || errH != nil || !(min(s.Width, s.Height) >= leastMM) || !(max(s.Width, s.Height) <= mostMM) {
		return s, fmt.Errorf("size %s: expected WIDTHxHEIGHTmm, each from %d to %d mm, as in 85x60mm", nearest.Quote(size), leastMM, mostMM)
	}
	points := float64(paperFont)
	if font != "" {
		if points, err = strconv.ParseFloat(strings.TrimSuffix(font, "pt"), 64); err != nil || !(points >= leastFont && points <= mostFont) {
			return s, fmt.Errorf("--font %s: expected points from %d to %d, as in 8pt", nearest.Quote(font), leastFont, mostFont)
		}
	}
	s.W, s.H = int(s.Width/25.4*sheetDPI+0.5), int(s.Height/25.4*sheetDPI+0.5)
	s.Font = float32(points / 72 * sheetDPI)
	return s, nil
}

// ParseSize reads a width and a height in pixels.
func ParseSize(s string) (w, h int, err error) {
	ws, hs, _ := strings.Cut(s, "x")
	w, errW := strconv.Atoi(ws)
	h, errH := strconv.Atoi(hs)
	if errW != nil || errH != nil || w < page.MinSide || h < page.MinSide || w > page.MaxSide || h > page.MaxSide {
		return 0, 0, fmt.Errorf("size %s: expected WIDTHxHEIGHT in pixels, each from %d to %d, as in 1200x900",
			nearest.Quote(s), page.MinSide, page.MaxSide)
	}
	return w, h, nil
}

// Endings are the endings of the files of pictures.
var Endings = []string{".svg", ".png", ".pdf"}

// Dots returns the size in pixels of a file with an ending: a PNG in mm has more than the display list.
func (s Sheet) Dots(ending string) (w, h int) {
	if ending == ".png" && s.Width > 0 {
		return (s.W*paperDPI + sheetDPI/2) / sheetDPI, (s.H*paperDPI + sheetDPI/2) / sheetDPI
	}
	return s.W, s.H
}

// Encode writes the display list in the format of a file ending. title names an SVG picture.
func (s Sheet) Encode(w io.Writer, ending, title string, list *scene.List, glyphs *glyph.Set) error {
	switch ending {
	case ".png":
		if s.Width == 0 {
			return raster.WritePNG(w, raster.New(glyphs).Picture(list, 1), 0)
		}
		return raster.WritePNG(w, raster.New(glyphs).Picture(list, float64(paperDPI)/sheetDPI), paperDPI)
	case ".pdf":
		return pdf.Write(w, list, pdf.Options{Width: s.Width * 72 / 25.4, Height: s.Height * 72 / 25.4, Fonts: glyphs})
	}
	return svg.Write(w, list, svg.Options{Measure: glyphs, Title: title, Width: s.Width, Height: s.Height})
}

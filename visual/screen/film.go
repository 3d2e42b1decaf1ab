//go:build !js

package screen

import (
	"image"
	"io"

	"whorl/visual/app/export"
	"whorl/visual/film"
)

// NewFilm returns a function that begins an animated GIF.
func NewFilm() export.NewFilm {
	return func(w io.Writer, width, height, rate int, samples []*image.RGBA) export.Film {
		return film.NewGIF(w, width, height, rate, samples)
	}
}

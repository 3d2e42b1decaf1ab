package raster

import (
	"image"
	"image/png"
	"io"
)

// WritePNG writes an image as PNG. The middle compression level is used: on drawings it is within
// a few percent of the best one at a third of its time.
func WritePNG(w io.Writer, img *image.RGBA) error {
	e := png.Encoder{CompressionLevel: png.DefaultCompression}
	return e.Encode(w, img)
}

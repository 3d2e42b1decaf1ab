package svg

import (
	"bytes"
	"encoding/base64"
	"image/png"

	"whorl/visual/scene"
)

// image writes a picture as an embedded PNG.
func (d *document) image(o *scene.Op) {
	if d.opt.Images == nil || !o.Finite() {
		return
	}
	img := d.opt.Images(o.Image())
	if img == nil || img.Rect.Empty() {
		return
	}
	var buf bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestCompression}
	if err := e.Encode(&buf, img); err != nil {
		if d.err == nil {
			d.err = err
		}
		return
	}
	fx0, fy0, fx1, fy1 := o.Rect()
	x0, y0, x1, y1 := coord(min(fx0, fx1)), coord(min(fy0, fy1)), coord(max(fx0, fx1)), coord(max(fy0, fy1))
	d.text("<image")
	d.attr("x", x0)
	d.attr("y", y0)
	d.attr("width", x1-x0)
	d.attr("height", y1-y0)
	d.text(` preserveAspectRatio="none"`)
	if x1-x0 > img.Rect.Dx()*100 {
		d.text(` style="image-rendering:pixelated"`)
	}
	d.text(` href="data:image/png;base64,`)
	d.b = base64.StdEncoding.AppendEncode(d.b, buf.Bytes())
	d.text("\"/>\n")
}

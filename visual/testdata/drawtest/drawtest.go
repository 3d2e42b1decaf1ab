// Package drawtest draws traces for tests.
package drawtest

import (
	"context"
	"maps"
	"slices"

	"whorl/tracer"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/page"
)

// Render draws a trace in a view. params holds values as users write them; other parameters have their defaults.
func Render(ctx context.Context, k *view.Kind, src tracer.Source, params map[string]string, w, h int, text scene.Measurer) (*scene.List, error) {
	o, err := view.Open(k, src, text)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	for _, name := range slices.Sorted(maps.Keys(params)) {
		if err := o.Set(name, params[name]); err != nil {
			return nil, err
		}
	}
	still, err := page.Shoot(ctx, o, w, h, page.Shot{})
	if err != nil {
		return nil, err
	}
	return still.List, nil
}

// Locate returns the rectangles of a picture that show the selected things, in pixels, or nil if it is not Linked.
func Locate(p view.Picture, f *view.Frame, s view.Selection) []scene.Rect {
	if l, ok := p.(view.Linked); ok {
		return l.Locate(f, s)
	}
	return nil
}

// Boxes returns the area of a rectangle, or of a polygon whose sides are parallel to the axes: the parts of its columns, from the left.
func Boxes(o scene.Op) (all []scene.Rect) {
	box := func(x0, y0, x1, y1 float32) {
		all = append(all, scene.Rect{X0: float64(x0), Y0: float64(y0), X1: float64(x1), Y1: float64(y1)})
	}
	switch o.Kind {
	case scene.OpRect:
		box(o.Rect())
	case scene.OpPolygon:
		points, _ := o.Polygon()
		var xs []float32
		for i := 0; i < len(points); i += 2 {
			xs = append(xs, points[i])
		}
		slices.Sort(xs)
		xs = slices.Compact(xs)
		for k := range len(xs) - 1 {
			var ys []float32 // of the horizontal sides over the column
			for i := 0; i < len(points); i += 2 {
				next := (i + 2) % len(points)
				if min(points[i], points[next]) <= xs[k] && xs[k+1] <= max(points[i], points[next]) {
					ys = append(ys, points[i+1])
				}
			}
			slices.Sort(ys)
			for i := 0; i+1 < len(ys); i += 2 {
				box(xs[k], ys[i], xs[k+1], ys[i+1])
			}
		}
	}
	return all
}

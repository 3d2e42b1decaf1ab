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

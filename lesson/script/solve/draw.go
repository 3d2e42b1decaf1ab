package solve

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"whorl/internal/nearest"
	"whorl/lesson"
	"whorl/tracer"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/page"
	"whorl/visual/view/selector"
	"whorl/visual/views"
)

// Draw draws a picture of the lesson with its legend. title is left out of the picture of a series.
func (s *Solution) Draw(ctx context.Context, pic *lesson.Picture, glyphs *glyph.Set) (*scene.List, error) {
	if pic.Series != nil {
		return chart(pic, glyphs), nil
	}
	kind, source, params, err := s.subject(pic)
	if err != nil {
		return nil, err
	}
	opened, err := view.Open(kind, source, glyphs)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	for _, name := range slices.Sorted(maps.Keys(params)) {
		if err := opened.Set(name, params[name]); err != nil {
			return nil, err
		}
	}
	shot := page.Shot{Trace: pic.Run, Legend: page.LegendBelow}
	if pic.Until != 0 {
		shot.Shared.Until = &pic.Until
	}
	shot.Shared.Window = pic.Window
	if pic.Select != "" {
		if shot.Shared.Selection, err = selector.New(pic.Run, source, nil).Select(pic.Select); err != nil {
			return nil, err
		}
	}
	still, err := page.Shoot(ctx, opened, pic.Width, pic.Height, shot)
	if err == nil {
		err = still.Wrong()
	}
	if err != nil {
		return nil, err
	}
	return still.List, nil
}

// The colours of a chart on paper.
var onPaper = lesson.ChartStyle{Text: scene.Hex(0x57606a), Grid: scene.Hex(0xd8dde3), Ideal: scene.Hex(0x57606a), True: scene.Hex(0xb35900)}

// chart draws the chart of a series, with the same axes as the field where learners draw it.
func chart(pic *lesson.Picture, glyphs *glyph.Set) *scene.List {
	out := scene.New(float32(pic.Width), float32(pic.Height))
	all := scene.Rect{X1: float64(pic.Width), Y1: float64(pic.Height)}
	out.Fill(all, scene.Hex(0xffffff))
	lesson.NewChart(pic.Series, all, 1).Draw(out, glyphs, 1, &onPaper, nil, true)
	return out
}

// subject returns the view of a picture, its trace, and the view's parameters.
func (s *Solution) subject(pic *lesson.Picture) (*view.Kind, tracer.Source, map[string]string, error) {
	made := s.Made[pic.Run]
	if made == nil {
		return nil, nil, nil, fmt.Errorf("the lesson has no run %s", pic.Run)
	}
	var known []string
	for _, k := range views.All {
		if k.Name == pic.View {
			return k, made.Trace, pic.Params, nil
		}
		known = append(known, k.Name)
	}
	return nil, nil, nil, nearest.Unknown("view", pic.View, known)
}

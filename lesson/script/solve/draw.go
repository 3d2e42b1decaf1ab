package solve

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"whorl/internal/nearest"
	"whorl/lesson"
	"whorl/tracer"
	"whorl/tracer/formats/table"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/page"
	"whorl/visual/view/selector"
	"whorl/visual/views"
	"whorl/visual/views/sweep"
)

// Draw draws a picture of the lesson with its legend. title is left out of the picture of a series.
func (s *Solution) Draw(ctx context.Context, pic *lesson.Picture, glyphs *glyph.Set) (*scene.List, error) {
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

// subject returns the view of a picture, what it shows, and the view's parameters.
func (s *Solution) subject(pic *lesson.Picture) (*view.Kind, tracer.Source, map[string]string, error) {
	if pic.Series != nil {
		m := tracer.NewMemory()
		if err := table.Read(strings.NewReader(pic.Series.Table()), m, pic.Series.Y); err != nil {
			return nil, nil, nil, err
		}
		return sweep.Kind(), m, pic.Series.Params(), m.Close()
	}
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

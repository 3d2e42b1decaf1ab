package app

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"whorl/visual/documents"
	"whorl/visual/scene"
	"whorl/visual/sheet"
	"whorl/visual/workspace"
)

// OpenWorkspace replaces the open workspace by the text of a workspace with the path of its file.
func (a *App) OpenWorkspace(path, text string) (report string, err error) {
	f, err := workspace.Read(text, 1, 1)
	if err != nil {
		return "", err
	}
	a.saving.Open(filepath.Base(path), path, text)
	return f.Report(), nil
}

// The least size of a window whose panes are all computed for a picture, in points.
const (
	stillWidth  = 1600
	stillHeight = 1000
)

// Still steps the viewer until all that it shows is computed, and returns the picture of the whole window. ground is a value of view.Background or "" for
// that of the workspace, legend one of page.LegendPlaces.
func (a *App) Still(ctx context.Context, paper sheet.Sheet, ground, legend string) (*scene.List, error) {
	grow := max(1, stillWidth/float64(paper.W), stillHeight/float64(paper.H))
	in := Input{W: float64(paper.W) * grow, H: float64(paper.H) * grow, Scale: 1}
	for {
		in.Now += 10 * time.Millisecond
		out := a.Step(in)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		live := slices.ContainsFunc(a.model.Docs.All(), func(d *documents.Document) bool { return d.Live != nil && !d.Live.Over })
		if !live && !a.model.Docs.Loading() && (out.Next < 0 || out.Next > in.Now+time.Second) {
			break
		}
		time.Sleep(100 * time.Microsecond)
	}
	if a.model.Root == nil {
		return nil, errors.New("the workspace has no panes")
	}
	return a.export.WholeWindow(paper, ground, legend)
}

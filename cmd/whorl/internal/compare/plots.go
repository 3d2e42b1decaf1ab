package compare

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/draw"
	"whorl/experiment/sweep"
	"whorl/internal/files"
	"whorl/internal/nearest"
	"whorl/tracer/open"
	"whorl/visual/glyph"
	"whorl/visual/sheet"
	"whorl/visual/view"
	"whorl/visual/view/page"
	"whorl/visual/views"
)

// A plot is a picture of the table of a sweep, which the file of the sweep asks for.
type plot struct {
	file   string // in the folder of the sweep
	sheet  sheet.Sheet
	legend string
	params map[string]string // of the view
}

// tableView returns the view of tables.
func tableView() *view.Kind { return view.Opening(views.All, view.Tables) }

// plotsOf reads the plots of a grid, so that mistakes are found before the first run.
func plotsOf(g *sweep.Grid) ([]plot, error) {
	var all []plot
	for i, settings := range g.Plots {
		p, err := plotOf(settings)
		if err == nil && slices.ContainsFunc(all, func(q plot) bool { return q.file == p.file }) {
			err = fmt.Errorf("file: %s is another plot too", nearest.Quote(p.file))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: plot %d: %w", g.Name, i+1, err)
		}
		all = append(all, p)
	}
	return all, nil
}

// columnSettings are the parameters of the view of tables that name columns.
var columnSettings = []string{"x", "y", "value", "color", "panels"}

// plotOf reads the settings of a plot.
func plotOf(settings map[string]string) (p plot, err error) {
	p = plot{legend: page.LegendBeside, params: map[string]string{}}
	size, font := "170x110mm", ""
	known := []string{"file", "size", "font", "legend"}
	for _, q := range tableView().Params {
		known = append(known, q.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		value := settings[name]
		switch name {
		case "file":
			p.file = value
		case "size":
			size = value
		case "font":
			font = value
		case "legend":
			p.legend = value
		default:
			if !slices.Contains(known, name) {
				return p, nearest.Unknown("key", name, known)
			}
			q, _ := tableView().Param(name)
			if _, err := q.Parse(value); err != nil {
				return p, err
			}
			if slices.Contains(columnSettings, name) && value != "" && !slices.Contains(sweep.Columns(), value) {
				return p, fmt.Errorf("%s: %w", name, nearest.Unknown("column", value, sweep.Columns()))
			}
			p.params[name] = value
		}
	}
	switch {
	case p.file == "":
		return p, errors.New(`a plot needs a file, as in file = "scaling.pdf"`)
	case filepath.Base(p.file) != p.file:
		return p, fmt.Errorf("file: %s: expected a name without folders: plots lie in the folder of the sweep", nearest.Quote(p.file))
	case !slices.Contains(page.LegendPlaces, p.legend):
		return p, nearest.Unknown("place of the legend", p.legend, page.LegendPlaces)
	}
	if err := draw.CheckPicture(p.file); err != nil {
		return p, err
	}
	p.sheet, err = sheet.Parse(size, font)
	return p, err
}

// drawPlots draws the table in the folder of a sweep.
func drawPlots(cmd *cobra.Command, folder string, plots []plot) error {
	if len(plots) == 0 {
		return nil
	}
	trace, err := open.File(folder)
	if err != nil {
		return err
	}
	defer trace.Close()
	var w files.Writer
	glyphs := glyph.New()
	for _, p := range plots {
		d := &draw.Drawing{
			Kind: tableView(), Trace: trace, Params: p.params, W: p.sheet.W, H: p.sheet.H, Shot: page.Shot{Legend: p.legend, Font: p.sheet.Font},
		}
		still, err := d.Make(cmd.Context(), glyphs)
		if err == nil {
			err = draw.WritePicture(cmd, &w, filepath.Join(folder, p.file), p.sheet, still.List, glyphs)
		}
		if err != nil {
			return fmt.Errorf("plot %s: %w", p.file, err)
		}
	}
	return nil
}

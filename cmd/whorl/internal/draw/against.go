package draw

import (
	"whorl/cmd/whorl/internal/command"
	"whorl/internal/figures"
	"whorl/tracer/open"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/page"
)

// againstScopes lists the flags of render that have an effect in the picture of two runs side by side.
var againstScopes = []command.Scope[bool]{
	{Flags: []string{"view", "network", "output", "size", "font", "color", "palette", "background", "set", "filter", "window", "until", "detail", "against", "processor", "merge", "binary", "source", "program"}},
	{
		Flags: []string{"legend", "max-memory", "notes", "select", "camera"}, In: func(bool) bool { return false },
		Only: "is for the picture of one run: with --against this picture shows two side by side",
	},
}

// sideBySide draws a trace and the one to compare it with on one scale and with one legend, for a picture that does not show their difference.
func (r *render) sideBySide(kind *view.Kind, trace *open.Trace, path string, params map[string]string) (*scene.List, error) {
	other, err := r.reading.OpenWhole(r.cmd, r.against)
	if err != nil {
		return nil, err
	}
	defer other.Close()
	if other, err = r.part(other); err != nil {
		return nil, err
	}
	table := &page.Table{
		Views: []page.TableView{{Kind: kind, Params: params}}, Dark: params[view.Background.Name] == "dark", Fill: true, Font: r.sheet.Font,
		Title: kind.Title, Subtitle: runName(path) + " beside " + runName(r.against), Rows: []string{""}, Detail: r.detail.lines,
	}
	if scale := page.CommonScale(kind); scale != "" {
		table.Subtitle += ", " + scale
	}
	for i, run := range []*open.Trace{trace, other} {
		name := runName([]string{path, r.against}[i])
		if err := kind.CanOpen(run); err != nil {
			return nil, command.InFile(run.Path, err)
		}
		from, to := run.Span()
		cell := page.TableCell{Source: run, Name: name, Time: to - from, Until: r.until.Time(from)}
		if cell.Time > 0 {
			cell.Caption = figures.Duration(cell.Time)
		}
		if first, last, ok := r.window.Times(from); ok {
			cell.Window = &view.Span{First: first, Last: last}
		}
		table.Cells = append(table.Cells, cell)
		table.Columns = append(table.Columns, name)
	}
	table.Columns[1] += " (reference)"
	r.glyphs = glyph.New()
	return table.Picture(r.cmd.Context(), r.sheet.W, r.sheet.H, r.glyphs)
}

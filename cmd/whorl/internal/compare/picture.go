package compare

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/draw"
	"whorl/experiment"
	"whorl/internal/figures"
	"whorl/internal/files"
	"whorl/tracer"
	"whorl/tracer/report"
	"whorl/tracer/store"
	"whorl/visual/glyph"
	"whorl/visual/sheet"
	"whorl/visual/view"
	"whorl/visual/view/page"
	"whorl/visual/views"
)

// scales lists the values of --scale.
var scales = []string{"shared", "own"}

// A picture holds the flags of the picture of a comparison.
type picture struct {
	out, scale, color, background, size string
	views                               []string

	kinds []*view.Kind // nil for the first of preferred that opens the runs
	w, h  int
}

// preferred lists the views of a picture without --view, the best first. One that opens the runs is drawn.
func preferred() []*view.Kind {
	kinds, _ := view.InSlot(views.All, view.Printed, view.Main)
	return kinds
}

// flags adds the flags of the picture to a command.
func (p *picture) flags(cmd *cobra.Command) {
	p.scale = scales[0]
	f := cmd.Flags()
	f.StringVar(&p.out, "picture", "", "draw the runs side by side in `FILE`.svg, FILE.png or FILE.pdf")
	f.StringSliceVar(&p.views, "view", nil, "picture: `views` to draw, separated by commas (whorl list views; default kaleidoscope or timeline)")
	f.StringVar(&p.scale, "scale", p.scale, "picture: `scale` of time: shared by all rows, or each row on its own")
	f.StringVar(&p.color, "color", "", "picture: `quantity` that the colours of views show, as for render (default time for the kaleidoscope)")
	f.StringVar(&p.background, "background", "", "`background` of the picture: light or dark")
	f.StringVar(&p.size, "size", "", "`width` x height of the picture in pixels (default to fit)")
	command.Complete(cmd, "view", draw.ViewNames(nil))
	command.Complete(cmd, "scale", scales)
}

// check returns an error for wrong flags, and for a grid that has no room, before anything runs.
func (p *picture) check(cmd *cobra.Command, g experiment.Grid) error {
	if p.out == "" {
		return nil
	}
	if err := draw.CheckPicture(p.out); err != nil {
		return err
	}
	if err := command.OneOf("scale", p.scale, scales); err != nil {
		return err
	}
	if cmd.Flags().Changed("view") && len(p.views) == 0 {
		return errors.New("--view is empty; expected views, as in timeline,threadgraph (whorl list views)")
	}
	for i, name := range p.views {
		if slices.Contains(p.views[:i], name) {
			return errors.New("the view " + name + " is listed twice")
		}
		if name == "" {
			return errors.New("--view has an empty name; expected views, as in timeline,threadgraph (whorl list views)")
		}
		k, err := draw.FindView(name)
		if err != nil {
			return err
		}
		p.kinds = append(p.kinds, k)
	}
	if p.background != "" {
		if _, err := view.Background.Parse(p.background); err != nil {
			return err
		}
	}
	if err := p.checkColor(); err != nil || p.size == "" {
		return err
	}
	var err error
	if p.w, p.h, err = sheet.ParseSize(p.size); err != nil {
		return err
	}
	return p.checkRoom(g)
}

// colorParam is the name of the parameter of --color.
const colorParam = "color"

// checkColor returns an error for a quantity that none of the views can show by colours.
func (p *picture) checkColor() (wrong error) {
	if p.color == "" {
		return nil
	}
	kinds := p.kinds
	if kinds == nil {
		kinds = preferred()
	}
	for _, k := range kinds {
		param, err := k.Param(colorParam)
		if err == nil {
			_, err = param.Parse(p.color)
		}
		if err == nil {
			return nil
		}
		wrong = cmp.Or(wrong, err)
	}
	return wrong
}

// checkRoom returns an error for a size that is too small for the pictures of the runs without a legend.
func (p *picture) checkRoom(g experiment.Grid) error {
	kinds := p.kinds
	if kinds == nil {
		kinds = preferred()[:1]
	}
	planned := &report.Comparison{Program: g.Base.Program, Args: g.Base.Args, PEs: g.PEs, Policies: g.Policies}
	return command.InFile(p.out, p.table(kinds, planned, nil).CheckRoom(p.w, p.h, glyph.New()))
}

// params returns the parameters of a view. A quantity is for the views that can show it.
func (p *picture) params(k *view.Kind) map[string]string {
	params := map[string]string{}
	param, err := k.Param(colorParam)
	if err != nil {
		return params
	}
	if _, err := param.Parse(p.color); p.color != "" && err == nil {
		params[colorParam] = p.color
	} else if _, err := param.Parse("time"); p.color == "" && err == nil {
		params[colorParam] = "time" // comparable between runs
	}
	return params
}

// draw writes the runs side by side.
func (p *picture) draw(cmd *cobra.Command, w *files.Writer, c *report.Comparison, traces []*store.Growing) error {
	kinds := p.kinds
	if kinds == nil {
		kinds = preferred()
		if i := slices.IndexFunc(kinds, func(k *view.Kind) bool { return opens(k, traces) == nil }); i >= 0 {
			kinds = kinds[i : i+1]
		}
	}
	for _, k := range kinds {
		if err := opens(k, traces); err != nil {
			return command.InFile(p.out, err)
		}
	}
	glyphs := glyph.New()
	list, err := p.table(kinds, c, traces).Picture(cmd.Context(), p.w, p.h, glyphs)
	if err != nil {
		return command.InFile(p.out, err)
	}
	return draw.WritePicture(cmd, w, p.out, sheet.Sheet{}, list, glyphs)
}

// opens returns nil if a view opens the trace of a run, and otherwise what the first lacks.
func opens(k *view.Kind, traces []*store.Growing) (lacks error) {
	for _, t := range traces {
		if t == nil {
			continue
		}
		err := k.CanOpen(t)
		if err == nil {
			return nil
		}
		lacks = cmp.Or(lacks, err)
	}
	return lacks
}

// table lays out a comparison: columns are numbers of PEs, rows are policies. With several seeds the pictures are of the first.
func (p *picture) table(kinds []*view.Kind, c *report.Comparison, traces []*store.Growing) *page.Table {
	t := &page.Table{
		Dark: p.background == "dark", Own: p.scale == "own", Title: strings.Join(append([]string{c.Program}, c.Args...), " "),
	}
	var titles []string
	for _, k := range kinds {
		params := p.params(k)
		t.Views = append(t.Views, page.TableView{Kind: k, Params: params})
		title := k.Title
		if param, err := k.Param(colorParam); err == nil && params[colorParam] != "" {
			title += " by " + cmp.Or(colorings[params[param.Name]], params[param.Name])
		}
		titles = append(titles, title)
	}
	for _, n := range c.PEs {
		t.Columns = append(t.Columns, figures.Counted(int64(n), "PE"))
	}
	t.Rows = c.Policies
	if len(t.Rows) == 1 {
		t.Rows = []string{""} // a fact below names the policy
	}
	for i := range c.Cells {
		x := &c.Cells[i]
		elapsed := x.Numbers[report.ElapsedTime].Mean
		cell := page.TableCell{Name: x.Name(), Caption: figures.Duration(int64(elapsed + 0.5)), Time: int64(elapsed + 0.5)}
		if s := x.Numbers[report.BestSpeedup]; s.Known {
			cell.Caption += fmt.Sprintf(", speedup %.2f", s.Mean)
		}
		if !x.Done() {
			cell.Caption += ", " + x.Outcome
		}
		if traces[i] != nil {
			cell.Source = traces[i]
			if from, to := traces[i].Span(); c.Seeds > 1 {
				cell.Time = to - from
			}
		}
		t.Cells = append(t.Cells, cell)
	}
	scale := "all on one scale of time"
	if t.Own {
		scale = "each row on its own scale of time"
	}
	clock := "times are those of the simulated machine"
	if c.Mode == tracer.Live {
		clock = "times are real"
	}
	t.Subtitle = strings.Join(titles, ", ") + "; " + scale + "; " + clock
	t.Facts = p.facts(c)
	return t
}

var colorings = map[string]string{"pe": "PE", "petime": "PE and time"}

func (p *picture) facts(c *report.Comparison) []view.Fact {
	var facts []view.Fact
	if len(c.Policies) == 1 && c.Policies[0] != "" {
		facts = append(facts, view.Fact{Label: "Policy", Value: c.Policies[0]})
	}
	facts = append(facts, view.Fact{Label: "Machine", Value: c.Machine}, view.Fact{Label: "Network", Value: c.Network},
		view.Fact{Label: "Seed", Value: strconv.FormatUint(c.Seed, 10)})
	if c.Seeds > 1 {
		facts = append(facts, view.Fact{Label: "Numbers", Value: "means of " + figures.Counted(int64(c.Seeds), "seed")})
	}
	if c.Goal != "" {
		facts = append(facts, view.Fact{Label: "Goal", Value: c.Goal})
	}
	return facts
}

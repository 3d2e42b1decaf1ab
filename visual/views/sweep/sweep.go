// Package sweep draws the table of a sweep: the speedup and the time of runs over their PEs, the mean of a number over two settings, box plots, lines of
// means, scatter plots, and all runs at once on parallel axes. The same pictures serve the viewer and papers. A range that is brushed on a parallel axis
// keeps its runs in all charts.
package sweep

import (
	"whorl/internal/nearest"
	"whorl/tracer"
	"whorl/tracer/derive/table"
	"whorl/visual/flow"
	"whorl/visual/icon"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// The charts.
const (
	scaling   = "scaling"
	heat      = "heat"
	boxes     = "boxes"
	parallel  = "parallel"
	scatter   = "scatter"
	multiples = "multiples"
)

var charts = []string{parallel, scaling, heat, boxes, scatter, multiples}

// Parameters of the view. The empty name of a column lets the chart choose one.
var (
	chartParam  = view.Param{Name: "chart", Label: "Chart", Doc: "the kind of picture", Default: parallel, Choices: charts}
	xParam      = view.Param{Name: "x", Label: "Across", Doc: "the column along the horizontal axis", Default: ""}
	yParam      = view.Param{Name: "y", Label: "Up", Doc: "the column along the vertical axis; of heat maps the second setting", Default: ""}
	valueParam  = view.Param{Name: "value", Label: "Value", Doc: "the number that a heat map shows", Default: ""}
	colorParam  = view.Param{Name: "color", Label: "Colours", Doc: "the setting that the colours show", Default: ""}
	panelsParam = view.Param{Name: "panels", Label: "Panels", Doc: "the setting with a panel for each value", Default: ""}
	keepParam   = view.Param{
		Name: "keep", Label: "Keep", Default: "",
		Doc: "the runs to show, as in pes=2..8;policy=steal|random: ranges of numbers or lists of values of columns",
	}
)

// paletteParam has the colours for any colour vision as its default, since pictures of sweeps go into papers.
func paletteParam() view.Param {
	p := view.Palette
	p.Default = "safe"
	return p
}

// Kind describes the view.
func Kind() *view.Kind {
	return &view.Kind{
		Name:  "sweep",
		Title: "Sweep",
		Doc:   "the table of a sweep as charts: parallel axes, scaling, heat maps, box plots, scatter plots and small multiples",
		Icon:  icon.Chart,
		Positions: []view.Position{
			{In: view.Tables, Slot: view.Main},
		},
		Needs:   []tracer.KindSet{tracer.Kinds(tracer.Counter)},
		Picture: view.Draws(geometryStage),
		Params:  []view.Param{chartParam, xParam, yParam, valueParam, colorParam, panelsParam, keepParam, paletteParam(), view.Background},
		Keys:    keys,
		Whole:   true,
	}
}

var keys = []view.Key{
	{Key: "g", Doc: "switch the geometry: the next chart"},
	{Key: "Enter", Doc: "go into the selection: open its run, as a click on the run does"},
	{Key: "Backspace", Doc: "go back out: keep all runs", Action: view.Action{Do: view.SetParam, Name: keepParam.Name}},
}

var _ interface {
	view.Overlayer
	view.Linked
	view.Responder
	view.Chooser
	view.Doubter
} = (*Geometry)(nil)

// A Geometry is a chart of a table.
type Geometry struct {
	run     *view.Run
	data    *data
	chart   string
	asked   map[string]string // names of columns by parameter, as the user wrote them
	chosen  map[string]string // names of columns by parameter, as drawn
	keep    keep
	wrong   error
	scheme  palette.Scheme
	dark    bool
	styles  styles
	panels  []panel
	across  int // panels beside each other
	axes    []scale
	runs    []mark // lines across the axes
	ramp    *view.Ramp
	rampOf  string
	notes   []string
	subject string
}

var tableStage = flow.Derive("table", "the rows and columns of a table",
	flow.In(view.Trace), nil,
	func(c *flow.Call[*data]) (*data, error) {
		t, err := table.Build(view.Trace.In(c))
		if err != nil {
			return nil, err
		}
		return newData(t), nil
	})

var geometryStage = flow.Derive("sweep", "the chart of a table",
	flow.In(view.RunStage, tableStage),
	flow.Params{
		chartParam.Name, xParam.Name, yParam.Name, valueParam.Name, colorParam.Name, panelsParam.Name, keepParam.Name, view.Palette.Name, view.Background.Name,
	},
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		p := c.Params
		g := &Geometry{
			run: view.RunStage.In(c), data: tableStage.In(c), chart: p.Text(chartParam.Name), dark: p.Text(view.Background.Name) == "dark",
			asked: map[string]string{}, chosen: map[string]string{},
		}
		g.keep, g.wrong = parseKeep(p.Text(keepParam.Name), g.data)
		for _, param := range []view.Param{xParam, yParam, valueParam, colorParam, panelsParam} {
			name := p.Text(param.Name)
			if name != "" && g.data.index(name) < 0 && g.wrong == nil {
				g.wrong = &nearest.UnknownError{Kind: "column", Name: name, Known: g.data.names()}
			}
			g.asked[param.Name] = name
		}
		g.scheme, _ = palette.Named(p.Text(view.Palette.Name))
		g.make()
		return g, nil
	})

// make computes the chart.
func (g *Geometry) make() {
	rows, left := g.keep.rows(g.data)
	if left > 0 {
		g.notes = append(g.notes, leftOut(left))
	}
	switch g.chart {
	case scaling:
		g.makeScaling(rows)
	case heat:
		g.makeHeat(rows)
	case boxes:
		g.makeBoxes(rows)
	case scatter:
		g.makeScatter(rows)
	case multiples:
		g.makeMultiples(rows)
	default:
		g.makeParallel(rows)
	}
}

// column returns the column of a parameter: the one that the user names, or else the first of some names that is not "".
func (g *Geometry) column(param string, otherwise ...string) int {
	name := g.asked[param]
	if i := g.data.index(name); i >= 0 {
		g.chosen[param] = name
		return i
	}
	for _, name := range otherwise {
		if i := g.data.index(name); i >= 0 {
			g.chosen[param] = name
			return i
		}
	}
	return -1
}

// Wrong reports unknown columns and values.
func (g *Geometry) Wrong() error { return g.wrong }

// Bounds returns the unit square: the charts have no camera.
func (g *Geometry) Bounds() scene.Rect { return scene.Rect{X1: 1, Y1: 1} }

// Choices returns the columns that a parameter can name.
func (g *Geometry) Choices(param string) (values []string, now int) {
	if _, ok := g.asked[param]; !ok {
		return nil, 0
	}
	now = -1
	for i := range g.data.table.Columns {
		name := g.data.table.Columns[i].Name
		if !g.data.varies(i) {
			continue
		}
		if name == g.chosen[param] {
			now = len(values)
		}
		values = append(values, name)
	}
	if now < 0 {
		values, now = append(values, ""), len(values)
	}
	return values, now
}

package timeline

import (
	"math"

	"whorl/tracer/derive/activity"
	"whorl/visual/view"
	"whorl/visual/view/timeplot"
)

// rows is the plot of a frame with its rows. A row is a group of PEs at one level of the pyramid.
type rows struct {
	*timeplot.Plot
	g     *Geometry
	level int
	size  int     // PEs in a row
	pitch float64 // height of a PE, in pixels
	fit   float64 // the pitch that shows all PEs, which is the smallest
	top   float64 // PE at the upper edge of the data
}

// mostMeasured is the number of names that are measured.
const mostMeasured = 256

// wide returns the width of the names of tasks, which is the largest for those of PEs.
func wide(f *view.Frame) float64 { return math.Round(min(0.3*f.Area.W(), 15*float64(f.Style.Font))) }

// least is the least height of a row, in pixels.
const least = 2

func layout(f *view.Frame, g *Geometry) *rows {
	pes := max(g.Act.PEs, 1)
	gutter := timeplot.Gutter(f, view.PEName(pes-1, pes-1))
	switch {
	case g.Rows != nil:
		gutter = wide(f)
	case g.Run.Placed():
		var names []string
		for pe := range min(pes, mostMeasured) {
			names = append(names, g.Run.Label(pe))
		}
		gutter = max(gutter, min(timeplot.Gutter(f, names...), wide(f)))
	}
	r := &rows{Plot: timeplot.New(f, g.Act.From, g.other.To(g.Act.To), gutter, math.Round(0.3*float64(f.Style.Font))), g: g}
	r.fit = r.In.H() / float64(pes)
	r.pitch = min(max(r.fit, f.Camera.ScaleY), max(r.In.H(), r.fit))
	if f.Camera.ScaleY > 0 {
		seen := r.In.H() / r.pitch
		r.top = min(max(f.Camera.Y-seen/2, 0), float64(pes)-seen)
	}
	r.size = 1
	for r.pitch*float64(r.size) < least && r.level+1 < len(g.groups.Levels) {
		r.level++
		r.size *= activity.Fan
	}
	return r
}

// middle and scale return the camera's position and scale for the rows.
func (r *rows) middle() float64 { return r.top + r.In.H()/r.pitch/2 }

func (r *rows) scale() float64 {
	if r.pitch > r.fit*1.0001 {
		return r.pitch
	}
	return timeplot.FitRows
}

// y returns the upper edge of a PE in pixels.
func (r *rows) y(pe float64) float64 { return r.In.Y0 + (pe-r.top)*r.pitch }

// pe returns the PE at y, which may lie outside the machine.
func (r *rows) pe(y float64) float64 { return r.top + (y-r.In.Y0)/r.pitch }

// visible returns the range of visible rows.
func (r *rows) visible() (first, end int) {
	first = max(int(math.Floor(r.top))/r.size, 0)
	end = min(int(math.Ceil(r.pe(r.In.Y1))+float64(r.size)-1)/r.size, r.g.groups.Len(r.level))
	return first, end
}

// bar returns the filled part of row i in whole pixels, clipped to the data.
func (r *rows) bar(i int) (y0, y1 float64) {
	pes := float64(r.g.Act.PEs)
	y0 = math.Round(r.y(float64(i * r.size)))
	y1 = math.Round(r.y(min(float64((i+1)*r.size), pes)))
	return max(y0, r.In.Y0), min(max(y1-r.gap(), y0+1), r.In.Y1)
}

// gap returns the distance between two bars in pixels.
func (r *rows) gap() float64 {
	switch h := r.pitch * float64(r.size); {
	case h >= 8:
		return min(math.Round(0.14*h), math.Round(0.35*r.Em))
	case h >= 4:
		return 1
	}
	return 0
}

// rowAt returns the row at y, or -1 outside all rows.
func (r *rows) rowAt(y float64) int {
	pe := math.Floor(r.pe(y))
	if y < r.In.Y0 || y >= r.In.Y1 || pe < 0 || pe >= float64(r.g.Act.PEs) {
		return -1
	}
	return int(pe) / r.size
}

// rowOf returns the row of a PE.
func (r *rows) rowOf(pe int32) int { return int(pe) / r.size }

// name returns the name of the rows of PEs or tasks from first to last.
func (g *Geometry) name(first, last int) string {
	if g.Rows != nil {
		return g.Rows.Names(g.Run, first, last)
	}
	return g.Run.PEName(first, last)
}

// place returns the selection of PEs, or of the tasks in their places.
func (g *Geometry) place(trace string, first, last int) view.Selection {
	if g.Rows != nil {
		return g.Rows.Selection(trace, first, last)
	}
	return view.Selection{Trace: trace, PEs: []view.Span{{First: int64(first), Last: int64(last)}}}
}

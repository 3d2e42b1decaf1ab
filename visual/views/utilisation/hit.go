package utilisation

import (
	"math"

	"whorl/internal/figures"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/activity"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/match"
	"whorl/visual/view/timeplot"
)

// column returns the column at a pixel, and whether there is one.
func (c *curve) column(x, y float64) (int, bool) {
	k := int(math.Floor(x - c.In.X0))
	return k, k >= 0 && k < len(c.bounds)-1 && y >= c.In.Y0 && y <= c.In.Y1
}

// share returns the shares of the PEs of t in column k.
func (c *curve) share(t *activity.Track, k int) activity.Share {
	var s [1]activity.Share
	timeplot.Shares(t, c.bounds[k:k+2], s[:])
	return c.scaled(s[0], k)
}

// layerAt returns the layer at height y in a column and its busy time there in ns, or -1 above all layers.
func (c *curve) layerAt(k int, y float64) (layer int, busy int64) {
	s := c.share(c.g.groups.All(), k)
	whole := s.Busy + s.Over + s.Idle
	height := (c.In.Y1 - y) / c.In.H() * float64(whole)
	if height > float64(s.Busy) {
		return -1, 0
	}
	var below int64
	times := c.times(c.bounds[k : k+2])
	for i, t := range times {
		if below += t; height <= float64(below) {
			return i, t
		}
	}
	return len(times) - 1, s.Busy - below + times[len(times)-1]
}

// Hit returns the PEs or the procedure of the layer at a pixel, or else the time of the column.
func (g *Geometry) Hit(f *view.Frame, x, y float64) (view.Selection, bool) {
	c := layout(f, g)
	k, ok := c.column(x, y)
	if !ok {
		return view.Selection{}, false
	}
	if i, _ := c.layerAt(k, y); i >= 0 {
		switch {
		case g.By == timeplot.ByPE:
			return view.Selection{Trace: f.Trace, PEs: []view.Span{{First: int64(g.layers[i].first), Last: int64(g.layers[i].last)}}}, true
		case g.Classes != nil && g.Classes.Codes(i) != nil:
			return view.Selection{Trace: f.Trace, Codes: g.Classes.Codes(i)}, true
		}
	}
	return view.Selection{Trace: f.Trace, Time: &view.Span{First: c.bounds[k], Last: max(c.bounds[k], c.bounds[k+1]-1)}}, true
}

// Tip describes the column and the layer at a pixel.
func (g *Geometry) Tip(f *view.Frame, x, y float64) (view.Tip, bool) {
	c := layout(f, g)
	k, ok := c.column(x, y)
	if !ok {
		return view.Tip{}, false
	}
	s := c.share(g.groups.All(), k)
	whole := s.Busy + s.Over + s.Idle
	from, to := timeplot.Column(c.bounds, k)
	lines := []string{"at " + timeplot.Instant(from-g.Run.From, to-from)}
	if i, busy := c.layerAt(k, y); i >= 0 {
		switch g.By {
		case timeplot.ByPE:
			l := c.share(&g.layers[i].track, k)
			lines = append(lines, g.Run.PEName(g.layers[i].first, g.layers[i].last)+": "+figures.Percent(l.Busy, l.Busy+l.Over+l.Idle)+" busy")
		case timeplot.ByState:
		default:
			lines = append(lines, g.ClassName(i)+": "+figures.Percent(busy, s.Busy)+" of the busy time")
		}
	}
	if g.Rows != nil {
		return view.Tip{X: x, Y: y, Lines: append(lines, mean(s.Busy, to-from)+" tasks run", mean(s.Over, to-from)+" wait for a PE")}, true
	}
	if g.other.Compared() {
		var theirs [1]activity.Share
		g.other.AllShares(c.bounds[k:k+2], theirs[:])
		lines = append(lines, figures.Share(timeplot.BusyShare(theirs[0]), 1)+" of the PEs busy in "+g.other.Name)
	}
	lines = append(lines, figures.Percent(s.Busy, whole)+" of "+figures.Count(int64(g.Act.PEs))+" PEs busy")
	if s.Over > 0 {
		lines = append(lines, figures.Percent(s.Over, whole)+" overhead")
	}
	return view.Tip{X: x, Y: y, Lines: append(lines, figures.Percent(s.Idle, whole)+" idle")}, true
}

// Locate returns a band for a time alone. For PEs it returns the share of the machine that they were busy, for tasks and codes the share that
// ran them, as rectangles from the time axis up, one for adjacent columns of equal height.
func (g *Geometry) Locate(f *view.Frame, s view.Selection) []scene.Rect {
	m := match.New(g.Run, g.index, f.Trace, s)
	if m == nil || g.Rows != nil && len(s.PEs) > 0 { // rows are no PEs
		return nil
	}
	c := layout(f, g)
	if m.OnlyPlace() && len(s.PEs) == 0 {
		band, ok := c.Within(scene.Rect{X0: c.X(s.Time.First), Y0: c.In.Y0, X1: c.X(s.Time.Last), Y1: c.In.Y1})
		if !ok {
			return nil
		}
		return []scene.Rect{band}
	}
	var spent []int64
	if m.OnlyPlace() {
		spent = c.busyTimes(s)
	} else {
		spent = c.stepTimes(m)
	}
	var places []scene.Rect
	h := int(c.In.H())
	heights := make([]int, len(spent))
	for k, ns := range spent {
		from, to := timeplot.Column(c.bounds, k)
		whole := int64(g.height()) * (to - from)
		heights[k], _ = timeplot.Heights(activity.Share{Busy: ns, Idle: max(whole-ns, 0)}, h)
	}
	for k := 0; k < len(heights); {
		from := k
		for k++; k < len(heights) && heights[k] == heights[from]; k++ {
		}
		if heights[from] > 0 {
			places = append(places, scene.Rect{
				X0: c.In.X0 + float64(from), X1: c.In.X0 + float64(k), Y0: c.In.Y1 - float64(heights[from]), Y1: c.In.Y1,
			})
		}
	}
	return places
}

// busyTimes returns the ns that the selected PEs were busy in each column, within the selected time.
func (c *curve) busyTimes(s view.Selection) []int64 {
	spent := make([]int64, len(c.bounds)-1)
	for _, span := range view.Joined(s.PEs) {
		for _, t := range c.g.groups.Cover(int(max(span.First, 0)), int(min(span.Last, int64(c.g.Act.PEs)))) {
			for k := range spent {
				from, to := timeplot.Column(c.bounds, k)
				if s.Time != nil {
					from, to = max(from, s.Time.First), min(to, s.Time.Last)
				}
				if from < to {
					before, _ := t.Until(from)
					after, _ := t.Until(to)
					spent[k] += after - before
				}
			}
		}
	}
	return spent
}

// stepTimes returns the ns that the selected steps took in each column.
func (c *curve) stepTimes(m *match.Steps) []int64 {
	spent := make([]int64, len(c.bounds)-1)
	if len(spent) == 0 {
		return spent
	}
	from, to := c.bounds[0], c.bounds[len(spent)]
	for pe := range c.g.Act.Lanes {
		if !m.PE(pe, pe) {
			continue
		}
		k := 0
		begin, end := timeplot.Column(c.bounds, k)
		// within adds a time to the column that contains it, if one does.
		within := func(first, last, ns int64) bool {
			for end <= first && k+1 < len(spent) {
				k++
				begin, end = timeplot.Column(c.bounds, k)
			}
			if first < begin || last > end {
				return false
			}
			spent[k] += ns
			return true
		}
		m.Visit(pe, c.g.Act.Lanes[pe].First(from), to, func(b match.Block) bool { return within(b.From, b.To, b.Spent) }, func(s account.Step) {
			if within(s.Time, s.End, s.End-s.Time) {
				return
			}
			for j := k; j < len(spent) && c.bounds[j] < s.End; j++ {
				first, last := timeplot.Column(c.bounds, j)
				spent[j] += max(min(s.End, last)-max(s.Time, first), 0)
			}
		})
	}
	return spent
}

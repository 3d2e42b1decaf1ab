package timeline

import (
	"math"
	"runtime"

	"whorl/internal/parallel"
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/activity"
	"whorl/visual/layout/ticks"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/timeplot"
)

// Base draws the rows, the messages over them, and both axes.
func (g *Geometry) Base(f *view.Frame, out *scene.List) {
	b := &brush{rows: layout(f, g), out: out, states: g.States(f.Style.Dark), colors: g.Colors(f.Style.Dark)}
	if g.By == timeplot.ByPE {
		b.pes = g.PEs.Colours(g.Scheme, f.Style.Dark)
	}
	b.drawRows()
	b.drawMail()
	b.drawPath()
	b.labels()
	b.Axis(out, false)
}

// A brush draws one frame.
type brush struct {
	*rows
	out    *scene.List
	states timeplot.States
	colors []scene.Color // by class of busy time
	pes    view.PEColours
	shares []activity.Share // by column of the current row
	theirs []activity.Share // of the run to compare with, nil for none
	times  []int64          // by column and class of the current row, in ns; only when colours show procedures
	busy   scene.Color      // of the current row
	zero   []int            // by column
	// heights are the tops of the layers of the current row by column, in pixels: the classes of busy time or all of it, and overhead over it.
	heights [][]int
}

func (b *brush) drawRows() {
	bounds := b.Seen(b.Last(b.g.other.To(b.g.Act.To)))
	n := len(bounds) - 1
	b.zero = make([]int, n)
	workers := 1
	if b.g.Classes != nil {
		workers = runtime.GOMAXPROCS(0)
	}
	brushes := make([]brush, workers) // of rows that are computed at the same time
	for k := range brushes {
		one := *b
		one.shares, one.heights = make([]activity.Share, n), make([][]int, 2)
		if b.g.other.Compared() {
			one.theirs = make([]activity.Share, n)
		}
		if b.g.Classes != nil {
			one.heights = make([][]int, b.g.Classes.N+1)
		}
		for i := range one.heights {
			one.heights[i] = make([]int, n)
		}
		brushes[k] = one
	}
	first, end := b.visible()
	for i := first; i < end; i += workers {
		some := brushes[:min(workers, end-i)]
		parallel.Range(len(some), 1, workers, func(_, from, to int) {
			for k := from; k < to; k++ {
				some[k].prepare(i+k, bounds)
			}
		})
		for k := range some {
			some[k].drawRow(i+k, len(bounds)-1)
		}
	}
}

// prepare computes the columns of a row.
func (b *brush) prepare(i int, bounds []int64) {
	y0, y1 := b.bar(i)
	if y1 <= y0 {
		return
	}
	t, from, to := b.g.groups.Group(b.level, i)
	b.busy = b.colour(from, to)
	timeplot.Shares(t, bounds, b.shares)
	if b.theirs != nil {
		b.g.other.Shares(b.level, i, bounds, b.theirs)
		return
	}
	if b.g.Classes != nil {
		b.classes(from, to, bounds)
	}
	switch {
	case y1-y0 < low:
	case b.g.Classes != nil:
		b.layer(int(y1 - y0))
	default:
		b.stack(int(y1 - y0))
	}
}

// drawRow draws a row of n columns that was prepared.
func (b *brush) drawRow(i, n int) {
	y0, y1 := b.bar(i)
	if y1 <= y0 {
		return
	}
	if b.theirs != nil {
		b.Differences(b.out, y0, y1, b.shares, b.theirs)
		return
	}
	b.out.Rect(float32(b.In.X0), float32(y0), float32(b.In.X0)+float32(n), float32(y1), b.states.Idle)
	switch {
	case y1-y0 < low:
		b.lowered(y0, y1)
	case b.g.Classes != nil:
		b.fill(y1, b.colors[:b.g.Classes.N]...)
	default:
		b.fill(y1, b.busy)
	}
	if b.level == 0 && i < len(b.g.Act.Lanes) {
		b.steps(&b.g.Act.Lanes[i], y0, y1, b.Last(b.g.Act.To))
	}
}

// colour returns the colour of the busy time of the PEs first to last: the mixture of their colours.
func (b *brush) colour(first, last int) scene.Color {
	if b.g.By != timeplot.ByPE {
		return b.states.Busy
	}
	if b.pes.Index(first) == b.pes.Index(last) {
		return b.pes.Color(first)
	}
	var m palette.Mix
	for pe := first; pe <= last; pe++ {
		m.Add(palette.ToLight(b.pes.Color(pe).NRGBA()), 1)
	}
	return scene.NRGBA(m.Color())
}

// stack divides a row of h pixels: busy time at the bottom, then overhead.
func (b *brush) stack(h int) {
	for k, s := range b.shares {
		busy, over := timeplot.Heights(s, h)
		b.heights[0][k], b.heights[1][k] = busy, busy+over
	}
}

// fill fills a row from the bottom: the heights of the first layers with colours, and the last one with overhead.
func (b *brush) fill(y1 float64, colors ...scene.Color) {
	base := b.zero
	for i, tops := range b.heights {
		c := b.states.Over
		if i < len(colors) {
			c = colors[i]
		}
		b.Fill(b.out, y1, base, tops, c)
		base = tops
	}
}

// classes computes how long the PEs of a row ran steps of each class in each column. Busy time outside steps counts in the last class.
func (b *brush) classes(first, last int, bounds []int64) {
	n := b.g.Classes.N
	if b.times == nil {
		b.times = make([]int64, len(b.shares)*n)
	}
	clear(b.times)
	for pe := first; pe <= last; pe++ {
		b.g.Classes.Columns(pe, bounds, b.times)
	}
	for k := range b.shares {
		times := b.times[k*n : (k+1)*n]
		rest := b.shares[k].Busy
		for _, t := range times {
			rest -= t
		}
		times[n-1] += max(rest, 0)
	}
}

// layer divides a row of h pixels: the classes of busy time from the bottom, then overhead.
func (b *brush) layer(h int) {
	n := b.g.Classes.N
	parts := make([]int, n)
	for k, s := range b.shares {
		busy, over := timeplot.Heights(s, h)
		timeplot.Parts(b.times[k*n:(k+1)*n], busy, parts)
		top := 0
		for i, p := range parts {
			top += p
			b.heights[i][k] = top
		}
		b.heights[n][k] = top + over
	}
}

// low is the least height in pixels of a row whose columns show each state separately.
const low = 6

// column returns the colours of column k in a row of h pixels, less than low.
func (b *brush) column(k, h int) timeplot.Low {
	busy := b.busy
	if b.g.Classes != nil && b.shares[k].Busy > 0 {
		n := b.g.Classes.N
		busy = timeplot.Blend(b.colors, b.times[k*n:(k+1)*n])
	}
	return b.states.Low(b.shares[k], busy, h)
}

// lowered fills a row lower than low with colours that are paler in proportion to idle time.
func (b *brush) lowered(y0, y1 float64) {
	h := int(y1 - y0)
	for k := 0; k < len(b.shares); {
		c := b.column(k, h)
		from := k
		for k++; k < len(b.shares); k++ {
			if (b.g.Classes != nil || b.shares[k] != b.shares[k-1]) && b.column(k, h) != c {
				break
			}
		}
		x0, x1 := float32(b.In.X0)+float32(from), float32(b.In.X0)+float32(k)
		mid := float32(y1) - float32(c.Pixels)
		if c.Pixels > 0 && c.Busy != b.states.Idle {
			b.out.Rect(x0, mid, x1, float32(y1), c.Busy)
		}
		if c.Pixels < h && c.Over != b.states.Idle {
			b.out.Rect(x0, float32(y0), x1, mid, c.Over)
		}
	}
}

// steps draws the limits of a PE's wide steps, and their names if they have room.
func (b *brush) steps(l *activity.Lane, y0, y1 float64, until int64) {
	const apart = 5 // least width of a step with limits, in pixels
	first := l.First(int64(math.Floor(b.From)))
	perNs := b.In.W() / (b.To - b.From)
	size := 0.92 * b.Style.Font
	name := y1-y0 >= 1.5*b.Em
	// A search skips narrow steps without a visit to each.
	for i := first; i < l.Steps.Len(); {
		s := l.Steps.Step(i)
		if float64(s.Time) > b.To || s.Time > until {
			return
		}
		if s.Kind == tracer.Sample && float64(s.End-s.Time)*perNs >= 1 {
			i = b.join(l, i, &s)
		}
		x0, x1 := b.X(s.Time), b.X(min(s.End, until))
		if x1-x0 < apart {
			next := l.First(s.Time + int64(apart/perNs))
			i = max(i+1, next)
			continue
		}
		if x0 > b.In.X0 {
			b.out.Rect(float32(math.Round(x0)), float32(y0), float32(math.Round(x0))+1, float32(y1), b.Style.Ground.Alpha(150))
		}
		if s.End <= until && x1 < b.In.X1 {
			b.out.Rect(float32(math.Round(x1)), float32(y0), float32(math.Round(x1))+1, float32(y1), b.Style.Ground.Alpha(150))
		}
		left, right := max(x0, b.In.X0)+0.4*b.Em, min(x1, b.In.X1)-0.4*b.Em
		if name && right-left > 1.5*b.Em {
			whole := b.g.Run.Short(s.Code) // the row tells the rest
			text := scene.ElideMiddle(b.Text, whole, float32(right-left), size, scene.Regular)
			if text == whole || text != "" && right-left > 4.5*b.Em {
				b.out.Text(float32(left), float32((y0+y1)/2), text, scene.TextStyle{Size: size, Color: contrast(b.under(s)), VAlign: scene.Center})
			}
		}
		i++
	}
}

// join extends the step of sample i over the samples of the same code that follow it without a gap. It returns the last of them.
func (b *brush) join(l *activity.Lane, i int, s *account.Step) int {
	for ; i+1 < l.Steps.Len() && float64(s.End) < b.To; i++ {
		next := l.Steps.Step(i + 1)
		if next.Time > s.End || next.Code != s.Code {
			break
		}
		s.End = next.End
	}
	return i
}

// under returns the colour of a step.
func (b *brush) under(s account.Step) scene.Color {
	if b.g.Classes != nil {
		return b.colors[b.g.Classes.Class(s.Code)]
	}
	return b.busy
}

// contrast returns a legible colour for text on c.
func contrast(c scene.Color) scene.Color {
	if palette.ToLab(c.NRGBA()).L > 0.62 {
		return scene.Hex(0x101418)
	}
	return scene.Hex(0xffffff)
}

// labels draws the names of PEs at as many rows as there is room for.
func (b *brush) labels() {
	if b.In.X0-b.Area.X0 < b.Em {
		return
	}
	if b.g.Rows != nil {
		b.taskLabels()
		return
	}
	every := int(ticks.Step(1.5 * b.Em / b.pitch))
	first := int(math.Floor(b.top)) / every * every
	for pe := first; pe < b.g.Act.PEs; pe += every {
		y0, y1 := b.y(float64(pe)), b.y(float64(pe+1))
		if b.pitch > 3*b.Em { // centre the name on the visible part of the bar
			y0, y1 = max(y0, b.In.Y0), min(y1, b.In.Y1)
		}
		y := (y0 + y1) / 2
		if b.size > 1 || b.pitch < 1.5*b.Em {
			y = y0 + b.pitch*float64(b.size)/2
		}
		if half := 0.5 * b.Em; y < b.In.Y0+half-1 && y > b.In.Y0-half { // keep the name of the first thin row inside
			y = b.In.Y0 + half - 1
		} else if y < b.In.Y0 || y > b.In.Y1-half+2 {
			continue
		}
		b.Label(b.out, y, b.g.Run.Label(pe), b.Style.Muted)
	}
}

package timeline

import (
	"math"
	"strconv"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/activity"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/match"
	"whorl/visual/view/timeplot"
)

// Overlay dims what lies outside the time window and marks the selection and the hovered places.
func (g *Geometry) Overlay(f *view.Frame, out *scene.List) {
	r := layout(f, g)
	out.Clip(float32(r.Area.X0), float32(r.In.Y0), float32(r.In.X1), float32(r.In.Y1))
	r.Outside(out)
	selection := f.State.Shared.Selection
	if places := g.Locate(f, selection); len(places) > fewMarks {
		r.veil(out, places)
	} else {
		g.mark(r, out, selection, places, 1)
	}
	if h := f.State.Personal.Hover; !h.Equal(selection) {
		g.mark(r, out, h, g.Locate(f, h), 0.5)
	}
	out.Pop()
}

// fewMarks is the largest number of selected places that are framed. With more, everything else is veiled.
const fewMarks = 40

// Ghost draws a strip along the lower edge of each row where the PE was busy in another run, and the end of that run.
func (g *Geometry) Ghost(f *view.Frame, before view.Picture, out *scene.List) {
	b, ok := before.(*Geometry)
	if !ok || g.Rows != nil || b.Rows != nil {
		return
	}
	r := layout(f, g)
	bounds := r.Seen(r.Last(b.Act.To))
	shares := make([]activity.Share, len(bounds)-1)
	first, end := r.visible()
	for i := first; i < end && r.level < len(b.groups.Levels) && i*r.size < b.Act.PEs; i++ {
		y0, y1 := r.bar(i)
		t, _, _ := b.groups.Group(r.level, i)
		timeplot.Shares(t, bounds, shares)
		r.GhostStrip(out, y1-math.Round(min(max((y1-y0)/5, 1), r.Em/2)), y1, shares)
	}
	r.GhostEnd(out, b.Act.To, scene.Rect{})
}

// veil draws a translucent background over the rows except at the given places, which are in the order of Locate.
func (r *rows) veil(out *scene.List, places []scene.Rect) {
	const least = 2 // least width of an open place, in pixels
	first, end := r.visible()
	for i := first; i < end; i++ {
		y0, y1 := r.bar(i)
		x := r.In.X0
		cover := func(to float64) {
			if to > x && y1 > y0 {
				out.Rect(float32(x), float32(y0), float32(to), float32(y1), r.Style.Ground.Alpha(170))
			}
		}
		for len(places) > 0 && places[0].Y0 <= y0 {
			if p := places[0]; p.Y0 == y0 {
				cover(p.X0)
				x = max(x, p.X1, p.X0+least)
			}
			places = places[1:]
		}
		cover(r.In.X1)
	}
}

// mark marks a selection: with a band for a time alone, otherwise with a frame around each place.
func (g *Geometry) mark(r *rows, out *scene.List, s view.Selection, places []scene.Rect, strength float32) {
	if len(places) == 0 {
		return
	}
	if m := match.New(r.g.Run, r.g.index, r.Trace, s); m.OnlyPlace() && len(s.PEs) == 0 {
		r.Band(out, places[0])
		return
	}
	accent := r.Style.Accent
	width := max(strength*float32(r.Em)/7, 1)
	for _, p := range places {
		x0, y0, x1, y1 := float32(p.X0), float32(p.Y0), float32(p.X1), float32(p.Y1)
		switch {
		case len(places) > fewMarks: // so many frames would hide their content
			out.Rect(x0, y0, max(x1, x0+1), y1, accent.Alpha(64))
		case x1-x0 < 4*width:
			out.Rect(x0, y0, max(x1, x0+width), y1, accent)
		default:
			out.Frame(x0+width/2, y0+width/2, x1-width/2, y1-width/2, width, accent)
			out.Rect(x0, y0, x1, y1, accent.Alpha(uint8(40*strength)))
		}
	}
}

// Tip describes the step, the state of the PE, or the PEs under a pixel.
func (g *Geometry) Tip(f *view.Frame, x, y float64) (view.Tip, bool) {
	r := layout(f, g)
	s, ok := r.spot(x, y)
	if !ok {
		return view.Tip{}, false
	}
	return view.Tip{X: x, Y: y, Lines: r.describe(&s, x)}, true
}

func (r *rows) describe(s *spot, x float64) []string {
	if s.step != nil && s.step.Kind == tracer.Sample {
		return r.describeSample(s, x)
	}
	if s.step != nil {
		return r.describeStep(s)
	}
	name := r.g.name(s.first, s.last)
	if s.label || s.piece == nil {
		t, _, _ := r.g.groups.Group(r.level, s.row)
		from, to := r.g.Act.From, r.g.Act.To
		lines := []string{name}
		if !s.label {
			from, to = s.instant, max(r.Instant(x+1), s.instant+1)
			lines = append(lines, "from "+r.time(from, to-from)+", for "+figures.Duration(to-from))
		}
		var share [1]activity.Share
		t.Columns([]int64{from, to}, share[:])
		return append(lines, shareLines(share[0])...)
	}
	state, why := "idle", ""
	if c := s.piece.Code; int(c) < len(r.g.Run.Codes) {
		why = r.g.Run.Codes[c].Name
	}
	pause := r.g.Act.Lanes[s.first].Pause(s.instant)
	switch {
	case pause != nil:
		why = waitingFor(pause.For(r.g.Run.Codes))
	case s.piece.NBusy > 0:
		state = "busy"
	case s.piece.NOver > 0:
		if state = "overhead"; s.piece.Class < account.NumClasses { // the reason may be that of idle time
			why = s.piece.Class.String()
		}
	}
	if why != "" {
		state += ", " + why
	}
	long := s.to - s.from
	lines := []string{name + ": " + state, "from " + r.time(s.from, long) + " to " + r.time(s.to, long), figures.Duration(long)}
	if pause != nil && pause.PE >= 0 {
		lines = append(lines, r.ended(pause))
	}
	return lines
}

// waitingFor describes a pause for a reason.
func waitingFor(reason string) string {
	switch reason {
	case "binding":
		return "waiting for a value"
	case "join":
		return "waiting for the end of a thread"
	case tracer.ReasonMessage:
		return "waiting for a message"
	case "work":
		return "asking for work"
	}
	return "waiting: " + reason
}

// ended describes the end of a pause by its cause: the clause that bound a value, the thread that ended, the line that sent a message, or the PE that
// gave work.
func (r *rows) ended(p *account.Pause) string {
	by := r.g.Run.PEName(int(p.PE), int(p.PE))
	switch {
	case p.Kind == account.ForWork:
		return "work came from " + by
	case p.Code > 0 && int(p.Code) < len(r.g.Run.Codes):
		c := &r.g.Run.Codes[p.Code]
		cause := r.g.Run.Name(p.Code)
		if c.File != "" && c.Line > 0 {
			cause += " at " + c.File + ":" + strconv.Itoa(int(c.Line))
		}
		return "until " + cause + " on " + by
	}
	return "until " + by
}

// time formats an instant with the precision that something of the given length needs.
func (r *rows) time(t, length int64) string { return timeplot.Instant(t-r.g.Run.From, length) }

func shareLines(s activity.Share) []string {
	whole := s.Busy + s.Over + s.Idle
	line := figures.Percent(s.Busy, whole) + " busy"
	if s.Over > 0 {
		line += ", " + figures.Percent(s.Over, whole) + " overhead"
	}
	return []string{line + ", " + figures.Percent(s.Idle, whole) + " idle"}
}

var verbs = map[tracer.Kind]string{
	tracer.Reduce: " reduced", tracer.Suspend: " suspended", tracer.Fail: " failed", tracer.Start: " ran", tracer.End: " ended",
}

func (r *rows) describeStep(s *spot) []string {
	st := s.step
	run := r.g.Run
	lines := []string{run.Name(st.Code)}
	if int(st.Code) < len(run.Codes) {
		if c := &run.Codes[st.Code]; c.File != "" && c.Line > 0 {
			lines = append(lines, c.Type.String()+" at "+c.File+":"+strconv.Itoa(int(c.Line)))
		}
	}
	lines = append(lines, "task "+strconv.FormatUint(st.Task, 10)+verbs[st.Kind]+r.where(s.first))
	when := "at " + r.time(st.Time, st.End-st.Time) + ", took " + figures.Duration(st.End-st.Time)
	if r.g.Act.Basis == account.Instants {
		tick := r.g.Act.Tick
		when = "between " + r.time(st.Time/tick*tick, tick) + " and " + r.time(st.Time/tick*tick+tick, tick)
	}
	return append(lines, when)
}

// where says on which PE a step ran, if rows are PEs.
func (r *rows) where(pe int) string {
	if r.g.Rows != nil {
		return ""
	}
	return " on " + r.g.Run.PEName(pe, pe)
}

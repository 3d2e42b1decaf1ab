package timeline

import (
	"math"

	"whorl/tracer/derive/messages"
	"whorl/visual/scene"
)

// most limits the messages that are drawn besides the slowest.
const most = 6000

// A sight selects the messages to draw: every stride-th of those in flight in the visible time.
type sight struct {
	first, end, stride int
}

func (r *rows) sight() sight {
	first, end := r.g.mail.Between(int64(math.Floor(r.From)), min(int64(math.Ceil(r.To)), r.Last(r.g.Act.To)))
	return sight{first, end, max((end-first+most-1)/most, 1)}
}

// drawMail draws messages as lines from sender to receiver. A few messages have arrowheads, and so have the slowest of many.
func (b *brush) drawMail() {
	if b.g.mail == nil || b.g.Rows != nil {
		return
	}
	s := b.sight()
	n := (s.end - s.first) / s.stride
	alpha := uint8(min(max(70*b.In.W()/float64(max(n, 1)), 14), 170)) // overlapping lines stay distinguishable
	width := float32(max(b.Em/13, 0.8))
	heads := n <= 400
	b.out.ClipTo(b.In)
	for i := s.first; i < s.end; i += s.stride {
		b.message(&b.g.mail.All[i], width, b.Style.Ink.Alpha(alpha), heads)
	}
	if s.stride > 1 {
		for _, i := range b.g.mail.Slow {
			b.message(&b.g.mail.All[i], width, b.Style.Ink.Alpha(170), true)
		}
	}
	b.out.Pop()
}

// ends returns the pixels at which a message leaves and arrives; ok is false if it is not visible, has not arrived, or stays on its PE.
func (r *rows) ends(m *messages.Message) (x0, y0, x1, y1 float64, ok bool) {
	until := r.Last(r.g.Act.To)
	if m.Received < 0 || m.Received > until || m.From == m.To || min(m.From, m.To) < 0 || int(max(m.From, m.To)) >= r.g.Act.PEs {
		return 0, 0, 0, 0, false
	}
	x0, x1 = r.X(m.Sent), r.X(m.Received)
	y := func(pe int32) float64 {
		row := r.rowOf(pe)
		return (r.y(float64(row*r.size)) + r.y(float64((row+1)*r.size))) / 2
	}
	y0, y1 = y(m.From), y(m.To)
	return x0, y0, x1, y1, x1 >= r.In.X0 && x0 <= r.In.X1 && max(y0, y1) >= r.In.Y0 && min(y0, y1) <= r.In.Y1
}

func (b *brush) message(m *messages.Message, width float32, c scene.Color, head bool) {
	x0, y0, x1, y1, ok := b.ends(m)
	if !ok {
		return
	}
	b.out.Line(float32(x0), float32(y0), float32(x1), float32(y1), width, c)
	long := math.Hypot(x1-x0, y1-y0)
	size := min(0.45*b.Em, 0.5*long)
	if !head || size < 2 {
		return
	}
	dx, dy := (x1-x0)/long*size, (y1-y0)/long*size
	bx, by := x1-dx, y1-dy
	b.out.Polygon([]float32{
		float32(x1), float32(y1), float32(bx - 0.4*dy), float32(by + 0.4*dx), float32(bx + 0.4*dy), float32(by - 0.4*dx),
	}, scene.NonZero, c)
}

package timeplot

import (
	"whorl/tracer/derive/activity"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// Classes sums the busy time of PEs by class over any interval. Each procedure with a colour of its own is a class. The last class holds
// all other procedures, and busy time without a step.
type Classes struct {
	N     int // classes
	act   *activity.Activity
	lanes []laneClasses
	ranks *view.Procedures
}

// classBlock is the number of steps between two stored sums.
const classBlock = 16

type laneClasses struct {
	class []uint8 // by step
	sums  []int64 // by block and class: ns before the block's first step
}

// NewClasses classifies the steps of a run by procedure. At most most procedures have a class of their own.
func NewClasses(act *activity.Activity, ranks *view.Procedures, most int) *Classes {
	c := &Classes{N: min(len(ranks.Owners), most) + 1, act: act, lanes: make([]laneClasses, len(act.Lanes)), ranks: ranks}
	sum := make([]int64, c.N)
	for pe := range act.Lanes {
		steps := &act.Lanes[pe].Steps
		l := laneClasses{class: make([]uint8, steps.Len()), sums: make([]int64, 0, (steps.Len()/classBlock+1)*c.N)}
		clear(sum)
		for i := range steps.Len() {
			if i%classBlock == 0 {
				l.sums = append(l.sums, sum...)
			}
			s := steps.Step(i)
			l.class[i] = uint8(c.Class(s.Code))
			sum[l.class[i]] += s.End - s.Time
		}
		c.lanes[pe] = l
	}
	return c
}

// Class returns the class of a code.
func (c *Classes) Class(code uint32) int {
	if r := c.ranks.Rank(code); r >= 0 && r < c.N-1 {
		return r
	}
	return c.N - 1
}

// Codes returns the code of the procedure of a class, or nil for the last class.
func (c *Classes) Codes(class int) []uint32 {
	if class >= c.N-1 || c.ranks.Owners[class] == 0 {
		return nil
	}
	return c.ranks.Members(class)
}

// Columns adds the busy times of a PE between consecutive bounds to sums, which has N entries for each column. A column with equal bounds
// counts as 1 ns long.
func (c *Classes) Columns(pe int, bounds, sums []int64) {
	if pe >= len(c.lanes) || len(bounds) == 0 {
		return
	}
	lane, n := &c.act.Lanes[pe], len(bounds)-1
	i := lane.First(bounds[0])
	if end := lane.First(bounds[n]); end-i <= 2*classBlock*n {
		c.walk(pe, i, bounds, sums)
		return
	}
	for k := range n {
		from, to := Column(bounds, k)
		if i < lane.Steps.Len() && lane.Steps.Step(i).End <= from {
			i = lane.FirstFrom(i, from)
		}
		next := c.between(pe, i, from, to, sums[k*c.N:(k+1)*c.N])
		if to == bounds[k+1] {
			i = next
		}
	}
}

// walk implements Columns by visiting each step. Step i is the first that ends after the first bound.
func (c *Classes) walk(pe, i int, bounds, sums []int64) {
	steps, class, n := &c.act.Lanes[pe].Steps, c.lanes[pe].class, len(bounds)-1
	for k := 0; i < steps.Len() && k < n; i++ {
		s := steps.Step(i)
		for k < n && bounds[k+1] <= s.Time && (bounds[k] < bounds[k+1] || bounds[k] < s.Time) {
			k++
		}
		for j := k; j < n && bounds[j] < s.End; j++ {
			from, to := bounds[j], max(bounds[j+1], bounds[j]+1)
			if t := min(s.End, to) - max(s.Time, from); t > 0 {
				sums[j*c.N+int(class[i])] += t
			}
		}
	}
}

// between adds the busy times of a PE in an interval to sum. Step i is the first that ends after from. It returns the first step that ends
// after to.
func (c *Classes) between(pe, i int, from, to int64, sum []int64) int {
	steps, l := &c.act.Lanes[pe].Steps, &c.lanes[pe]
	add := func(i int) {
		s := steps.Step(i)
		if t := min(s.End, to) - max(s.Time, from); t > 0 {
			sum[l.class[i]] += t
		}
	}
	for i < steps.Len() && steps.Step(i).End <= to {
		if i%classBlock == 0 && steps.Step(i).Time >= from {
			// Add whole blocks that end before to as stored sums.
			j := c.act.Lanes[pe].FirstFrom(i, to) / classBlock * classBlock
			if j > i && j < steps.Len() {
				for class := range sum {
					sum[class] += l.sums[j/classBlock*c.N+class] - l.sums[i/classBlock*c.N+class]
				}
				i = j
				continue
			}
		}
		add(i)
		i++
	}
	if i < steps.Len() {
		add(i)
	}
	return i
}

// Total returns the busy times of all PEs in the whole run by class. The last class includes busy time without a step.
func (c *Classes) Total() []int64 {
	sum := make([]int64, c.N)
	for pe := range c.lanes {
		c.Columns(pe, []int64{c.act.From, max(c.act.To, c.act.From+1)}, sum)
	}
	var busy, known int64
	for pe := range c.act.PEs {
		busy += c.act.Total(pe).Busy
	}
	for _, t := range sum {
		known += t
	}
	sum[c.N-1] += max(busy-known, 0)
	return sum
}

// Colors returns the colours of the classes.
func (c *Classes) Colors(scheme palette.Scheme, dark bool) []scene.Color {
	return append(c.ranks.Colours(scheme, dark), scene.NRGBA(palette.Unknown(dark)))
}

// Parts divides h pixels in proportion to times and stores the result in parts. Each time above 0 has a pixel if there are enough.
func Parts(times []int64, h int, parts []int) {
	var whole int64
	for _, t := range times {
		whole += t
	}
	sum := 0
	for i, t := range times {
		parts[i] = 0
		if t > 0 {
			parts[i] = max(int(float64(t)/float64(whole)*float64(h)+0.5), 1)
		}
		sum += parts[i]
	}
	largest := func() (k int) { // among equal parts, the one with the least time
		for i, p := range parts {
			if p > parts[k] || p == parts[k] && times[i] < times[k] {
				k = i
			}
		}
		return k
	}
	for ; sum > h; sum-- {
		parts[largest()]--
	}
	for ; sum < h && whole > 0; sum++ {
		parts[largest()]++
	}
}

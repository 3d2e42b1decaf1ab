package timeplot

import (
	"whorl/tracer/derive/activity"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// Classes tell how long PEs were busy with the steps of each class, over any time: the procedures with colours of their own, and, as the
// last one, all others together with busy time that no step tells of.
type Classes struct {
	N     int
	act   *activity.Activity
	lanes []laneClasses
	ranks *view.Procedures
}

// classBlock is how many steps have their times added up once and for all.
const classBlock = 16

type laneClasses struct {
	class []uint8 // of the steps
	sums  []int64 // ns before the first step of each block: N for a block
}

// NewClasses sorts the steps of a run by procedure, at most most procedures one by one.
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
			s := steps.At(i)
			l.class[i] = uint8(c.Of(s.Code))
			sum[l.class[i]] += s.End - s.Time
		}
		c.lanes[pe] = l
	}
	return c
}

// Of is the class of a code.
func (c *Classes) Of(code uint32) int {
	if r := c.ranks.Rank(code); r >= 0 && r < c.N-1 {
		return r
	}
	return c.N - 1
}

// Codes are the entries that a class stands for, none for the last.
func (c *Classes) Codes(class int) []uint32 {
	if class >= c.N-1 || c.ranks.Owners[class] == 0 {
		return nil
	}
	return c.ranks.Owners[class : class+1]
}

// Columns adds the times of a PE between consecutive bounds to sums, N for each column. A bound that does not rise stands for a ns.
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
		if i < lane.Steps.Len() && lane.Steps.At(i).End <= from {
			i = lane.Onward(i, from)
		}
		next := c.between(pe, i, from, to, sums[k*c.N:(k+1)*c.N])
		if to == bounds[k+1] {
			i = next
		}
	}
}

// walk is Columns by a look at each step, given the first that ends after the first bound.
func (c *Classes) walk(pe, i int, bounds, sums []int64) {
	steps, class, n := &c.act.Lanes[pe].Steps, c.lanes[pe].class, len(bounds)-1
	for k := 0; i < steps.Len() && k < n; i++ {
		s := steps.At(i)
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

// between adds the times of a PE from from to to, given the first step that ends after from, and returns the first that ends after to.
func (c *Classes) between(pe, i int, from, to int64, sum []int64) int {
	steps, l := &c.act.Lanes[pe].Steps, &c.lanes[pe]
	add := func(i int) {
		s := steps.At(i)
		if t := min(s.End, to) - max(s.Time, from); t > 0 {
			sum[l.class[i]] += t
		}
	}
	for i < steps.Len() && steps.At(i).End <= to {
		if i%classBlock == 0 && steps.At(i).Time >= from {
			// Whole blocks that end before to come as sums.
			j := c.act.Lanes[pe].Onward(i, to) / classBlock * classBlock
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

// Total are the times of all PEs in the whole run; busy time without a step is in the last.
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

// Colors are the colours of the classes.
func (c *Classes) Colors(scheme palette.Scheme, dark bool) []scene.Color {
	return append(c.ranks.Colours(scheme, dark), scene.Color(palette.Unknown(dark)))
}

// Parts shares out h pixels among times. What took any time has a pixel while there are enough of them.
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
	largest := func() (at int) { // of equal ones that with the least time, which gives way first
		for i, p := range parts {
			if p > parts[at] || p == parts[at] && times[i] < times[at] {
				at = i
			}
		}
		return at
	}
	for ; sum > h; sum-- {
		parts[largest()]--
	}
	for ; sum < h && whole > 0; sum++ {
		parts[largest()]++
	}
}

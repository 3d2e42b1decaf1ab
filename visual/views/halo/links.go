package halo

import (
	"math"
	"sort"

	"whorl/visual/scene"
)

// Distances of links, in em.
const (
	laneEms  = 0.3  // between links of different functions in a gap, if there is room
	clearEms = 0.35 // from halos and names
	farEms   = 14   // the farthest gap to the side
)

// links draws the links of function i. A link descends from its context through gaps between the halos and names below, and turns to the
// function below all of them. A link without gaps is fainter.
func (s *sheet) links(out *scene.List, i int, c, faint scene.Color) {
	g := s.g
	f := &g.functions[i]
	for _, l := range f.links {
		if nx, ny := s.position(l.to); nx < s.Area.X0-s.em || nx > s.Area.X1+s.em || ny > s.row {
			continue
		}
		points, free := s.route(l.to, i)
		ink := c
		if !free {
			ink = faint
		}
		out.Polyline(points, scene.Stroke{Width: float32(s.linkWidth(l)), Color: ink})
	}
}

func (s *sheet) linkWidth(l link) float64 {
	return max(float64(l.amount)/float64(max(s.g.widest, 1))*0.45*s.em, 0.7)
}

// route returns the points of a link from a node to function i, and whether it is free of halos and names. It follows the longest
// corridors, and turns to the function as soon as nothing lies between.
func (s *sheet) route(k int32, i int) (points []float32, free bool) {
	x, y := s.position(k)
	y += s.foot(k)
	fx, fy := s.functionX(i), s.row-s.functionRadius()
	lane := laneEms * s.em * float64(i%5-2)
	points, free = append(points, float32(x), float32(y)), true
	level, end := int(s.g.level[k])+1, s.lowest()
	for level < end && !s.clear(x, y, fx, fy, level, end) {
		g, next, ok := s.corridor(level, end, x, lane)
		if !ok {
			free = false
			level++
			continue
		}
		top, _ := s.band(level)
		points = s.bend(points, x, y, g, max(top, y+1))
		x = g
		for ; level < next; level++ {
			_, bottom := s.band(level)
			y = max(bottom, y+1)
			if s.clear(x, y, fx, fy, level+1, end) {
				level++
				break
			}
		}
		points = append(points, float32(x), float32(y))
	}
	return s.bend(points, x, y, fx, fy), free
}

// lowest returns the end of the levels above the functions.
func (s *sheet) lowest() int {
	_, to := s.levels()
	for to > 0 && s.levelY(to-1)-s.largest >= s.In.Y1 {
		to--
	}
	return to
}

// clear reports whether the bend between two points meets no obstacle on the levels from level to end.
func (s *sheet) clear(x0, y0, x1, y1 float64, level, end int) bool {
	for ; level < end; level++ {
		top, bottom := s.band(level)
		a, b := along(x0, y0, x1, y1, top), along(x0, y0, x1, y1, bottom)
		a, b = min(a, b), max(a, b)
		boxes := s.obstacles(level)
		if i := sort.Search(len(boxes), func(i int) bool { return boxes[i].x1 >= a }); i < len(boxes) && boxes[i].x0 <= b {
			return false
		}
	}
	return true
}

// along returns the x of a bend at height y.
func along(x0, y0, x1, y1, y float64) float64 {
	if y1 <= y0 {
		return x0
	}
	t := min(max((y-y0)/(y1-y0), 0), 1)
	return x0 + (x1-x0)*t*t*(3-2*t)
}

// corridor returns the x near a given one where a level and those after it are free, and the level at which the corridor ends. It returns
// false if the first level has no gap nearby.
func (s *sheet) corridor(level, end int, x, lane float64) (gap float64, next int, ok bool) {
	from, to, ok := s.gap(level, x)
	if !ok {
		return 0, 0, false
	}
	for next = level + 1; next < end; next++ {
		a, b, ok := s.gap(next, min(max(x, from), to))
		if a, b = max(a, from), min(b, to); !ok || a > b {
			break
		}
		from, to = a, b
	}
	gap = min(max(x, from), to)
	if gap != x || from > x-math.Abs(lane) || to < x+math.Abs(lane) { // many links may pass on one side of a box
		gap = min(max(gap+lane, from), to)
	}
	return gap, next, true
}

// bend appends a line between two points with vertical ends.
func (s *sheet) bend(points []float32, x0, y0, x1, y1 float64) []float32 {
	parts := int(min(max(math.Hypot(x1-x0, y1-y0)/8, 6), 64))
	if math.Abs(x1-x0) < 2 || y1 <= y0 {
		parts = 1
	}
	for k := 1; k <= parts; k++ {
		t := float64(k) / float64(parts)
		u := t * t * (3 - 2*t)
		points = append(points, float32(x0+(x1-x0)*u), float32(y0+(y1-y0)*t))
	}
	return points
}

// band returns the vertical extent of the halos and names of a level.
func (s *sheet) band(level int) (top, bottom float64) {
	y := s.levelY(level)
	top, bottom = y-s.largest-0.2*s.em, y+s.largest+0.2*s.em
	if s.labels == below {
		bottom += 1.2 * s.em
	}
	return top, bottom
}

// A box is the horizontal extent of an obstacle.
type box struct{ x0, x1 float64 }

// obstacles returns the extents of the halos and names of a level with their margins, from left to right. Those without a gap are merged.
func (s *sheet) obstacles(level int) []box {
	if boxes, ok := s.boxes[level]; ok {
		return boxes
	}
	var boxes []box
	row, rooms := s.seen(level), s.names(level)
	clear := clearEms * s.em
	for i, k := range row {
		x, _ := s.position(k)
		r := max(s.radiusOf(k), 1)
		b := box{x - r, x + r}
		if rooms != nil {
			switch {
			case s.labels == beside:
				b.x1 += 0.4*s.em + rooms[i]
			case s.below(k, rooms[i]) != "":
				b.x0, b.x1 = min(b.x0, x-rooms[i]/2), max(b.x1, x+rooms[i]/2)
			}
		}
		b.x0, b.x1 = b.x0-clear, b.x1+clear
		if n := len(boxes); n > 0 && b.x0 <= boxes[n-1].x1+1 {
			boxes[n-1].x1 = max(boxes[n-1].x1, b.x1)
		} else {
			boxes = append(boxes, b)
		}
	}
	if s.boxes == nil {
		s.boxes = map[int][]box{}
	}
	s.boxes[level] = boxes
	return boxes
}

// gap returns the extent of the gap of a level that is nearest to x, or false if it is too far away.
func (s *sheet) gap(level int, x float64) (from, to float64, ok bool) {
	left, right := s.Area.X0+0.4*s.em, s.Area.X1-0.4*s.em
	boxes := s.obstacles(level)
	i := sort.Search(len(boxes), func(i int) bool { return boxes[i].x1 >= x })
	best := math.Inf(1)
	for k := i; k <= min(i+1, len(boxes)); k++ { // the gaps on both sides of the first box that ends right of x
		a, b := left, right
		if k > 0 {
			a = max(a, boxes[k-1].x1)
		}
		if k < len(boxes) {
			b = min(b, boxes[k].x0)
		}
		if d := math.Abs(min(max(x, a), b) - x); a <= b && d < best {
			from, to, best = a, b, d
		}
	}
	return from, to, best <= farEms*s.em
}

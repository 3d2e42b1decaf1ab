//go:build !js

package speedscope

import "slices"

// goals holds the way of each goal, which is the frames of its ancestor procedures, outermost first. A recursive procedure appears once.
type goals struct {
	places   map[uint64]int32 // the last place of a task's way
	parent   []int32          // by place; 0 is the program
	frame    []int32
	children map[[2]int32]int32 // by place and frame
	buffer   []int32
}

func newGoals() goals {
	return goals{places: map[uint64]int32{}, parent: []int32{-1}, frame: []int32{-1}, children: map[[2]int32]int32{}}
}

// way returns the way of a goal from the program to the frame of the goal itself. It is valid until the next call.
func (g *goals) way(task, parent uint64, frame int32) []int32 {
	at, known := g.places[task]
	if !known {
		at = g.fold(g.places[parent], frame)
		g.places[task] = at
	}
	g.buffer = g.buffer[:0]
	for ; at > 0; at = g.parent[at] {
		g.buffer = append(g.buffer, g.frame[at])
	}
	slices.Reverse(g.buffer)
	return g.buffer
}

// fold returns the place of a frame on the way to the place up, or else a new place below up.
func (g *goals) fold(up, frame int32) int32 {
	for at := up; at > 0; at = g.parent[at] {
		if g.frame[at] == frame {
			return at
		}
	}
	key := [2]int32{up, frame}
	at, ok := g.children[key]
	if !ok {
		at = int32(len(g.frame))
		g.children[key] = at
		g.parent, g.frame = append(g.parent, up), append(g.frame, frame)
	}
	return at
}

// goal adds the try of a goal. It first opens the frames of its way that are not still open from the previous goal.
func (l *lane) goal(from, to int64, way []int32) {
	l.ways = true
	above := way[:len(way)-1]
	same := 0
	if from <= l.until {
		for same < min(len(l.way), len(above)) && l.way[same] == above[same] {
			same++
		}
	}
	l.leaveWay(same)
	for _, f := range above[same:] {
		l.add(from, f, true)
	}
	l.way = append(l.way, above[same:]...)
	l.add(from, way[len(way)-1], true)
	l.add(to, way[len(way)-1], false)
	l.until = l.events[len(l.events)-1].time
}

// leaveWay closes the frames of the last way and leaves the outermost but frames open.
func (l *lane) leaveWay(but int) {
	for len(l.way) > but {
		l.add(l.until, l.way[len(l.way)-1], false)
		l.way = l.way[:len(l.way)-1]
	}
}

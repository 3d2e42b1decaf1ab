package workspan

// A link is a task, or the index of a large one in far. 0 is none.
type link uint32

const linkFar = 1 << 31

// raise replaces the path to a goal by the path of a wake-up if that is longer.
func (g *Goals) raise(task uint64, own *goal, sum int64, by uint64) {
	if sum > own.sum {
		own.sum, own.via = sum, g.link(by)
		g.reach(task, own)
	}
}

// reach records a path.
func (g *Goals) reach(task uint64, s *goal) {
	if s.sum > g.Span || g.last == 0 {
		g.Span, g.last = s.sum, task
	}
}

func (g *Goals) link(task uint64) link {
	if task < linkFar {
		return link(task)
	}
	g.far = append(g.far, task)
	return linkFar | link(len(g.far)-1)
}

// before returns the goal before another one on its longest path, 0 for none.
func (g *Goals) before(s *goal) uint64 {
	if s.via&linkFar != 0 {
		return g.far[s.via&^linkFar]
	}
	return uint64(s.via)
}

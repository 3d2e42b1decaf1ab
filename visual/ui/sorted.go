package ui

import "slices"

// sorted is the order of the rows of a table.
type sorted struct {
	by       int // column plus 1; 0 is the caller's order
	down     bool
	revision uint64
	order    []int32 // the row at each place; nil for the caller's order
	places   []int32 // the place of each row
	stale    bool
}

// turn changes to the next order by a column.
func (s *sorted) turn(column int) {
	switch {
	case s.by != column+1:
		s.by, s.down = column+1, false
	case !s.down:
		s.down = true
	default:
		s.by, s.down = 0, false
	}
	s.stale = true
}

func (s *sorted) update(tab *Table) {
	if tab.Less == nil || s.by > len(tab.Columns) {
		s.by = 0
	}
	if s.by == 0 {
		s.order, s.places, s.stale = nil, nil, false
		return
	}
	if !s.stale && s.revision == tab.Revision && len(s.order) == tab.Rows {
		return
	}
	s.stale, s.revision = false, tab.Revision
	s.order = make([]int32, tab.Rows)
	for i := range s.order {
		s.order[i] = int32(i)
	}
	column := s.by - 1
	slices.SortStableFunc(s.order, func(a, b int32) int {
		if s.down {
			a, b = b, a
		}
		switch {
		case tab.Less(column, int(a), int(b)):
			return -1
		case tab.Less(column, int(b), int(a)):
			return 1
		}
		return 0
	})
	s.places = make([]int32, tab.Rows)
	for i, row := range s.order {
		s.places[row] = int32(i)
	}
}

func (s *sorted) row(place int) int {
	if s.order == nil {
		return place
	}
	return int(s.order[place])
}

func (s *sorted) place(row int) int {
	if s.places == nil {
		return row
	}
	return int(s.places[row])
}

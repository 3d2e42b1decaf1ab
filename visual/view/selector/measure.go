package selector

import (
	"math"

	"whorl/tracer/query"
)

// A Task is a task that fulfils a condition, with the value of a measure.
type Task struct {
	Task, Parent uint64
	PE           int32
	Code         uint32
	Begin, Time  int64 // ns
	Value        float64
}

// Each calls f for the tasks of the trace that fulfil a condition, in the order of their numbers. The empty condition selects all. The value of each is
// that of measure, an expression over the same fields, whose dimension Each returns; it is 0 for the empty measure. Errors in the expressions are of
// type *fault.Error.
func (s *Selector) Each(condition, measure string, f func(t Task)) (dimension int, err error) {
	match := func(*row) bool { return true }
	value := func(*row) float64 { return 0 }
	if condition != "" {
		e, err := query.Parse(condition)
		if err != nil {
			return 0, err
		}
		if match, err = query.Where(s.schema, e); err != nil {
			return 0, err
		}
	}
	if measure != "" {
		e, err := query.Parse(measure)
		if err != nil {
			return 0, err
		}
		if value, dimension, err = query.Measure(s.schema, e); err != nil {
			return 0, err
		}
	}
	if !s.hasTasks() {
		return dimension, nil
	}
	t, err := s.spawned()
	if err != nil {
		return dimension, err
	}
	var r row
	t.Index().Each(0, math.MaxUint64, func(node int32) {
		if s.fill(&r, t, int(node)); match(&r) {
			f(Task{uint64(r.task), uint64(r.parent), int32(r.pe), uint32(r.code), r.begin, r.time, value(&r)})
		}
	})
	return dimension, nil
}

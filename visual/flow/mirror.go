package flow

import (
	"slices"
	"sync"
)

// A Mirror copies stages so that they read another source. The copies run in the same graph with the same parameters. They have no value while the source
// is nil.
type Mirror struct {
	from []*stage
	to   *stage

	mu     sync.Mutex
	copies map[*stage]*stage
}

// NewMirror returns the Mirror that puts a source in the place of others.
func NewMirror[T any](to *Source[T], from ...*Source[T]) *Mirror {
	m := &Mirror{to: &to.stage, copies: map[*stage]*stage{}}
	for _, s := range from {
		m.from = append(m.from, &s.stage)
	}
	return m
}

// A Mirrored is the copy of a stage in a Mirror.
type Mirrored[T any] struct{ *stage }

// Mirrored returns the copy of a stage. All calls for one stage return the same copy.
func (s *Stage[T]) Mirrored(m *Mirror) Mirrored[T] {
	m.mu.Lock()
	defer m.mu.Unlock()
	return Mirrored[T]{m.mirrored(&s.stage)}
}

// In returns the value of the copy in the call of a stage with it as an input: the zero value without a source, or the error of the stage.
func (s Mirrored[T]) In(c Reading) (value T, err error) {
	switch v := c.input(s.stage).(type) {
	case failure:
		return value, v.err
	case T:
		return v, nil
	}
	return value, nil
}

// failure is the value of a copy whose stage has failed. A stage that compares two sources has a value all the same.
type failure struct{ err error }

// mirrored returns the copy of a stage, or the stage itself if it derives nothing from the sources.
func (m *Mirror) mirrored(s *stage) *stage {
	if slices.Contains(m.from, s) {
		return m.to
	}
	if known, ok := m.copies[s]; ok {
		return known
	}
	inputs := make([]*stage, len(s.inputs))
	for i, in := range s.inputs {
		inputs[i] = m.mirrored(in)
	}
	of := s
	if !slices.Equal(inputs, s.inputs) {
		of = &stage{name: "other " + s.name, doc: s.doc + " of the other run", inputs: inputs, params: s.params, copied: true}
		of.run = func(c *call) (any, error) { return runMirrored(s, c) }
	}
	m.copies[s] = of
	return of
}

// runMirrored runs a stage with the inputs of its copy.
func runMirrored(s *stage, c *call) (any, error) {
	for i, in := range c.in {
		if c.stage.inputs[i] == s.inputs[i] {
			continue
		}
		if _, failed := in.(failure); failed || in == nil {
			return in, nil
		}
	}
	as := *c
	as.stage = s
	value, err := s.run(&as)
	if err != nil && c.ctx.Err() == nil {
		return failure{err}, nil
	}
	return value, err
}

package documents

import (
	"maps"
	"slices"

	"whorl/tracer"
	"whorl/tracer/store"
)

// A Set holds the open documents by their names. The zero Set is empty.
type Set struct {
	Runner Runner // nil if programs cannot be run
	Memory int64  // bytes that the recorded events of a run may take; later ones go to a Scratch
	// Scratch opens a temporary file for a trace, nil to keep all events in memory.
	Scratch func() (store.Scratch, error)

	open    map[string]*Document
	loading []*loading
	batch   int // the group of files loaded together, 0 for none
	groups  int
}

// Prepare lets the Runner do work in advance for a run that may come soon.
func (s *Set) Prepare() {
	if p, ok := s.Runner.(Preparer); ok {
		p.Prepare()
	}
}

// Get returns the open document of a name, nil for none.
func (s *Set) Get(name string) *Document { return s.open[name] }

// All lists the documents in the order of their names.
func (s *Set) All() []*Document {
	all := make([]*Document, 0, len(s.open))
	for _, name := range slices.Sorted(maps.Keys(s.open)) {
		all = append(all, s.open[name])
	}
	return all
}

// Add opens a document under a name.
func (s *Set) Add(name string, d *Document) {
	if s.open == nil {
		s.open = map[string]*Document{}
	}
	d.Name = name
	s.open[name] = d
}

// Keep closes the documents whose names are not in a set.
func (s *Set) Keep(names map[string]bool) {
	for name, d := range s.open {
		if !names[name] {
			for _, e := range s.open {
				if e.compared.other == d {
					e.Compare(nil)
				}
			}
			d.end()
			delete(s.open, name)
		}
	}
}

// Close stops all runs and releases all documents.
func (s *Set) Close() { s.Keep(nil) }

// NewGroup returns the number of a new group of compared runs.
func (s *Set) NewGroup() int {
	s.groups++
	return s.groups
}

// Compared returns the documents among some names that are compared with d, including d; nil if there are no others.
func (s *Set) Compared(d *Document, names []string) []*Document {
	if d == nil || d.Group == 0 {
		return nil
	}
	var all []*Document
	for _, name := range names {
		if e := s.open[name]; e != nil && e.Group == d.Group {
			all = append(all, e)
		}
	}
	if len(all) < 2 {
		return nil
	}
	return all
}

// maxCodes bounds the codes that SameCodes looks for.
const maxCodes = 100

// SameCodes translates codes of the table from to the table to. Entries match if they have the same type and name and the same position among the
// entries with this type and name.
func SameCodes(codes []uint32, from, to []tracer.Code) (same []uint32) {
	for _, c := range codes[:min(len(codes), maxCodes)] {
		if int(c) >= len(from) {
			continue
		}
		alike := func(k tracer.Code) bool { return k.Type == from[c].Type && k.Name == from[c].Name }
		before := 0
		for _, k := range from[:c] {
			if alike(k) {
				before++
			}
		}
		for i, k := range to {
			if !alike(k) {
				continue
			}
			if before == 0 {
				same = append(same, uint32(i))
				break
			}
			before--
		}
	}
	return same
}

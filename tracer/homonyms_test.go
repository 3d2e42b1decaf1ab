package tracer_test

import (
	"maps"
	"testing"

	"whorl/tracer"
)

// TestHomonyms: a function has that to which it belongs in its name if another function has its name.
func TestHomonyms(t *testing.T) {
	codes := []tracer.Code{
		{},
		{Type: tracer.Name, Name: "Renderer 2"},
		{Type: tracer.Name, Name: "Renderer 3"},
		{Type: tracer.Function, Name: "main", Parent: 1},
		{Type: tracer.Function, Name: "main", Parent: 2},
		{Type: tracer.Function, Name: "main"},
		{Type: tracer.Function, Name: "io", Parent: 2},
		{Type: tracer.Name, Name: "io", Parent: 1},
		{Type: tracer.Line, Name: "main", Parent: 3},
	}
	if got := tracer.Homonyms(codes); !maps.Equal(got, map[uint32]string{3: " of Renderer 2", 4: " of Renderer 3"}) {
		t.Errorf("%v", got)
	}
	if got := tracer.Homonyms([]tracer.Code{{}, codes[5]}); got != nil {
		t.Errorf("a function that belongs to nothing: %v", got)
	}
}

package flow

import (
	"context"
	"errors"
	"testing"
)

// TestMirror derives the length of two texts in one graph, with one parameter for both: without the other text, with it, after it has changed, and with
// one whose stage fails.
func TestMirror(t *testing.T) {
	text, other := NewSource[any]("text"), NewSource[any]("other")
	bad := errors.New("no text")
	var seen []any // previous values of the stage that lengths are taken from
	words := Derive("words", "the text", In(text), nil, func(c *Call[string]) (string, error) {
		seen = append(seen, c.Prev)
		if s, ok := text.In(c).(string); ok {
			return s, nil
		}
		return "", bad
	})
	fixed := Derive("fixed", "a number", nil, nil, func(*Call[int]) (int, error) { return 100, nil })
	length := Derive("length", "its length", In(words, fixed), Params{"times"}, func(c *Call[int]) (int, error) {
		return len(words.In(c))*int(c.Params.Int("times")) + fixed.In(c), nil
	})
	m := NewMirror(other, text)
	mirrored := length.Mirrored(m)
	if again := length.Mirrored(m); again != mirrored {
		t.Error("a stage has two copies")
	}
	type both struct {
		a, b int
		err  error
	}
	pair := Derive("pair", "both", In(length, mirrored), nil, func(c *Call[both]) (both, error) {
		b, err := mirrored.In(c)
		return both{length.In(c), b, err}, nil
	})
	g := New()
	defer g.Close()
	r := NewReader[both](g, pair)
	if err := r.SetParam("times", int64(2)); err != nil {
		t.Fatal(err)
	}
	text.Set(g, "abc")
	for _, c := range []struct {
		other any
		want  both
	}{{nil, both{a: 106}}, {"xy", both{a: 106, b: 104}}, {"", both{a: 106, b: 100}}, {17, both{a: 106, err: bad}}, {nil, both{a: 106}}} {
		other.Set(g, c.other)
		if got, err := r.Get(context.Background(), 0); err != nil || got.Value != c.want {
			t.Errorf("beside %v: %+v, %v, want %+v", c.other, got.Value, err, c.want)
		}
		stages := 5 // text, words, fixed, length, pair
		if c.other != nil {
			stages = 8
		}
		if c.other == "" {
			stages = 7 // a source without a value, for users
		}
		if n := len(r.Stages()); n != stages {
			t.Errorf("beside %v: %d stages are listed, want %d", c.other, n, stages)
		}
	}
	if n := g.Runs("fixed"); n != 1 {
		t.Errorf("a stage that reads neither text ran %d times", n)
	}
	if n := g.Runs("words"); n != 1 {
		t.Errorf("the stage of the unchanged text ran %d times", n)
	}
	for i, prev := range []any{"", "", "xy", ""} {
		if seen[i] != prev {
			t.Errorf("run %d has the previous value %q, want %q", i, seen[i], prev)
		}
	}
}

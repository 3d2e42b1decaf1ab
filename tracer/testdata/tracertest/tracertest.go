// Package tracertest provides random traces, traces of given events, their events and text, and a comparison of traces.
package tracertest

import (
	"math"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"whorl/tracer"
)

// Draw records a random trace into rec: several streams whose times never fall, known and unknown kinds, and extreme values.
func Draw(t *rapid.T, rec tracer.Recorder) {
	text := rapid.OneOf(rapid.SampledFrom([]string{"", "x", "a b", "q\"\\\n", "\r\n", "% é\n", "\xff\x00"}), rapid.String())
	meta := tracer.Meta{
		Program: text.Draw(t, "program"), Args: rapid.SliceOfN(text, 0, 3).Draw(t, "args"), Policy: text.Draw(t, "policy"),
		Seed: rapid.Uint64().Draw(t, "seed"), PEs: rapid.IntRange(0, 1<<20).Draw(t, "pes"), Clock: tracer.Virtual,
	}
	for range rapid.IntRange(0, 3).Draw(t, "sources") {
		meta.Source = append(meta.Source, tracer.SourceFile{Name: text.Draw(t, "file"), Text: text.Draw(t, "text")})
		meta.PEInfo = append(meta.PEInfo, tracer.PE{Host: text.Draw(t, "host"), Thread: text.Draw(t, "thread"), Coords: rapid.SliceOfN(rapid.Int32(), 0, 3).Draw(t, "coords")})
		meta.Extra = append(meta.Extra, tracer.KV{Key: text.Draw(t, "key"), Value: text.Draw(t, "value")})
	}
	rec.SetMeta(meta)
	for range rapid.IntRange(0, 5).Draw(t, "codes") {
		id := rec.Dict().Add(tracer.Code{
			Type: tracer.CodeType(rapid.Uint8().Draw(t, "type")), Name: text.Draw(t, "name"), File: text.Draw(t, "file"),
			Line: rapid.Int32().Draw(t, "line"), Parent: rapid.Uint32Range(0, 4).Draw(t, "parent"),
			Unit: text.Draw(t, "unit"), Scale: rapid.Float64().Draw(t, "scale"),
		})
		rec.Dict().AddContext(tracer.Context{Parent: rapid.Uint32Range(0, 3).Draw(t, "parent"), Code: id})
	}
	for range rapid.IntRange(0, 4).Draw(t, "streams") {
		s := rec.Stream(tracer.StreamInfo{Name: text.Draw(t, "stream"), Offset: rapid.Int64Range(-100, 100).Draw(t, "offset")})
		time := int64(0)
		for _, e := range rapid.SliceOfN(event(), 0, 40).Draw(t, "events") {
			time += e.Time
			e.Time = time
			*s.Slot() = e
		}
		s.Sync()
	}
}

// event draws an event whose Time is the distance to the previous one.
func event() *rapid.Generator[tracer.Event] {
	small, any64 := rapid.Uint64Range(0, 20), rapid.Uint64()
	id := rapid.OneOf(small, small, any64)
	return rapid.Custom(func(t *rapid.T) tracer.Event {
		return tracer.Event{
			Time:  rapid.OneOf(rapid.Int64Range(0, 30), rapid.Int64Range(0, math.MaxInt64>>8)).Draw(t, "time"),
			Value: rapid.Int64().Draw(t, "value"),
			Task:  id.Draw(t, "task"),
			Ref:   id.Draw(t, "ref"),
			PE:    rapid.Int32().Draw(t, "pe"),
			Peer:  rapid.OneOf(rapid.Int32Range(-2, 3), rapid.Int32()).Draw(t, "peer"),
			Code:  rapid.OneOf(rapid.Uint32Range(0, 6), rapid.Uint32()).Draw(t, "code"),
			Kind:  tracer.Kind(rapid.OneOf(rapid.Uint8Range(0, 21), rapid.Uint8()).Draw(t, "kind")),
		}
	})
}

// Diff compares all data of two traces. It returns "" if they are equal.
func Diff(a, b tracer.StreamSource) string {
	return cmp.Diff(content(a), content(b), cmpopts.EquateEmpty())
}

type contents struct {
	Meta     tracer.Meta
	Codes    []tracer.Code
	Contexts []tracer.Context
	Streams  []tracer.StreamInfo
	Events   [][]tracer.Event
	Merged   []tracer.Event
	Counts   [tracer.NumKinds]int64
	From, To int64
	Err      string
}

func content(s tracer.StreamSource) contents {
	c := contents{Meta: s.Meta(), Codes: s.Dict().Codes(), Contexts: s.Dict().Contexts(), Streams: s.Streams(), Counts: s.Counts()}
	c.From, c.To = s.Span()
	c.Events = make([][]tracer.Event, len(c.Streams))
	err := s.ScanStreams(tracer.AllKinds, func(i int, es []tracer.Event) error {
		c.Events[i] = append(c.Events[i], es...)
		return nil
	})
	if err == nil {
		err = s.Scan(tracer.AllKinds, func(es []tracer.Event) error {
			c.Merged = append(c.Merged, es...)
			return nil
		})
	}
	if err != nil {
		c.Err = err.Error()
	}
	return c
}

package store

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/testdata/tracertest"
)

// drawEntries draws entries whose names often share prefixes.
func drawEntries(t *rapid.T) *entries {
	text := rapid.OneOf(rapid.SampledFrom([]string{"", "main", "main.work", "/src/a.go", "/src/b.go", "\xff\x00", "é"}), rapid.String())
	number := rapid.OneOf(rapid.Int32Range(-2, 300), rapid.Int32())
	scale := rapid.OneOf(rapid.SampledFrom([]float64{0, 1, 0.5, 1e-9, math.Inf(-1)}), rapid.Float64())
	e := &entries{firstCode: rapid.Uint32Range(1, 1000).Draw(t, "first code"), firstContext: rapid.Uint32Range(1, 1000).Draw(t, "first context")}
	for i := range rapid.SampledFrom([]int{0, 1, 3, 40, 300}).Draw(t, "codes") {
		e.addCode(tracer.Code{
			Type: tracer.CodeType(rapid.Uint8().Draw(t, "type")), Name: text.Draw(t, "name"), File: text.Draw(t, "file"), Unit: text.Draw(t, "unit"),
			Line: number.Draw(t, "line"), Column: number.Draw(t, "column"), Children: number.Draw(t, "children"),
			Parent: rapid.Uint32Range(0, e.firstCode+uint32(i)-1).Draw(t, "parent"), Scale: scale.Draw(t, "scale"),
		})
	}
	for i := range rapid.SampledFrom([]int{0, 1, 50, 1000}).Draw(t, "contexts") {
		e.contexts = append(e.contexts, tracer.Context{
			Parent: rapid.Uint32Range(0, e.firstContext+uint32(i)-1).Draw(t, "parent"), Code: rapid.Uint32().Draw(t, "code"),
		})
	}
	return e
}

func TestEntriesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawEntries(t)
		b := appendEntries(nil, want)
		got := entries{codes: make([]tracer.Code, 7), contexts: make([]tracer.Context, 7)} // the memory of an earlier block
		if err := parseEntries(b, &got); err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(got.codes, got.contexts) != fmt.Sprint(want.codes, want.contexts) || got.firstCode != want.firstCode || got.firstContext != want.firstContext {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

// FuzzEntries checks that no bytes make the reader panic or return more entries than they have bytes for.
func FuzzEntries(f *testing.F) {
	e := &entries{firstCode: 1, firstContext: 1}
	for i := range 20 {
		e.addCode(tracer.Code{Type: tracer.Function, Name: fmt.Sprint("main.f", i), File: "/src/a.go", Line: int32(i), Parent: uint32(i)})
		e.contexts = append(e.contexts, tracer.Context{Parent: uint32(i), Code: 3})
	}
	f.Add(appendEntries(nil, e))
	f.Add(append([]byte{entriesPlain}, e.appendPlain(nil)...))
	f.Fuzz(func(t *testing.T, b []byte) {
		var got, again entries
		if parseEntries(b, &got) != nil {
			return
		}
		must.Do(t, parseEntries(appendEntries(nil, &got), &again))
		if fmt.Sprint(got.codes, got.contexts) != fmt.Sprint(again.codes, again.contexts) {
			t.Fatalf("%v became %v", got, again)
		}
	})
}

// TestBadEntries checks the messages for blocks that no Writer makes.
func TestBadEntries(t *testing.T) {
	e := &entries{firstCode: 1, firstContext: 1}
	e.addCode(tracer.Code{Type: tracer.Name, Name: "n"})
	e.contexts = []tracer.Context{{Code: 1}}
	good := append([]byte{entriesPlain}, e.appendPlain(nil)...)
	change := func(at int, to byte) []byte {
		b := bytes.Clone(good)
		b[at] = to
		return b
	}
	later := *e
	later.firstCode = 2
	for _, c := range []struct {
		name, want string
		b          []byte
	}{
		{"nothing", "the block of entries is empty", nil},
		{"a packing", "the entries have the unknown packing 9", change(0, 9)},
		{"a count", "the block claims 90 entries in", change(2, 90)},
		{"a short block", "the entries are truncated", good[:len(good)-1]},
		{"a long block", "1 bytes follow the entries", append(bytes.Clone(good), 0)},
		{"a long text", "a text that is longer than the block", change(7, 99)},
		{"a far parent", "entry 1 has its parent 5 before it", change(len(good)-2, 5)},
		{"no DEFLATE", "the packed entries are damaged", []byte{entriesDeflated, 5, 0xff, 0xff}},
		{"a large size", "the entries claim to have 268435455 bytes; the limit is 67108864", []byte{entriesDeflated, 0xff, 0xff, 0xff, 0x7f}},
		{"a gap", "its entries begin with code 2 and context 1; expected 1 and 1", appendEntries(nil, &later)},
	} {
		var got entries
		err := parseEntries(c.b, &got)
		if err == nil {
			err = got.addTo(&tracer.Dict{})
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %s", c.name, err, c.want)
		}
	}
}

// TestRecordTogether records a dictionary that fills several blocks. The same recording gives the same bytes, far fewer than its text.
func TestRecordTogether(t *testing.T) {
	fill := func(rec tracer.Recorder) error {
		s := rec.Stream(tracer.StreamInfo{})
		for i := range uint32(3 * mostEntries) {
			code := rec.Dict().Add(tracer.Code{Type: tracer.Function, Name: fmt.Sprint("main.function", i%1000)})
			context := rec.Dict().AddContext(tracer.Context{Parent: i / 3, Code: code})
			*s.Slot() = tracer.Event{Kind: tracer.Sample, Time: int64(i), Ref: uint64(context)}
		}
		return nil
	}
	var b, again bytes.Buffer
	must.Do(t, Record(&b, fill))
	must.Do(t, Record(&again, fill))
	if !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Error("two files of the same recording differ")
	}
	m := tracer.NewMemory()
	must.Do(t, fill(m))
	if diff := tracertest.Diff(m, must.Get(OpenBytes(b.Bytes()))(t)); diff != "" {
		t.Errorf("the trace differs:\n%s", diff)
	}
	if most := 8 * 3 * mostEntries; b.Len() > most {
		t.Errorf("the file has %d bytes, want at most %d", b.Len(), most)
	}
}

// TestVersion1 opens a file of version 1, whose codes and contexts are lines of text.
func TestVersion1(t *testing.T) {
	m := tracer.NewMemory()
	must.Do(t, tracer.ReadText(must.Get(os.Open("testdata/version1.txt"))(t), m))
	f := must.Get(Open("testdata/version1.whorl"))(t)
	defer f.Close()
	if diff := tracertest.Diff(m, f); diff != "" {
		t.Errorf("the trace differs:\n%s", diff)
	}
	if diff := cmp.Diff(m.Dict().Codes(), f.Dict().Codes()); diff != "" || f.data[8] != 1 {
		t.Errorf("version %d; the codes differ:\n%s", f.data[8], diff)
	}
}

package jsonscan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// value reads a value as encoding/json does, numbers as json.Number.
func value(s *Scanner) any {
	switch s.Peek() {
	case '{':
		m := map[string]any{}
		for s.Object(); s.Key(); {
			name := string(s.Name)
			m[name] = value(s)
		}
		return m
	case '[':
		list := []any{}
		for s.Array(); s.Element(); {
			list = append(list, value(s))
		}
		return list
	case '"':
		b, _ := s.String()
		return string(b)
	}
	b, _ := s.Text()
	switch string(b) {
	case "true":
		return true
	case "false":
		return false
	case "null":
		return nil
	}
	return json.Number(b)
}

func plain(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return v, err
}

// small returns a scanner with a buffer of a few bytes, which has to read on everywhere.
func small(r io.Reader, size int) *Scanner {
	s := New(r)
	s.buf = make([]byte, size)
	return s
}

// anything generates JSON values.
func anything() *rapid.Generator[any] {
	leaf := rapid.OneOf(
		rapid.Map(rapid.String(), func(s string) any { return s }), rapid.Map(rapid.StringMatching(`[\\"a-f\n]{0,20}`), func(s string) any { return s }),
		rapid.Map(rapid.Int64(), func(n int64) any { return n }), rapid.Map(rapid.Float64(), func(x float64) any { return x }),
		rapid.Map(rapid.Bool(), func(b bool) any { return b }), rapid.Just[any](nil))
	inner := rapid.OneOf(leaf,
		rapid.Map(rapid.SliceOfN(leaf, 0, 4), func(l []any) any { return l }), rapid.Map(rapid.MapOfN(rapid.String(), leaf, 0, 4), func(m map[string]any) any { return m }))
	return rapid.OneOf(inner,
		rapid.Map(rapid.SliceOfN(inner, 0, 4), func(l []any) any { return l }), rapid.Map(rapid.MapOfN(rapid.String(), inner, 0, 4), func(m map[string]any) any { return m }))
}

// TestSkipped checks that Values skips and counts damaged values, and reads those after them.
func TestSkipped(t *testing.T) {
	for text, want := range map[string]string{
		"{\"a\":1}\n{\"b\":}\n{\"c\":3}\n":        "abc, 1 skipped",
		"{\"a\":1}\n{\"b:2}\n{\"c\":3}\n":         "ac, 1 skipped",
		"{\"a\":1}\n{]\n[\n {\n{\"c\":3}\n{\"d\"": "ac, 1 skipped, after byte 28: the text ends within a value",
		"{\"a\":1}\n{\"b\":x y}":                  "ab, byte 15: 'y'; expected a name in quotes or }",
		"{\"a\":1}\x00\n{\"c\":3}":                "ac, 1 skipped",
		"\x00\x00":                                "byte 0: '\\x00'; expected an object",
		" ":                                       "the file is empty",
	} {
		var keys strings.Builder
		skipped := 0
		s := New(strings.NewReader(text))
		err := s.Values(func() {
			for s.Object(); s.Key(); s.Skip() {
				keys.Write(s.Name)
			}
		}, func(error) { skipped++ })
		got := keys.String()
		if skipped > 0 {
			got += fmt.Sprintf(", %d skipped", skipped)
		}
		if err != nil {
			got = strings.TrimPrefix(got+", "+err.Error(), ", ")
		}
		if got != want {
			t.Errorf("%q: %s; expected %s", text, got, want)
		}
	}
}

// TestValues compares the values of random texts with those of encoding/json, for readers that return little at a time.
func TestValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var text bytes.Buffer
		e := json.NewEncoder(&text)
		if rapid.Bool().Draw(t, "indented") {
			e.SetIndent(" ", "  ")
		}
		if err := e.Encode(anything().Draw(t, "value")); err != nil {
			t.Skip(err)
		}
		want, err := plain(text.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		s := small(iotest.OneByteReader(bytes.NewReader(text.Bytes())), rapid.IntRange(1, 20).Draw(t, "buffer"))
		if d := cmp.Diff(want, value(s)); d != "" || s.Err() != nil || s.Peek() != 0 {
			t.Fatalf("%s: %v %s", text.String(), s.Err(), d)
		}
		s = small(bytes.NewReader(text.Bytes()), rapid.IntRange(1, 20).Draw(t, "buffer"))
		if s.Skip(); s.Err() != nil || s.Peek() != 0 || s.Offset() != int64(text.Len()) {
			t.Fatalf("skipped %d bytes of %d: %v", s.Offset(), text.Len(), s.Err())
		}
		s = small(iotest.HalfReader(bytes.NewReader(text.Bytes())), rapid.IntRange(1, 20).Draw(t, "buffer"))
		object := bytes.HasPrefix(bytes.TrimSpace(text.Bytes()), []byte("{"))
		if raw, ok := s.Raw(1 << 20); ok != object || ok && !bytes.Equal(raw, bytes.TrimSpace(text.Bytes())) || s.Peek() != 0 {
			t.Fatalf("%s of %s: %v", raw, text.Bytes(), s.Err())
		}
	})
}

func TestDecimal(t *testing.T) {
	for _, c := range []struct {
		text   string
		places int
		want   int64
		ok     bool
	}{
		{"0", 3, 0, true},
		{"12", 3, 12000, true},
		{"12.3456", 3, 12345, true},
		{"-0.5", 3, -500, true},
		{`"17.25"`, 2, 1725, true},
		{"1.7958795896420032e15", 3, 1795879589642003200, true},
		{"1795879589642003.2", 3, 1795879589642003200, true},
		{"9223372036854775807", 3, 0, false},
		{"99999999999999999999999", 0, 0, false},
		{"1e400", 0, 0, false},
		{"true", 0, 0, false},
		{"", 0, 0, false},
		{"-", 0, 0, false},
		{"1x", 0, 0, false},
		{"{}", 0, 0, false},
		{"NaN", 0, 0, false},
	} {
		s := New(strings.NewReader(c.text))
		if got, ok := s.Decimal(c.places); got != c.want || ok != c.ok {
			t.Errorf("%s with %d places is %d, %v", c.text, c.places, got, ok)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, err string }{
		{`{"a": 1`, ErrCut.Error()},
		{`{"a`, ErrCut.Error()},
		{`[1, 2`, ErrCut.Error()},
		{`{"a" 1}`, "byte 5: '1'; expected :"},
		{`{1}`, "byte 1: '1'; expected a name in quotes or }"},
		{`[}]`, "byte 1: '}'; expected a value"},
		{`["\`, ErrCut.Error()},
		{"[" + strings.Repeat("1", 1000) + "]", "byte 1: a number of more than 512 bytes"},
	} {
		s := small(strings.NewReader(c.text), 64)
		value(s)
		if s.Err() == nil || s.Err().Error() != c.err {
			t.Errorf("%.20s: %v, want %s", c.text, s.Err(), c.err)
		}
	}
	s := New(iotest.ErrReader(io.ErrClosedPipe))
	if s.Skip(); !errors.Is(s.Err(), io.ErrClosedPipe) {
		t.Error(s.Err())
	}
}

func BenchmarkScan(b *testing.B) {
	text := []byte("[" + strings.Repeat(`{"pid":1234,"tid":5678,"ts":123456789.25,"ph":"X","cat":"toplevel","name":"ThreadControllerImpl::RunTask","dur":123,"args":{"src_file":"a/b/c.cc","src":{"n":[1,2,3]}}},`, 10_000) + "]")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s := New(bytes.NewReader(text))
		n := 0
		for s.Array(); s.Element(); {
			for s.Object(); s.Key(); {
				switch string(s.Name) {
				case "ts", "dur":
					s.Decimal(3)
				case "ph", "name", "cat":
					s.String()
				default:
					s.Skip()
				}
			}
			n++
		}
		if n != 10_000 {
			b.Fatal(n, s.Err())
		}
	}
}

func FuzzScan(f *testing.F) {
	f.Add([]byte(`{"a": [1, "\u00e4\ud83d\ude00", {"b": null}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		want, err := plain(text)
		s := New(bytes.NewReader(text))
		if bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) < 1000 {
			if got := value(s); err == nil && s.Err() != nil && len(text) <= mostNumber { // longer ones may have numbers beyond the bound
				t.Errorf("%v, %v, want %v", got, s.Err(), want)
			}
		}
		New(bytes.NewReader(text)).Skip()
	})
}

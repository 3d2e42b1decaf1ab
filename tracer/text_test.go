package tracer_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/testdata/tracertest"
)

const golden = `whorl 1
meta program="fghc/pascal" substrate="fghc" mode="sim" policy="on-demand" network="bus" clock="virtual" seed=7 pes=2
arg text="35"
extra key="note" value="a \"b\"\n"
pe 0 host="alpha" process="412" coords=0,1
pe 1 host="beta"
source name="pascal.fghc"
| go(N, R) :-
| 	true | row(N, R).
+="% no line feed"
source name="crlf"
+="x\r\n"
stream 0 name="sim"
stream 1 name="other" clock="monotonic" offset=-20
code 1 type="procedure" name="go/2" file="pascal.fghc" line=1 column=1
code 2 type="clause" name="go/2" file="pascal.fghc" line=1 column=1 parent=1 children=1
code 3 type="metric" name="faults" unit="pages" scale=0.5
code 4 type="type(99)" name="new"
context 1 code=1
context 2 parent=1 code=2
0 Reduce pe=0 task=1 peer=0 code=2 value=300 # go/2
10 Sample pe=1 task=1 ref=2 code=3 value=-4 stream=1 # faults
5 Kind(77) pe=0 task=18446744073709551615 ref=2 peer=-2 code=900
5 Kind(255) pe=0 peer=-1000
7 Busy pe=3
-5 Idle pe=3 stream=1
`

func TestTextRoundTrip(t *testing.T) {
	text := strings.ReplaceAll(golden, "-5 Idle pe=3 stream=1", "20 Idle pe=3 stream=1")
	// In times of the run, the sample of stream 1 at 10 - 20 comes first, and its Idle at 20 - 20 comes right after the Reduce at 0.
	lines := strings.Split(text, "\n")
	sorted := append([]string{}, lines[:20]...)
	sorted = append(sorted, lines[21], lines[20], lines[25], lines[22], lines[23], lines[24], "")
	m := tracer.NewMemory()
	must.Do(t, tracer.ReadText(strings.NewReader(text), m))
	var b bytes.Buffer
	must.Do(t, tracer.WriteText(&b, m))
	if diff := cmp.Diff(strings.Join(sorted, "\n"), b.String()); diff != "" {
		t.Errorf("text differs:\n%s", diff)
	}
	if m.Meta().Source[1].Text != "x\r\n" || !strings.HasSuffix(m.Meta().Source[0].Text, "\true | row(N, R).\n% no line feed") &&
		!strings.HasSuffix(m.Meta().Source[0].Text, "\ttrue | row(N, R).\n% no line feed") {
		t.Errorf("source texts %q", m.Meta().Source)
	}
}

func TestTextRoundTripOfAnyTrace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := tracer.NewMemory()
		tracertest.Draw(t, m)
		var b bytes.Buffer
		must.Do(t, tracer.WriteText(&b, m))
		back := tracer.NewMemory()
		if err := tracer.ReadText(bytes.NewReader(b.Bytes()), back); err != nil {
			t.Fatalf("%v in:\n%s", err, b.Bytes())
		}
		if diff := tracertest.Diff(m, back); diff != "" {
			t.Fatalf("the trace differs:\n%s", diff)
		}
	})
}

func TestReadTextTranslatesIds(t *testing.T) {
	m := tracer.NewMemory()
	m.Dict().Add(tracer.Code{Type: tracer.Host, Name: "alpha"})
	m.Dict().AddContext(tracer.Context{Code: 1})
	m.Stream(tracer.StreamInfo{Name: "mine"})
	const text = "whorl 1\nstream 0 name=\"theirs\"\ncode 1 type=\"metric\" name=\"m\"\ncode 5 type=\"name\" name=\"n\" parent=1\n" +
		"context 9 code=5\n3 Sample pe=0 code=1 ref=9 peer=9\n"
	must.Do(t, tracer.ReadText(strings.NewReader(text), m))
	es := tracertest.Events(t, m, tracer.AllKinds)
	if len(es) != 1 || m.Dict().Code(es[0].Code).Name != "m" || es[0].Ref != 2 || es[0].Peer != 2 {
		t.Fatalf("events %v, want a sample of metric m in context 2 with the labels of context 2", es)
	}
	c := m.Dict().Code(m.Dict().Context(2).Code)
	if c.Name != "n" || m.Dict().Code(c.Parent).Name != "m" {
		t.Errorf("context 2 has the code %+v, want n below m", c)
	}
	if s := m.Streams(); len(s) != 2 || s[1].Name != "theirs" {
		t.Errorf("streams %v", s)
	}
}

func TestReadTextErrors(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		line             int
	}{
		{"empty", "", `expected "whorl 1"`, 1},
		{"foreign", "PE_max = 4\n", `expected "whorl 1"`, 1},
		{"kind", "whorl 1\n\n5 Redcue pe=0\n", `unknown kind of event "Redcue"; did you mean Reduce?`, 3},
		{"field", "whorl 1\n5 Reduce pe=0 tsak=3\n", `unknown field of an event "tsak"; did you mean task?`, 2},
		{"line", "whorl 1\nmetta program=\"x\"\n", `unknown line "metta"; did you mean meta?`, 2},
		{"number", "whorl 1\n5 Reduce pe=x\n", `pe="x": expected an integer of 32 bits`, 2},
		{"large", "whorl 1\n5 Reduce pe=4294967296\n", "expected an integer of 32 bits", 2},
		{"negative", "whorl 1\n5 Reduce task=-1\n", "expected a natural number of 64 bits", 2},
		{"time", "whorl 1\n5x Reduce pe=0\n", `"5x": expected a time in ns`, 2},
		{"back", "whorl 1\n5 Busy pe=0\n4 Idle pe=0\n", "time 4 follows 5 in the same stream", 3},
		{"stream", "whorl 1\n5 Busy pe=0 stream=1\n", "no stream line has this number", 2},
		{"stream order", "whorl 1\nstream 1\n", "expected stream 0", 2},
		{"pe order", "whorl 1\npe 3\n", "expected pe 0", 2},
		{"string", "whorl 1\nmeta program=\"x\n", "unterminated string", 2},
		{"unquoted", "whorl 1\nmeta program=x\n", "expected a quoted string", 2},
		{"no field", "whorl 1\nmeta program\n", `"program" is not of the form key=value`, 2},
		{"text", "whorl 1\n| x\n", "source text without a source line", 2},
		{"parent", "whorl 1\ncode 1 type=\"clause\" parent=2\n", "no such code before it", 2},
		{"context parent", "whorl 1\ncontext 1 parent=1\n", "no such context before it", 2},
		{"code 0", "whorl 1\ncode 0 type=\"name\"\n", "code 0: expected a number above 0 that is not used yet", 2},
		{"twice", "whorl 1\ncode 1 name=\"a\"\ncode 1 name=\"b\"\n", "code 1: expected a number above 0 that is not used yet", 3},
		{"type", "whorl 1\ncode 1 type=\"prosedure\"\n", `did you mean procedure?`, 2},
		{"scale", "whorl 1\ncode 1 scale=NaN\n", "expected a number", 2},
		{"coords", "whorl 1\npe 0 coords=1,,2\n", "expected integers separated by commas", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := tracer.ReadText(strings.NewReader(c.text), tracer.NewMemory())
			var at *tracer.TextError
			if !errors.As(err, &at) || at.Line != c.line || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want line %d: ...%s...", err, c.line, c.want)
			}
		})
	}
}

// TestReadTextCut cuts texts within a line: the events before it are read, and the metadata say what is missing.
func TestReadTextCut(t *testing.T) {
	for text, want := range map[string]string{
		"5 Busy pe=0\n6 Id": `the rest from line 3 on: the line is cut: unknown kind of event "Id"`,
		"5 Busy pe=0\n6":    "the rest from line 3 on: the line is cut: ",
		"extra key=\"missing\" value=\"a block\"\n5 Busy pe=0\n6 Idle pe=": "a block; the rest from line 4 on: the line is cut: ",
		"5 Busy pe=0": "",
	} {
		m := tracer.NewMemory()
		must.Do(t, tracer.ReadText(strings.NewReader("whorl 1\n"+text), m))
		must.Do(t, m.Close())
		if meta := m.Meta(); !strings.HasPrefix(meta.Missing(), want) || want == "" && meta.Missing() != "" || m.Counts()[tracer.Busy] != 1 {
			t.Errorf("%q: missing %q, want %q", text, meta.Missing(), want)
		}
	}
	for _, text := range []string{"whorl 1\n5 Bu", "whorl 1\nmeta prog", "whorl 1\n5 Busy pe=0\n5 Bu\n", "whorl 1\n5 Busy pe=0\n5 Bu\n\n"} {
		if err := tracer.ReadText(strings.NewReader(text), tracer.NewMemory()); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

func TestDictOfNaN(t *testing.T) {
	var d tracer.Dict
	if a, b := d.Add(tracer.Code{Scale: math.NaN()}), d.Add(tracer.Code{Scale: math.NaN()}); a != b {
		t.Errorf("ids %d and %d for the same entry", a, b)
	}
}

func FuzzReadText(f *testing.F) {
	f.Add([]byte(golden))
	f.Add([]byte("whorl 1\n5 Busy pe=0\n"))
	f.Add([]byte("whorl 1\nsource name=\"a\"\n| b\n+=\"\\xff\"\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m := tracer.NewMemory()
		if tracer.ReadText(bytes.NewReader(data), m) != nil {
			return
		}
		var b bytes.Buffer
		must.Do(t, tracer.WriteText(&b, m))
		back := tracer.NewMemory()
		if err := tracer.ReadText(&b, back); err != nil {
			t.Fatalf("cannot read the written text: %v", err)
		}
		if diff := tracertest.Diff(m, back); diff != "" {
			t.Fatalf("the trace differs:\n%s", diff)
		}
	})
}

package table

import (
	"math"
	"os"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	derived "whorl/tracer/derive/table"
)

// read returns the table of a text.
func read(t *testing.T, text string) *derived.Table {
	t.Helper()
	m := tracer.NewMemory()
	must.Do(t, Read(strings.NewReader(text), m, "latency/table.csv"))
	must.Do(t, m.Close())
	if meta := m.Meta(); meta.Program != "latency" || meta.Substrate != Substrate {
		t.Errorf("the table is called %s, of %s", meta.Program, meta.Substrate)
	}
	return must.Get(derived.Build(m))(t)
}

func TestRead(t *testing.T) {
	table := read(t, "program,pes,time_ns,bytes,speedup,note\n\"a,b\",1,250.125,7,,\nc,2,,8,0.1,x y\n")
	if table.Rows != 2 || len(table.Columns) != 6 {
		t.Fatalf("%d rows, %d columns", table.Rows, len(table.Columns))
	}
	for _, c := range []struct {
		name, unit string
		texts      []string
		numbers    []float64
	}{
		{"program", "", []string{"a,b", "c"}, nil},
		{"pes", "", nil, []float64{1, 2}},
		{"time_ns", "ns", nil, []float64{250.125, math.NaN()}},
		{"bytes", "B", nil, []float64{7, 8}},
		{"speedup", "", nil, []float64{math.NaN(), 0.1}},
		{"note", "", []string{"", "x y"}, nil},
	} {
		got := table.Column(c.name)
		if got == nil || got.Unit != c.unit || len(got.Texts) != len(c.texts) || len(got.Numbers) != len(c.numbers) {
			t.Errorf("column %s is %+v", c.name, got)
			continue
		}
		for i, text := range c.texts {
			if got.Texts[i] != text {
				t.Errorf("%s of row %d is %q, want %q", c.name, i, got.Texts[i], text)
			}
		}
		for i, x := range c.numbers {
			if got.Numbers[i] != x && !(math.IsNaN(x) && math.IsNaN(got.Numbers[i])) {
				t.Errorf("%s of row %d is %v, want %v", c.name, i, got.Numbers[i], x)
			}
		}
	}
	if table.Column("nothing") != nil {
		t.Error("a column without a name in the table")
	}
}

func TestWrongTables(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "a table has a line of names and at least one row"},
		{"a,b\n", "at least one row"},
		{"a,b\n1\n", "line 2: wrong number of fields"},
		{"a\"b\n1\n3\n", `line 1: bare " in non-quoted-field`},
		{"a,a\n1,2\n", `line 1: two columns, or one without a name, are called "a"`},
		{"a,\n1,2\n", `are called ""`},
		{strings.Repeat("a,", 2000) + "b\n" + strings.Repeat("1,", 2000) + "2\n", "line 1: more than 1,024 columns"},
	} {
		err := Read(strings.NewReader(c.text), tracer.NewMemory(), "g.csv")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.20q: %v, want %s", c.text, err, c.want)
		}
	}
}

// TestDamagedRows reads tables with some damaged rows: the others are there.
func TestDamagedRows(t *testing.T) {
	for text, want := range map[string]string{
		"a,b\n1,2\n3\n4,5\n":          "a row: line 3: wrong number of fields",
		"a,b\n1,2\n3\n4,5\n6":         "2 rows, the first of them: line 3: wrong number of fields",
		"a,b\n1,2\n4,5\n\"6,7\n8,9\n": `a row: line 5: extraneous or missing " in quoted-field`,
		"a,b\n1,2\n4,5\nx\"y,7\n":     `a row: line 4: bare " in non-quoted-field`,
	} {
		m := tracer.NewMemory()
		must.Do(t, Read(strings.NewReader(text), m, "g.csv"))
		must.Do(t, m.Close())
		if meta := m.Meta(); meta.Missing() != want || m.Counts()[tracer.Counter] != 4 {
			t.Errorf("%q: %d values, missing %q", text, m.Counts()[tracer.Counter], meta.Missing())
		}
	}
}

// FuzzRead checks that a table that is read can be derived, with its rows.
func FuzzRead(f *testing.F) {
	f.Add("a,b\n1,x\n2.5,\n")
	f.Add(string(must.Get(os.ReadFile("../../../testdata/traces/sweep.csv"))(f)))
	f.Fuzz(func(t *testing.T, text string) {
		m := tracer.NewMemory()
		if Read(strings.NewReader(text), m, "x.csv") != nil {
			return
		}
		must.Do(t, m.Close())
		must.Get(derived.Build(m))(t)
	})
}

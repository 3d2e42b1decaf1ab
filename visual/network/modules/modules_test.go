package modules_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"whorl/tracer"
	"whorl/visual/glyph"
	"whorl/visual/network"
	"whorl/visual/network/modules"
	"whorl/visual/network/still"
	"whorl/visual/network/testdata/moduletest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
	"whorl/visual/view/page"
	"whorl/visual/views"
)

var catalog = modules.Catalog(views.All)

// call runs a transform on a matrix.
func call(t *testing.T, module string, values map[string]string, inputs ...any) any {
	t.Helper()
	v, err := moduletest.Run(catalog, module, values, inputs...)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// matrix returns a matrix of rows.
func matrix(rows ...[]float64) *network.Matrix {
	m := &network.Matrix{Title: "x", Rows: network.Numbered("row", len(rows)), Cols: network.Numbered("column", len(rows[0]))}
	for _, r := range rows {
		m.Values = append(m.Values, r...)
	}
	return m
}

func TestMatrices(t *testing.T) {
	m := matrix([]float64{1, 8}, []float64{0, 0}, []float64{0, 0}, []float64{3, 2}, []float64{4, 4})
	for _, c := range []struct {
		module string
		values string // name=value, separated by blanks
		rows   string
		want   []float64
	}{
		{"skip", "most=1", "0 3 4", []float64{1, 8, 3, 2, 4, 4}},
		{"skip", "most=2", "0 1 2 3 4", m.Values},
		{"bin", "rows=2 by=maximum", "0–1 2–3 4", []float64{1, 8, 3, 2, 4, 4}},
		{"bin", "rows=4 by=sum", "0–3 4", []float64{4, 10, 4, 4}},
		{"normalise", "of=maximum", "0 1 2 3 4", []float64{1. / 8, 1, 0, 0, 0, 0, 3. / 8, 2. / 8, .5, .5}},
		{"normalise", "of=sum within=row", "0 1 2 3 4", []float64{1. / 9, 8. / 9, 0, 0, 0, 0, .6, .4, .5, .5}},
		{"normalise", "of=maximum within=column", "0 1 2 3 4", []float64{.25, 1, 0, 0, 0, 0, .75, .25, 1, .5}},
		{"smooth", "columns=1", "0 1 2 3 4", []float64{4.5, 4.5, 0, 0, 0, 0, 2.5, 2.5, 4, 4}},
		{"smooth", "columns=0", "0 1 2 3 4", m.Values},
		{"rows", "first=4 count=9", "3 4", []float64{3, 2, 4, 4}},
		{"rows", "count=1", "0", []float64{1, 8}},
		{"cluster", "", "0 1 2 3 4", m.Values},
		{"strips", "rows=2", "0 1 2 3 4", m.Values},
	} {
		values := map[string]string{}
		for _, s := range strings.Fields(c.values) {
			k, v, _ := strings.Cut(s, "=")
			values[k] = v
		}
		got := call(t, c.module, values, m).(*network.Matrix)
		if rows := strings.Join(got.Rows.Labels, " "); rows != c.rows && c.module != "cluster" {
			t.Errorf("%s %s: rows %s, expected %s", c.module, c.values, rows, c.rows)
		}
		if c.module != "cluster" && !slices.EqualFunc(got.Values, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
			t.Errorf("%s %s: %v, expected %v", c.module, c.values, got.Values, c.want)
		}
	}
}

// TestCluster checks that rows of two families, mixed at first, lie beside those of their family.
func TestCluster(t *testing.T) {
	var rows [][]float64
	for i := range 10 {
		rows = append(rows, []float64{float64(i%2) * 100, float64(i)})
	}
	got := call(t, "cluster", nil, matrix(rows...)).(*network.Matrix)
	changes := 0
	for r := 1; r < 10; r++ {
		if got.At(r, 0) != got.At(r-1, 0) {
			changes++
		}
	}
	if changes != 1 {
		t.Errorf("the families change %d times, expected once: %v", changes, got.Values)
	}
}

func TestDifference(t *testing.T) {
	a, b := matrix([]float64{1, 8}), matrix([]float64{3, 3})
	if got := call(t, "difference", nil, a, b).(*network.Matrix); !slices.Equal(got.Values, []float64{-2, 5}) {
		t.Error(got.Values)
	}
	_, err := moduletest.Run(catalog, "difference", nil, a, matrix([]float64{1, 2, 3}))
	if err == nil || !strings.Contains(err.Error(), "a has 1 rows and 2 columns, b has 1 and 3") {
		t.Error(err)
	}
}

func TestTables(t *testing.T) {
	in, err := network.ReadCSV("t.csv", strings.NewReader("name,work (ns),x\na,5,\nb,7,1\nc,2,3\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		values map[string]string
		want   string
	}{
		{map[string]string{"most": "2"}, "name,work (ns),x\nb,7,1\na,5,\n"},
		{map[string]string{"order": "smallest"}, "name,work (ns),x\nc,2,3\na,5,\nb,7,1\n"},
		{map[string]string{"column": "x"}, "name,work (ns),x\nc,2,3\nb,7,1\na,5,\n"},
	} {
		var out bytes.Buffer
		if err := call(t, "rank", c.values, in).(*network.Table).WriteCSV(&out); err != nil || out.String() != c.want {
			t.Errorf("%v: %s, %v", c.values, out.String(), err)
		}
	}
	if _, err := moduletest.Run(catalog, "rank", map[string]string{"column": "wrk"}, in); err == nil || !strings.Contains(err.Error(), "did you mean work?") {
		t.Error(err)
	}
	if _, err := network.ReadCSV("t.csv", strings.NewReader("a,b\n1\n")); err == nil {
		t.Error("a table with a short line was read")
	}
}

func TestMeasure(t *testing.T) {
	in, err := network.ReadCSV("t.csv", strings.NewReader("name,work (ns),all runs\na,6,3\nb,7,2\n"))
	if err != nil {
		t.Fatal(err)
	}
	got := call(t, "measure", map[string]string{"name": "each", "as": "work / all_runs"}, in).(*network.Table)
	if c := got.Columns[3]; c.Heading() != "each (ns)" || !slices.Equal(c.Numbers, []float64{2, 3.5}) || len(in.Columns) != 3 {
		t.Errorf("%s: %v, and the input has %d columns", c.Heading(), c.Numbers, len(in.Columns))
	}
	_, err = moduletest.Run(catalog, "measure", map[string]string{"as": "wrk / 2"}, in)
	if err == nil || !strings.Contains(err.Error(), "work") {
		t.Error(err)
	}
}

// traces returns traces of goals, threads and samples.
func traces(t *testing.T) map[string]tracer.Source {
	all := map[string]tracer.Source{"samples": viewtest.Called(), "lines": viewtest.Sampled()}
	for _, name := range []string{"live-goals", "live-threads"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "traces", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		m := tracer.NewMemory()
		if err := tracer.ReadText(bytes.NewReader(text), m); err != nil {
			t.Fatal(err)
		}
		all[name] = m
	}
	return all
}

// TestDisplays draws the results of all filters on traces in all views that can show the whole trace.
func TestDisplays(t *testing.T) {
	all := traces(t)
	for _, name := range []string{"live-goals", "live-threads", "lines", "samples"} {
		src := all[name]
		for _, filter := range []string{
			"module = \"time\"\nfrom = \"20%\"\nto = \"70%\"\ntrace = \"in\"", "module = \"pe\"\npes = \"0-1\"\ntrace = \"in\"",
			"module = \"expression\"\nwhere = \"pe = 1 or time < 5ms\"\ntrace = \"in\"", "module = \"share\"\nleast = 5\ntrace = \"in\"", "module = \"procedure\"\nname = \".*a.*\"\ntrace = \"in\"", "module = \"merge\"\ntraces = [\"in\", \"in\"]",
		} {
			for _, k := range views.All {
				if k.Modules || k.CanOpen(src) != nil || k.Picture.Params() == nil {
					continue
				}
				text := fmt.Sprintf("[modules.in]\nmodule = \"trace\"\n[modules.some]\n%s\n[modules.out]\nmodule = %q\ntrace = \"some\"\n", filter, k.Name)
				if err := draw(src, text); err != nil && !expected(err) {
					t.Errorf("%s: %s: %v\n%s", name, k.Name, err, text)
				}
			}
		}
	}
}

// expected reports whether an error says that there is nothing left to show.
func expected(err error) bool {
	return strings.Contains(err.Error(), "this trace") || strings.Contains(err.Error(), "no procedure of the trace") || strings.Contains(err.Error(), "no work") ||
		strings.Contains(err.Error(), "nothing moves the bodies")
}

func draw(src tracer.Source, text string) error {
	n, err := catalog.Read("n.toml", text)
	if err != nil {
		return err
	}
	plan, err := (&network.Builder{Catalog: catalog}).Build(n)
	if err != nil {
		return err
	}
	s := &still.Network{Plan: plan, Data: view.NewData(src), Text: glyph.New()}
	defer s.Data.Close()
	_, err = s.Picture(context.Background(), s.Result(), 400, 300, page.Shot{})
	return err
}

// TestExamples draws the examples that need a trace.
func TestExamples(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "examples", "modules", "perfviss.toml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := draw(viewtest.Sampled(), string(text)); err != nil {
		t.Error(err)
	}
}

// TestShares checks the sizes of pictures on a page.
func TestShares(t *testing.T) {
	m, err := catalog.Module("row")
	if err != nil {
		t.Fatal(err)
	}
	v, err := m.Parse(map[string]string{"shares": "3, 1"})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := modules.Shares(v, 2); err != nil || !slices.Equal(got, []float64{0.75, 0.25}) {
		t.Error(got, err)
	}
	for _, wrong := range []string{"0", "a", "1,-1", "1,,2"} {
		if _, err := m.Parse(map[string]string{"shares": wrong}); err == nil {
			t.Errorf("shares %q are accepted", wrong)
		}
	}
}

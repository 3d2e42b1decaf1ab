package documents_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer/store"
	"whorl/visual/documents"
	"whorl/visual/glyph"
	"whorl/visual/network"
	"whorl/visual/network/modules"
	"whorl/visual/network/still"
	"whorl/visual/sheet"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
	"whorl/visual/view/page"
	"whorl/visual/views"
)

const exportText = `
[modules.run]
module = "trace"
[modules.part]
module = "procedure"
name = "NAME"
trace = "run"
[modules.work]
module = "profile"
trace = "part"
[modules.left]
module = "sheet"
table = "work"
[modules.right]
module = "sheet"
table = "work"
[modules.page]
module = "row"
pictures = ["left", "right"]
[modules.csv]
module = "csv"
name = "x.csv"
table = "work"
[modules.save]
module = "save"
name = "x.whorl"
trace = "part"
[modules.drawn]
module = "picture"
name = "x.svg"
size = "700x500"
picture = "page"
`

// exports computes the exports of the text with a name of a procedure, by their names, a little at a time.
func exports(t *testing.T, procedure string) (files map[string][]byte, errs map[string]error) {
	t.Helper()
	catalog := modules.Catalog(views.All)
	plan := must.Get((&network.Builder{Catalog: catalog}).Build(must.Get(catalog.Read("n.toml", strings.Replace(exportText, "NAME", procedure, 1)))(t)))(t)
	n := &still.Network{Plan: plan, Data: view.NewData(viewtest.Small()), Text: glyph.New()}
	defer n.Data.Close()
	files, errs = map[string][]byte{}, map[string]error{}
	for _, o := range n.Exports() {
		e := documents.BeginExport(n, o, sheet.Sheet{W: 400, H: 300}, page.Shot{})
		done, err := false, error(nil)
		for !done && err == nil {
			done, err = e.Compute(context.Background(), 1)
		}
		var b bytes.Buffer
		if err == nil {
			err = e.Write(context.Background(), &b)
		}
		files[o.Use.Name], errs[o.Use.Name] = b.Bytes(), err
		e.Rest()
	}
	return files, errs
}

// TestExport writes a table, a trace, and a picture of a page in the size that it names.
func TestExport(t *testing.T) {
	files, errs := exports(t, "work/1")
	for name, err := range errs {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if lines := strings.Split(strings.TrimSpace(string(files["csv"])), "\n"); len(lines) != 3 || !strings.HasPrefix(lines[1], "work/1,85,") || !strings.HasPrefix(lines[2], "main/0,0,") { // an ancestor without its cost
		t.Errorf("the table is\n%s", files["csv"])
	}
	saved := must.Get(store.OpenAt(bytes.NewReader(files["save"]), int64(len(files["save"]))))(t)
	defer saved.Close()
	if counts, want := saved.Counts(), viewtest.Small().Counts(); counts == want || saved.Meta().Program != viewtest.Small().Meta().Program {
		t.Errorf("the trace has all events %v, or is of another program", counts)
	}
	if !strings.Contains(string(files["drawn"]), `viewBox="0 0 700 500"`) {
		t.Errorf("the picture begins with %.200s", files["drawn"])
	}
}

// TestExportErrors: an error names the export and the module that failed.
func TestExportErrors(t *testing.T) {
	_, errs := exports(t, "nobody")
	for _, name := range []string{"csv", "save", "drawn"} {
		if err := errs[name]; err == nil || !strings.HasPrefix(err.Error(), name+": ") || !strings.Contains(err.Error(), `"part", module procedure: no procedure of the trace matches "nobody"`) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

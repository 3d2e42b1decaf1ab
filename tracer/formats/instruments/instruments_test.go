package instruments

import (
	"os"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/formats/profile"
	"whorl/tracer/testdata/profiletest"
)

func read(texts ...string) (*tracer.Memory, error) {
	return profiletest.Read(Read, "rank%d.xml", profile.Options{}, texts...)
}

// TestRead reads the rows of two threads. A row of the main thread refers to the stack of another row. A row of the worker has no stack.
func TestRead(t *testing.T) {
	text := string(must.Get(os.ReadFile("../../../testdata/profiles/small.xctrace.xml"))(t))
	m := must.Get(read(text))(t)
	if got := profiletest.Functions(t, m, "time", 9); got != "5000000 ns\n3000000 3000000 [libsystem_kernel.dylib]\n2000000 2000000 sweep\n0 5000000 main\n" {
		t.Error(got)
	}
	got := profiletest.Text(t, m)
	for _, part := range []string{
		"pe 0 process=\"heat (581)\" thread=\"Main Thread 0x12aa\"\npe 1 process=\"heat (581)\" thread=\"worker 0x12ab\"\n", `missing" value="1 row without a stack"`,
		`name="sweep" file="/src/heat.c"`, `file="/src/heat.c" line=7`, "\n300613208 Sample pe=0 ref=2 ", "\n301613208 Sample pe=0 ref=2 ", "\n302613208 Sample pe=1 ref=3 ",
	} {
		if !strings.Contains(got, part) {
			t.Errorf("no %q in\n%s", part, got)
		}
	}
}

func TestDamaged(t *testing.T) {
	const row = `<trace-query-result><node><row><sample-time id="1">5</sample-time><backtrace id="2"><frame id="3" name="f"/></backtrace></row>`
	m := must.Get(read(row + `<row><sample-time ref="9"/><backtrace ref="2"/></row><row><sam`))(t)
	meta := m.Meta()
	if got := meta.Missing(); got != "1 reference to unknown elements; the rest of rank0.xml from line 1 on: XML syntax error on line 1: unexpected EOF" {
		t.Errorf("missing %q", got)
	}
	if got := profiletest.Functions(t, m, "samples", 1); got != "2 samples\n2 2 f\n" {
		t.Error(got)
	}
	for _, c := range []struct{ text, want string }{
		{"<trace-toc><run></run></trace-toc>", `rank0.xml: a table of contents; export the samples: xctrace export --input x.trace --xpath '/trace-toc/run[1]/data/table[@schema="time-profile"]'`},
		{"<trace-query-result>\n<row><a>", "rank0.xml: line 2, column 9: XML syntax error on line 2: unexpected EOF"},
		{"<row>" + strings.Repeat("<a>", 99), "rank0.xml: line 1, column 201: more than 64 elements within each other"},
	} {
		if _, err := read(c.text); err == nil || err.Error() != c.want {
			t.Errorf("%.50q: %v, want %s", c.text, err, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	profiletest.Fuzz(f, Read, Detect, `<trace-query-result><node><row><sample-time id="1">5</sample-time><weight id="5">7</weight><backtrace id="2"><frame id="3" name="f"><source line="3"><path id="4">a.c</path></source></frame><frame ref="3"/></backtrace></row></node>`)
}

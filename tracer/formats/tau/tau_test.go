package tau

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/formats/profile"
	"whorl/tracer/testdata/profiletest"
)

// read reads texts as files of some names.
func read(names []string, texts ...string) (*tracer.Memory, error) {
	m := tracer.NewMemory()
	var files []profile.File
	for i, text := range texts {
		files = append(files, profile.File{Name: names[i], Process: filepath.Base(names[i]), Host: filepath.Dir(names[i]), R: strings.NewReader(text)})
	}
	err := Read(files, m, profile.Options{})
	_ = m.Close()
	return m, err
}

// TestRanks reads the profiles of four ranks of an MPI program. A script in awk sums the values of its functions to these, and their calls to 48.
func TestRanks(t *testing.T) {
	names := must.Get(filepath.Glob("../../../testdata/tau/profile.*"))(t)
	var texts []string
	for _, name := range names {
		texts = append(texts, string(must.Get(os.ReadFile(name))(t)))
	}
	m := must.Get(read(names, texts...))(t)
	const want = `214047000 ns
108474000 108474000 MPI_File_open()
78474000 78474000 MPI_Init()
19161000 130567000 MPI_Finalize()
`
	if got := profiletest.Functions(t, m, "time", 3); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := profiletest.Functions(t, m, "calls", 1); got != "48 calls\n4 48 .TAU application\n" {
		t.Error(got)
	}
	if text := profiletest.Text(t, m); !strings.Contains(text, `pe 3 host="nid01045" process="rank 3"`) || !strings.Contains(text, `program="cpi-mpi"`) {
		t.Error(text)
	}
}

// TestMetrics reads two metrics of two threads, which lie in two folders, and the places of functions.
func TestMetrics(t *testing.T) {
	text := func(metric, main, f string) string {
		return "2 templated_functions_MULTI_" + metric + "\n# Name Calls\n\"main() [{a.c} {3,1}-{9,1}]\" 1 2 " + main + " 0 GROUP=\"A\"\n\"f C [{b.c} {7,1}-{8,1}]\" 2 0 " + f + " 0 GROUP=\"B => C\"\n0 aggregates\n"
	}
	m := must.Get(read([]string{"MULTI__TIME/profile.0.0.0", "MULTI__TIME/profile.0.0.1", "MULTI__PAPI_TOT_INS/profile.0.0.0", "MULTI__PAPI_TOT_INS/profile.0.0.1"},
		text("TIME", "5 8", "3 3"), text("TIME", "1 1", "0 0"), text("PAPI_TOT_INS", "50 80", "30 30"), text("PAPI_TOT_INS", "7 7", "0 0")))(t)
	for _, c := range []struct{ metric, want string }{
		{"time", "9000 ns\n6000 6000 main()\n3000 3000 f\n"},
		{"PAPI_TOT_INS", "87 PAPI_TOT_INS\n57 57 main()\n30 30 f\n"},
		{"calls", "6 calls\n4 4 f\n2 2 main()\n"},
	} {
		if got := profiletest.Functions(t, m, c.metric, 9); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.metric, got, c.want)
		}
	}
	got := profiletest.Text(t, m)
	for _, part := range []string{"pe 0 process=\"rank 0\" thread=\"thread 0\"\npe 1 process=\"rank 0\" thread=\"thread 1\"\n", `name="f" file="b.c" line=7`} {
		if !strings.Contains(got, part) {
			t.Errorf("no %s in\n%s", part, got)
		}
	}
}

// TestSuffixes reads paths of two functions each: main calls f and g, and both call h, which takes 30 of its 40 µs in f.
func TestSuffixes(t *testing.T) {
	const text = `7 templated_functions_MULTI_TIME
"main" 1 2 10 100 0
"f" 1 1 20 50 0
"g" 1 1 30 40 0
"h" 4 0 40 40 0
"main => f" 1 1 20 50 0
"f => h" 3 0 30 30 0
"g => h" 1 0 10 10 0
`
	m := must.Get(read([]string{"profile.0.0.0"}, text))(t)
	if got := profiletest.Functions(t, m, "time", 9); got != "100000 ns\n40000 40000 h\n30000 40000 g\n20000 50000 f\n10000 60000 main\n" {
		t.Error(got)
	}
}

func TestDamaged(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"hello\n", `x: line 1: expected "NUMBER templated_functions_MULTI_METRIC"`},
		{"1 templated_functions\n# Name\nmain 3\n", `x: line 3: expected a name in quotes and numbers, such as "main()" 1 2 30 40 0`},
		{"1 templated_functions\n\"main\" 3\n", `x: line 2: expected calls, subroutines, the exclusive and the inclusive value behind the name`},
		{"1 templated_functions\n\"main\" 3 2 x 1\n", `x: line 2: "x": expected a number`},
		{"1 templated_functions\n\"main\" 3 2 NaN 1\n", `x: line 2: "NaN": expected a number`},
	} {
		if _, err := read([]string{"x"}, c.text); err == nil || err.Error() != c.want {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
	m := must.Get(read([]string{"x"}, "3 templated_functions\n\"main\" 3 2 1 1\n"))(t)
	if meta := m.Meta(); meta.Missing() != "2 functions of x, which is cut" {
		t.Error(meta.Missing())
	}
}

func FuzzRead(f *testing.F) {
	profiletest.Fuzz(f, Read, Detect, "3 templated_functions_MULTI_TIME\n# <name>Hostname</name><value>x</value>\n\"a\" 1 2 3 4 0 GROUP=\"X\"\n\"a => b\" 1 2 3 4 0\n\"b => c [{x} {3,4}-{5,6}]\" 1 2 3 4 0\n")
}

package callgrind

import (
	"os"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/formats/profile"
	"whorl/tracer/testdata/profiletest"
)

func read(o profile.Options, texts ...string) (*tracer.Memory, error) {
	return profiletest.Read(Read, "rank%d.callgrind", o, texts...)
}

func file(t *testing.T, name string) string { return string(must.Get(os.ReadFile(name))(t)) }

// TestValgrind reads a profile of Callgrind 3.19 of calls.c. callgrind_annotate prints these exclusive costs, with fib and fib'2 apart; those of calls from
// other functions are 69 for twice in thrice, and 189 in main. The cost of leaf is divided among its callers by whole numbers.
func TestValgrind(t *testing.T) {
	m := must.Get(read(profile.Options{}, file(t, "testdata/calls.callgrind")))(t)
	const want = `10769 Ir
6739 6739 fib
3450 3450 leaf
228 10769 main
168 462 is_even
167 294 is_odd
11 146 thrice
6 257 twice
`
	if got := profiletest.Functions(t, m, "Ir", 7); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := profiletest.Functions(t, m, "calls", 2); got != "519 calls\n465 465 fib\n21 43 is_even\n" {
		t.Error(got)
	}
	meta := m.Meta()
	if meta.Program != "calls" || meta.Missing() != "" {
		t.Errorf("program %q, missing %q", meta.Program, meta.Missing())
	}
}

// TestForms reads the same profile in the forms that the format allows: with positions that count from the last one, with numbers for names, and of
// Xdebug, whose events have units.
func TestForms(t *testing.T) {
	const want = "820 Instructions\n700 700 func2\n100 400 func1\n20 820 main\n"
	for _, text := range []string{
		file(t, "../../../testdata/profiles/example.callgrind"),
		"# callgrind format\nevents: Instructions\n\nfl=file1.c\nfn=main\n16 20\ncfn=func1\ncalls=1 50\n* 400\ncfi=file2.c\ncfn=func2\ncalls=3 20\n* *\n\nfn=func1\n+35 -300\ncfi=file2.c\ncfn=func2\ncalls=2 20\n* 300\n\nfl=file2.c\nfn=func2\n-31 +400\n",
		"version: 1\npositions: instr line\nevents: Instructions\nob=(1) /bin/a\nfl=(1) file1.c\nfn=(1) main\n0x10 16 20\ncfn=(2) func1\ncalls=1 0x50 50\n+3 * 400\ncfi=(2) file2.c\ncfn=(3) func2\ncalls=3 0x90 20\n* * 400\n\nfn=(2)\n0x50 51 100\ncfi=(2)\ncfn=(3)\ncalls=2 0x90 20\n* * 300\njump=2 0x55 +1\n0x51 51\n\nfl=(2)\nfn=(3)\n0x90 20 700\n",
	} {
		if got := profiletest.Functions(t, must.Get(read(profile.Options{}, text))(t), "Instructions", 9); got != want {
			t.Errorf("%s\ngot\n%s\nwant\n%s", text, got, want)
		}
	}
	const xdebug = "version: 1\ncreator: xdebug 3.0.2 (PHP 7.4.14)\ncmd: /var/www/html/index.php\npart: 1\npositions: line\n\nevents: Time_(10ns) Memory_(bytes)\n\nfl=(1) file1.c\nfn=(1) main\n16 20 15000\ncfn=(2) func1\ncalls=1 50\n16 400 20000\n\nfn=(2)\n51 400 20000\n"
	m := must.Get(read(profile.Options{}, xdebug))(t)
	text := profiletest.Text(t, m)
	if got := profiletest.Functions(t, m, "Memory", 9); got != "35000 bytes\n20000 20000 func1\n15000 35000 main\n" || !strings.Contains(text, `name="Time" unit="ns" scale=10`) {
		t.Errorf("%s\n%s", got, text)
	}
}

// TestPlaces checks lines in other files, objects, unknown names and the names of recursive calls.
func TestPlaces(t *testing.T) {
	const want = `code 3 type="function" name="main" file="a.c"
code 4 type="line" file="b.h" line=7 parent=3
code 5 type="line" file="a.c" line=3 parent=3
code 6 type="function" name="[libm.so]" file="/lib/libm.so"
`
	m := must.Get(read(profile.Options{}, "# callgrind format\nevents: Ir\nob=/bin/a\nfl=a.c\nfn=main\n3 0\nfi=b.h\n7 4\nfe=a.c\ncob=/lib/libm.so\ncfi=???\ncfn=???\ncalls=1 0\n3 9\nfn=main'2\n7 0\nob=/lib/libm.so\nfl=???\nfn=???\n0 9\n"))(t)
	if got := profiletest.Text(t, m); !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestThreads checks the parts and the threads of a file.
func TestThreads(t *testing.T) {
	const text = "# callgrind format\npart: 1\nthread: 1\nevents: Ir\nsummary: 5\nfn=main\n1 5\ntotals: 5\npart: 1\nthread: 2\nevents: Ir\nsummary: 3\nfn=work\n1 3\ntotals: 3\npart: 2\nthread: 1\nevents: Ir\nfn=main\n1 2\ntotals: 2\n"
	for _, c := range []struct{ by, want string }{
		{"", "pe 0 process=\"rank0\" thread=\"thread 1\"\npe 1 process=\"rank0\" thread=\"thread 2\"\n"},
		{"process", "pe 0 process=\"rank0\"\n"},
	} {
		m := must.Get(read(profile.Options{Processor: c.by}, text))(t)
		if got := profiletest.Text(t, m); !strings.Contains(got, c.want) {
			t.Errorf("by %q: %s", c.by, got)
		}
		if got := profiletest.Functions(t, m, "Ir", 2); got != "10 Ir\n7 7 main\n3 3 work\n" {
			t.Errorf("by %q: %s", c.by, got)
		}
		if meta := m.Meta(); meta.Missing() != "" {
			t.Error(meta.Missing())
		}
	}
}

func TestDamaged(t *testing.T) {
	m := must.Get(read(profile.Options{}, "# callgrind format\nevents: Ir\nsummary: 900\nfn=main\nwhat\n1 5 \n2 x\n9999999999999999999 1\n"))(t)
	meta := m.Meta()
	const want = `1 cost without a valid number; 1 line of unknown form; line 5: "what"; expected KEY: VALUE, fn=NAME or a line number with costs; the end of rank0.callgrind: the file is cut, since its lines have 6 Ir of 900`
	if got := meta.Missing(); got != want {
		t.Errorf("missing %q, want %q", got, want)
	}
	for _, c := range []struct{ text, by, want string }{
		{"# callgrind format\n", "", "rank0.callgrind: no costs of functions"},
		{"events: Ir\nhello\n", "", `rank0.callgrind: no costs of functions; line 2: "hello"; expected KEY: VALUE, fn=NAME or a line number with costs`},
		{"fn=main\n3 4\n", "", `rank0.callgrind: line 2: costs before a line "events:"`},
		{"events: Ir\nfn=main\n3 4\nevents: Dr\n", "", `rank0.callgrind: line 4: events Dr: the part before has Ir`},
		{"events: Ir\nfn=main\n3 4\n", "threed", `unknown processor of Callgrind "threed"; did you mean thread?`},
	} {
		if _, err := read(profile.Options{Processor: c.by}, c.text); err == nil || err.Error() != c.want {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
}

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		head string
		want bool
	}{
		{"# callgrind format\n", true},
		{"version: 1\ncreator: xdebug\nevents: Time\n\nfl=a\n", true},
		{"desc: I1 cache: \ncmd: ./a\nevents: Ir\nfl=a.c\nfn=main\n1 2\n", true},
		{"events: Ir\n", false},
		{"hello\nevents: Ir\nfn=main\n", false},
		{"fn=main\n1 2\n", false},
	} {
		if Detect([]byte(c.head)) != c.want {
			t.Errorf("%q: %v", c.head, !c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	profiletest.Fuzz(f, Read, Detect,
		"# callgrind format\nevents: Ir Dr\nob=(1) a\nfl=(1) a.c\nfn=(1) main\n16 20 3\ncob=(1)\ncfn=(2) f\ncalls=2 +3\n* 400\nfn=(2)\n+3 7\ncfn=(1)\ncalls=1 1\n* 9\ntotals: 27 3\n",
		"positions: instr line\nevents: T_(10ns)\nfn=a\n0x10 3 4\n+1 -1 *\npart: 2\nthread: 7\nfn=a\n* * +3\n")
}

package cli

import (
	"bytes"
	"encoding/binary"
	"os"
	"strings"
	"testing"

	"whorl/cmd/whorl/internal/command"
	"whorl/testdata/must"
	"whorl/tracer/formats"
)

// TestWrongInput gives commands files and values that are wrong. The error names the file or the flag and says what was expected; nothing is printed or
// computed before.
func TestWrongInput(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name, text string) { must.Do(t, os.WriteFile(name, []byte(text), 0o666)) }
	write("p.fghc", "p(X) :- true | X = 1.\n")
	write("bytes.fghc", "p.\x00\xff")
	write("empty.whorl", "")
	write("notes.txt", "something else\n")
	write("open.go", "package p\nfunc (")
	write("unmarked.go", "package p\nfunc f() {}\n")
	must.Do(t, os.Mkdir("folder", 0o777))
	if got := execute(t, "", "run", "pascal", "5", "-o", "t.whorl"); got.status != 0 {
		t.Fatalf("%+v", got)
	}
	whole := string(must.Get(os.ReadFile("t.whorl"))(t))
	write("damaged.whorl", whole[:len(whole)/2]+"damaged"+whole[len(whole)/2+7:])
	const usage, failed = command.ExitUsage, command.ExitFailed
	var names []string
	for _, f := range formats.All {
		names = append(names, f.Name)
	}
	for _, c := range []struct {
		args, want string
		status     int
	}{
		{"run dts/fibonacci 5 --nodes 0", "--nodes is at least 1, not 0", usage},
		{"run dts/fibonacci 5 --nodes 1000", "--nodes is at most 256, not 1000", usage},
		{"run dts/fibonacci 5 --nodes 2 -o none/x.whorl", "cannot write none/x.whorl: no such file or directory", failed},
		{"render t.whorl --view timeline -o x.svg --legend outside", `unknown place of the legend "outside"; known are beside, below, inside, none`, usage},
		{"render t.whorl --view timeline -o x.svg --until -5s", `--until is a time of at least 0s such as 100us or 10s, not "-5s"`, usage},
		{"render absent.whorl --view timeline --legend none -o none/x.svg", "cannot write none/x.svg: no such file or directory", failed},
		{"render damaged.whorl --view timeline --legend inside -o x.svg", "damaged.whorl: damaged file: block ", usage},
		{"compare pascal 5 --pes 1 --picture none/x.svg", "cannot write none/x.svg: no such file or directory", failed},
		{"compare pascal 5 --pes 1 --picture p.fghc/x.svg", "cannot write p.fghc/x.svg: not a directory", failed},
		{"compare pascal 5 --pes 1 --picture x.gif", `x.gif: pictures are written as FILE.svg, FILE.png or FILE.pdf, not ".gif"`, usage},
		{"compare pascal 5 --pes 1 --picture folder", "folder is a folder: pictures are written as FILE.svg, FILE.png or FILE.pdf", usage},
		{"stats empty.whorl", "empty.whorl: not a trace: the file is empty", usage},
		{"stats notes.txt", "notes.txt: not a trace of a known format (whorl text " + strings.Join(names, " ") + `): it begins with "something else\n"`, usage},
		{"stats damaged.whorl", "damaged.whorl: damaged file: block ", usage},
		{"check folder", "folder: a folder, not a file", usage},
		{"check bytes.fghc", "bytes.fghc: not a text file", usage},
		{"check t.whorl", "t.whorl is a trace (whorl), not a program: whorl stats t.whorl or whorl render t.whorl", usage},
		{"dump --read t.whorl -o x.whorl", "t.whorl is a trace (whorl) already; dump --read reads the text that whorl dump t.whorl writes", usage},
		{"dump --read notes.txt -o x.whorl", `notes.txt: line 1: "something else": expected "whorl 1"`, usage},
		{"dump --read p.fghc", "dump --read needs a trace to write: -o FILE.whorl", usage},
		{"build p.fghc -o x --inline absent.go", "absent.go: no such file", usage},
		{"build p.fghc -o x --inline open.go", "open.go:2:7: expected ')', found 'EOF'", usage},
		{"build p.fghc -o x --inline unmarked.go", "unmarked.go: no function has a comment such as //whorl:inline", usage},
	} {
		got := execute(t, "", strings.Fields(c.args)...)
		if got.status != c.status || !strings.HasPrefix(got.err, "whorl: "+c.want) || got.out != "" {
			t.Errorf("%s: status %d, prints %q and %q, want status %d and %q", c.args, got.status, got.out, got.err, c.status, c.want)
		}
		for _, name := range []string{"x", "x.svg", "x.whorl"} {
			if _, err := os.Stat(name); err == nil {
				t.Errorf("%s: writes %s", c.args, name)
			}
		}
	}
}

// TestDamagedTrace reads a trace in which one block of events is damaged: commands leave out this block, say so, and succeed.
func TestDamagedTrace(t *testing.T) {
	t.Chdir(t.TempDir())
	if got := execute(t, "", "run", "queens", "5", "--pes", "2", "-o", "t.whorl"); got.status != 0 {
		t.Fatalf("%+v", got)
	}
	whole := must.Get(os.ReadFile("t.whorl"))(t)
	i := bytes.Index(whole, []byte("wblk\x03"))
	i += 16 + int(binary.LittleEndian.Uint32(whole[i+8:])) // the second block of events
	whole[i+60] ^= 1
	must.Do(t, os.WriteFile("t.whorl", whole, 0o666))
	for _, args := range []string{
		"stats t.whorl", "render t.whorl --view kaleidoscope -o t.png", "render t.whorl --view timeline -o t.svg", "report t.whorl -o t.html", "convert t.whorl whole.whorl",
	} {
		got := execute(t, "", strings.Fields(args)...)
		if got.status != 0 || !strings.HasPrefix(got.err, "whorl: t.whorl: damaged file: block ") || !strings.Contains(got.err, "this block is left out; 512 events or more are lost; all other events can be used") {
			t.Errorf("%s: status %d, %s", args, got.status, got.err)
		}
	}
	if got := execute(t, "", "stats", "whole.whorl"); got.status != 0 || !strings.Contains(got.out, "this block is left out") {
		t.Errorf("the part that is left, as a trace: %+v", got)
	}
	if got := execute(t, "", "dump", "t.whorl"); got.status != command.ExitUsage || !strings.HasPrefix(got.err, "whorl: t.whorl: damaged file: block ") {
		t.Errorf("dump: status %d, %s", got.status, got.err)
	}
}

package engine

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"whorl/fghc/builtin"
	"whorl/fghc/world"
	"whorl/testdata/must"
)

var update = flag.Bool("update", false, "rewrite the table of builtins in docs/fghc.md")

const (
	document   = "../../docs/fghc.md"
	tableTitle = "## All builtins"
)

// TestDocument runs the examples of docs/fghc.md: the lines of a block that begin with ?- are queries, and the comments
// that follow are the expected results.
func TestDocument(t *testing.T) {
	text := must.Get(os.ReadFile(document))(t)
	lines := strings.Split(string(text), "\n")
	examples := 0
	for i := 0; i < len(lines); i++ {
		if lines[i] != "```fghc" {
			continue
		}
		start := i + 1
		for i++; i < len(lines) && lines[i] != "```"; i++ {
		}
		examples += example(t, start+1, lines[start:i])
	}
	if examples < 30 {
		t.Errorf("only %d examples", examples)
	}
}

// example runs the queries of a block that begins at a line, and returns their number.
func example(t *testing.T, start int, block []string) (queries int) {
	t.Helper()
	var program []string
	for _, l := range block {
		if !strings.HasPrefix(l, "?- ") && !strings.HasPrefix(l, "% ") {
			program = append(program, l)
		}
	}
	src := strings.Join(program, "\n")
	for k, l := range block {
		if !strings.HasPrefix(l, "?- ") {
			continue
		}
		queries++
		said, in := 0, ""
		for _, want := range block[k+1:] {
			if line, ok := strings.CutPrefix(want, "% reads "); ok {
				in += line + "\n"
			}
		}
		for _, s := range []setup{onePE, {pes: 3, policy: "random", net: "all", seed: 1, collect: true}} {
			var out bytes.Buffer
			s.opts.World = &world.World{Stdin: strings.NewReader(in), Stdout: &out}
			r := runFile(t, "example", src, strings.TrimSuffix(l[len("?- "):], "."), s, nil)
			s.opts.World.Close()
			printed := ""
			for _, want := range block[k+1:] {
				want, ok := strings.CutPrefix(want, "% ")
				if !ok {
					break
				}
				said++
				if strings.HasPrefix(want, "reads ") {
					continue
				}
				if line, ok := strings.CutPrefix(want, "prints "); ok {
					printed += line + "\n"
					continue
				}
				var reductions int64
				text, isError := strings.CutPrefix(want, "error: ")
				switch n, _ := fmt.Sscanf(want, "%d reductions", &reductions); {
				case n == 1 && r.stats.Reductions != reductions:
					t.Errorf("line %d: %d reductions, expected %s", start+k, r.stats.Reductions, want)
				case n == 1:
				case isError && (r.err == nil || !strings.Contains(r.err.Error(), text)):
					t.Errorf("line %d: %s, %v\nexpected error %s", start+k, r.answer, r.err, text)
				case !isError && (r.err != nil || r.answer != want):
					t.Errorf("line %d: %s, %v\nexpected %s", start+k, r.answer, r.err, want)
				}
			}
			if out.String() != printed {
				t.Errorf("line %d: prints %q, expected %q", start+k, out.String(), printed)
			}
		}
		if said == 0 {
			t.Errorf("line %d: an example without a result", start+k)
		}
	}
	if queries == 0 {
		t.Errorf("line %d: an example without a query", start)
	}
	return queries
}

// TestDocumentedBuiltins compares the table in docs/fghc.md with package builtin.
func TestDocumentedBuiltins(t *testing.T) {
	var b strings.Builder
	b.WriteString(tableTitle + "\n\nWritten by a test (`go test ./fghc/engine -run Documented -update`).\n\n| builtin | guard | body | |\n|---|:-:|:-:|---|\n")
	mark := map[bool]string{true: "x"}
	for i := range builtin.All {
		x := &builtin.All[i]
		name := x.Title()
		if x.Class != "" {
			name = strings.Replace(name, "new/", "new("+x.Class+")/", 1)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", strings.ReplaceAll(name, "|", `\|`), mark[x.Guard], mark[x.Body], strings.ReplaceAll(x.Doc, "|", `\|`))
	}
	for _, c := range []struct {
		title, streams string
		all            []builtin.Command
	}{
		{"## All commands that open streams", "the streams of `klicio:klicio` and `unix:unix`", builtin.HostCommands},
		{"## All commands of bound sockets", "the streams of `bind`", builtin.SocketCommands},
		{"## All commands of streams", "the streams that these commands, `io:outstream` and similar builtins open", builtin.FileCommands},
	} {
		b.WriteString("\n" + c.title + "\n\nCommands of " + c.streams + ".\n\n| command | |\n|---|---|\n")
		for _, x := range c.all {
			fmt.Fprintf(&b, "| `%s/%d` | %s |\n", x.Name, len(x.Args), x.Doc)
		}
	}
	text := must.Get(os.ReadFile(document))(t)
	before, table, _ := strings.Cut(string(text), tableTitle)
	if *update {
		must.Do(t, os.WriteFile(document, []byte(before+b.String()), 0o666))
		return
	}
	if tableTitle+table != b.String() {
		t.Errorf("the table of builtins in %s differs from package builtin (-update rewrites it)", document)
	}
}

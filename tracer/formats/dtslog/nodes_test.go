package dtslog

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/threadgraph"
	"whorl/tracer/testdata/tracertest"
)

// severalPEs is the trace of three processes, of which the second has two PEs, the others one.
const severalPEs = `dtslog 1
program "p"
node 0 "h" "a"
clock virtual
1 start 1 function="main"
2 fork 2 1 on=1:1 function="f"
3 bjoin 1 2 from=1:1
9 ajoin 1 2 from=1:1
9 end 1

dtslog 1
node 1 "h" "b"
pes 2
clock virtual
0 init
3 start 2 from=0 function="f" pe=1
4 idle 2 reason="off cpu" pe=1
7 busy 2 pe=1
7 overhead
8 end 2 pe=1

dtslog 1
node 2 "h" "c"
clock virtual
5 init
`

// TestNodes reads a node with several PEs, and writes it back, in one file and in a file for each node.
func TestNodes(t *testing.T) {
	m, err := read(severalPEs)
	if err != nil {
		t.Fatal(err)
	}
	text := tracertest.Text(t, m)
	for _, want := range []string{
		"pes=4\n", "pe 2 host=\"h\" process=\"b\"\n", "pe 3 host=\"h\" process=\"c\"\n",
		"2 Fork pe=0 task=2 ref=1 peer=2 ", "3 Start pe=2 task=2 peer=0 ", "4 Idle pe=2 task=2 code=", "7 Overhead pe=1 ", "5 Init pe=3 ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if got := write(t, m); got != severalPEs {
		t.Errorf("written as\n%s", got)
	}
	g := must.Get(threadgraph.Build(m))(t)
	ran := int64(0)
	for i, to := g.Chain(g.Numbered(2)); i < to; i++ {
		ran += g.Run[i]
	}
	if ran != (8-3)-(7-4) {
		t.Errorf("thread 2, which had no core for 3 ns, ran for %d ns", ran)
	}
	var again []File
	err = WriteAll(m, func(name string, write func(io.Writer) error) error {
		var b bytes.Buffer
		again = append(again, File{name, &b})
		return write(&b)
	})
	if err != nil || len(again) != 3 || again[2].Name != "node2.dtslog" {
		t.Fatal(again, err)
	}
	other := tracer.NewMemory()
	must.Do(t, Read(again, other))
	must.Do(t, other.Close())
	if got := write(t, other); got != severalPEs {
		t.Errorf("from files\n%s", got)
	}
	// A node without events keeps its place, and a PE that its node lacks is unknown.
	short := strings.Replace(severalPEs, "on=1:1", "on=1:2", 1)
	for _, line := range []string{"0 init\n", "3 start 2 from=0 function=\"f\" pe=1\n", "4 idle 2 reason=\"off cpu\" pe=1\n", "7 busy 2 pe=1\n", "7 overhead\n", "8 end 2 pe=1\n"} {
		short = strings.Replace(short, line, "", 1)
	}
	m, err = read(short)
	want := strings.Replace(short, " on=1:2", "", 1)
	if got := write(t, m); err != nil || got != want {
		t.Errorf("%v, without events\n%swant\n%s", err, got, want)
	}
	failed := errors.New("failed")
	if err := WriteAll(m, func(string, func(io.Writer) error) error { return failed }); !errors.Is(err, failed) {
		t.Error(err)
	}
}

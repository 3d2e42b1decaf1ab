package open

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
)

// TestBegun opens the beginning of a long trace of events while the rest is read, and no beginning of a short one.
func TestBegun(t *testing.T) {
	write := func(n int) string {
		path := filepath.Join(t.TempDir(), "long.json")
		file := must.Get(os.Create(path))(t)
		out := bufio.NewWriter(file)
		random := rand.New(rand.NewPCG(1, 2))
		at := 0
		fmt.Fprint(out, `{"traceEvents":[`)
		for i := range n {
			at += random.IntN(1000)
			fmt.Fprintf(out, "{\"ph\":\"X\",\"name\":\"work %d\",\"pid\":1,\"tid\":%d,\"ts\":%d.%03d,\"dur\":0.%03d},\n", random.IntN(50), i%7, at, random.IntN(1000), random.IntN(500))
		}
		fmt.Fprint(out, `{"ph":"i","name":"end","pid":1,"tid":1,"ts":1e9}]}`)
		must.Do(t, out.Flush())
		must.Do(t, file.Close())
		return path
	}
	var began []*Trace
	trace := must.Get(Begun(write(200_000), func(b *Trace) { began = append(began, b) }))(t)
	defer trace.Close()
	if len(began) != 1 {
		t.Fatalf("%d beginnings", len(began))
	}
	events := func(tr *Trace) (n int64) {
		for _, c := range tr.Counts() {
			n += c
		}
		return n
	}
	if n, all := events(began[0]), events(trace); n == 0 || n >= all || began[0].Missing == "" {
		t.Errorf("the beginning has %d of %d events, missing %q", n, all, began[0].Missing)
	}
	read := 0
	must.Do(t, began[0].Scan(tracer.AllKinds, func(es []tracer.Event) error {
		read += len(es)
		return nil
	}))
	if int64(read) != events(began[0]) {
		t.Errorf("%d events are read, the counts say %d", read, events(began[0]))
	}
	must.Get(Begun(write(100), func(*Trace) { t.Error("a short trace has a beginning") }))(t).Close()
}

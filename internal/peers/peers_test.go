// Package peers measures what Whorl does beside programs of others that do the same, in one run on one machine, and reports the ratio.
// A benchmark whose peer is not installed is skipped; make bench-peers installs them where it can.
package peers

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"whorl/experiment"
	"whorl/tracer"
	"whorl/tracer/derive/spawntree"
	"whorl/visual/backend/svg"
	"whorl/visual/glyph"
	"whorl/visual/view"
	"whorl/visual/views/kaleidoscope"
)

func peer(b *testing.B, name string) string {
	path, err := exec.LookPath(name)
	if err != nil {
		b.Skip(name + " is not installed")
	}
	return path
}

// compare runs ours and theirs in turn, each of which returns the time it took, and reports both and how many times as fast ours was.
func compare(b *testing.B, units float64, unit, name string, ours, theirs func() time.Duration) {
	var a, z time.Duration
	n := 0
	for b.Loop() {
		a += ours()
		z += theirs()
		n++
	}
	per := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / float64(n) / units }
	b.ReportMetric(0, "ns/op") // of both together, which says nothing
	b.ReportMetric(per(a), "whorl-ns/"+unit)
	b.ReportMetric(per(z), name+"-ns/"+unit)
	b.ReportMetric(per(z)/per(a), "times-as-fast")
}

const nrev = `
nrev([], []).
nrev([X|Xs], Ys) :- nrev(Xs, Zs), app(Zs, [X], Ys).
app([], Ys, Ys).
app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).
main :- numlist(1, 1000, Xs), statistics(cputime, T0), nrev(Xs, _), statistics(cputime, T1), T is T1 - T0, write(T), nl.
`

// BenchmarkReverse is naive reversal of 1,000 elements: here as concurrent goals on a simulated machine of one PE, recording off, there as
// sequential Prolog in SWI's virtual machine.
func BenchmarkReverse(b *testing.B) {
	swipl := peer(b, "swipl")
	file := filepath.Join(b.TempDir(), "nrev.pl")
	if err := os.WriteFile(file, []byte(nrev), 0o644); err != nil {
		b.Fatal(err)
	}
	r := experiment.Defaults("fghc/nrev")
	r.PEs, r.Args = 1, []string{"1000"}
	prepared, err := r.Resolve()
	if err != nil {
		b.Fatal(err)
	}
	const inferences = 1001*1002/2 + 1000
	compare(b, inferences, "inference", "swipl", func() time.Duration {
		result, err := prepared.Run(context.Background(), nil, nil)
		if err != nil || result.Err != nil {
			b.Fatal(err, result)
		}
		return result.Wall
	}, func() time.Duration {
		out, err := exec.Command(swipl, "-O", "-g", "main", "-t", "halt", file).Output()
		if err != nil {
			b.Fatal(err)
		}
		seconds, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
		if err != nil {
			b.Fatal(err)
		}
		return time.Duration(seconds * 1e9)
	})
}

// BenchmarkRadial lays the reduction tree of Pascal's triangle out around its root and writes it as SVG: here from the trace in memory,
// there by Graphviz's radial layout from the tree in its own language, the start of the process included.
func BenchmarkRadial(b *testing.B) {
	twopi := peer(b, "twopi")
	r := experiment.Defaults("fghc/pascal")
	r.PEs = 5
	prepared, err := r.Resolve()
	if err != nil {
		b.Fatal(err)
	}
	trace := tracer.NewMemory()
	if result, err := prepared.Run(context.Background(), trace, nil); err != nil || result.Err != nil {
		b.Fatal(err, result)
	}
	tree, err := spawntree.Build(trace)
	if err != nil {
		b.Fatal(err)
	}
	var dot bytes.Buffer
	dot.WriteString("digraph { node [shape=point]; root=0;\n")
	for i, parent := range tree.Parent {
		if parent >= 0 {
			fmt.Fprintf(&dot, "%d -> %d;\n", parent, i)
		}
	}
	dot.WriteString("}\n")
	glyphs := glyph.New()
	compare(b, float64(tree.Len()), "node", "twopi", func() time.Duration {
		begin := time.Now()
		list, err := view.Render(context.Background(), kaleidoscope.Kind(), trace, nil, 1200, 900, glyphs)
		if err != nil {
			b.Fatal(err)
		}
		if err := svg.Write(io.Discard, list, svg.Options{Measure: glyphs}); err != nil {
			b.Fatal(err)
		}
		return time.Since(begin)
	}, func() time.Duration {
		begin := time.Now()
		cmd := exec.Command(twopi, "-Tsvg")
		cmd.Stdin = bytes.NewReader(dot.Bytes())
		if _, err := cmd.Output(); err != nil {
			b.Fatal(err)
		}
		return time.Since(begin)
	})
}

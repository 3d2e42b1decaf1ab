package pprof

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"testing"

	library "github.com/google/pprof/profile"

	"whorl/testdata/must"
	"whorl/tracer/formats/profile"
	"whorl/tracer/store"
)

// A program is the common part of the processes of a run: a profile without samples, and its stacks.
type program struct {
	*library.Profile
	stacks [][]*library.Location
}

// large returns a program of 2,000 functions and 8,000 places, with stacks of 12 to 40 places. Each place calls three others, one of them most
// often; calls vary more towards the leaves.
func large(stacks int) *program {
	p := &library.Profile{SampleType: []*library.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}}}
	m := &library.Mapping{ID: 1, Start: 0x400000, Limit: 1 << 30, File: "/bin/server", HasFunctions: true}
	p.Mapping = []*library.Mapping{m}
	for i := range 2000 {
		p.Function = append(p.Function, &library.Function{
			ID: uint64(i + 1), Name: fmt.Sprintf("server/internal/part%d.(*Thing).Method%d", i%40, i), Filename: fmt.Sprintf("/src/server/internal/part%d/file%d.go", i%40, i%7),
		})
	}
	for i := range 8000 {
		p.Location = append(p.Location, &library.Location{
			ID: uint64(i + 1), Mapping: m, Address: 0x400000 + uint64(i)*16, Line: []library.Line{{Function: p.Function[i/4], Line: int64(i % 500)}},
		})
	}
	r := rand.New(rand.NewPCG(7, 7))
	next := make([][3]int, len(p.Location))
	for i := range next {
		next[i] = [3]int{r.IntN(len(next)), r.IntN(len(next)), r.IntN(len(next))}
	}
	out := &program{Profile: p}
	seen := map[string]bool{}
	for len(out.stacks) < stacks {
		var stack []*library.Location
		var key []byte
		at, depth := r.IntN(4), 12+r.IntN(28)
		for d := range depth {
			stack = append(stack, p.Location[at])
			key = strconv.AppendInt(append(key, ' '), int64(at), 36)
			branch := 0
			if r.IntN(60) < 1+d*d*8/(depth*depth) {
				branch = 1 + r.IntN(2)
			}
			at = next[at][branch]
		}
		if !seen[string(key)] {
			seen[string(key)] = true
			slices.Reverse(stack)
			out.stacks = append(out.stacks, stack)
		}
	}
	return out
}

// process returns the profile of a process, which has most of the stacks, each once.
func (p *program) process(seed uint64) *library.Profile {
	r := rand.New(rand.NewPCG(seed, 1))
	out := &library.Profile{SampleType: p.SampleType, Mapping: p.Mapping, Function: p.Function, Location: p.Location}
	for _, stack := range p.stacks {
		if r.IntN(4) > 0 {
			n := 1 + int64(r.ExpFloat64()*3)
			out.Sample = append(out.Sample, &library.Sample{Location: stack, Value: []int64{n, n * 10_000_000}})
		}
	}
	r.Shuffle(len(out.Sample), func(i, k int) { out.Sample[i], out.Sample[k] = out.Sample[k], out.Sample[i] })
	return out
}

// files returns the compressed profiles of n processes, a megabyte each. They repeat after 64.
func files(t testing.TB, n int) (packed [][]byte, size int64) {
	p := large(90_000)
	for i := range n {
		if i < 64 {
			packed = append(packed, packedProfile(t, p.process(uint64(i))))
		} else {
			packed = append(packed, packed[i-64])
		}
		size += int64(len(packed[i]))
	}
	return packed, size
}

func named(packed [][]byte) (all []File) {
	for i, b := range packed {
		all = append(all, File{Name: fmt.Sprintf("rank%d", i), R: bytes.NewReader(b)})
	}
	return all
}

// merged merges profiles with the library, eight at a time to bound memory.
func merged(t testing.TB, packed [][]byte) *library.Profile {
	var sum *library.Profile
	for some := range slices.Chunk(packed, 8) {
		var all []*library.Profile
		if sum != nil {
			all = append(all, sum)
		}
		for _, b := range some {
			p := must.Get(library.ParseData(b))(t)
			all = append(all, p)
		}
		var err error
		if sum, err = library.Merge(all); err != nil {
			t.Fatal(err)
		}
	}
	return sum
}

// many is the number of files that BenchmarkMany reads: go test -bench Many -benchtime 1x -args -files 1024.
var many = flag.Int("files", 16, "number of files of a megabyte in BenchmarkMany")

// BenchmarkMany makes one trace file of the profiles of many processes, and merges the same profiles with the library. It reports processor
// time, because other programs may run, and the peak memory of the process without the files.
func BenchmarkMany(b *testing.B) {
	packed, size := files(b, *many)
	measure := func(b *testing.B, f func()) {
		b.SetBytes(size)
		runtime.GC()
		before := used(b)
		for b.Loop() {
			f()
		}
		b.ReportMetric(float64(used(b)-before)/float64(b.N)/float64(len(packed))/1e6, "cpu-ms/file")
		b.ReportMetric(peak(b), "peak-MB")
	}
	b.Run("whorl", func(b *testing.B) {
		measure(b, func() {
			w := store.New(io.Discard)
			must.Do(b, Read(named(packed), w, profile.Options{}))
			must.Do(b, w.Close())
		})
	})
	b.Run("library", func(b *testing.B) {
		measure(b, func() { merged(b, packed) })
	})
}

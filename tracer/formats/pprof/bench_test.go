package pprof

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	library "github.com/google/pprof/profile"

	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// large is a profile of about a megabyte: stacks of a program of 2,000 functions, 12 to 40 deep. Each place calls three others, one of them in
// most cases.
func large(seed uint64) *library.Profile {
	r := rand.New(rand.NewPCG(seed, 1))
	p := &library.Profile{SampleType: []*library.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}}}
	m := &library.Mapping{ID: 1, Start: 0x400000, Limit: 1 << 30, File: "/bin/server", HasFunctions: true}
	p.Mapping = []*library.Mapping{m}
	for i := range 2000 {
		p.Function = append(p.Function, &library.Function{ID: uint64(i + 1), Name: fmt.Sprintf("server/internal/part%d.(*Thing).Method%d", i%40, i), Filename: fmt.Sprintf("/src/server/internal/part%d/file%d.go", i%40, i%7)})
	}
	for i := range 8000 {
		p.Location = append(p.Location, &library.Location{
			ID: uint64(i + 1), Mapping: m, Address: 0x400000 + uint64(i)*16, Line: []library.Line{{Function: p.Function[i/4], Line: int64(i % 500)}},
		})
	}
	calls := rand.New(rand.NewPCG(7, 7)) // the same program each time
	next := make([][3]int, len(p.Location))
	for i := range next {
		next[i] = [3]int{calls.IntN(len(next)), calls.IntN(len(next)), calls.IntN(len(next))}
	}
	for range 40_000 {
		s := &library.Sample{Value: []int64{1 + int64(r.IntN(3)), 10_000_000}}
		at := r.IntN(4)
		for range 12 + r.IntN(28) {
			s.Location = append(s.Location, p.Location[at])
			at = next[at][max(r.IntN(30)-27, 0)]
		}
		slices.Reverse(s.Location)
		p.Sample = append(p.Sample, s)
	}
	return p
}

// BenchmarkMany reads the profiles of eight processes into one trace; the library reads and merges them.
func BenchmarkMany(b *testing.B) {
	var files [][]byte
	size := int64(0)
	for i := range 8 {
		data := packedProfile(b, large(uint64(i)))
		files = append(files, data)
		size += int64(len(data))
	}
	b.Run("whorl", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			m := tracer.NewMemory()
			var all []File
			for _, f := range files {
				all = append(all, File{Name: "x", R: bytes.NewReader(f)})
			}
			if err := Read(all, m, profile.Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("library", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			var all []*library.Profile
			for _, f := range files {
				p, err := library.ParseData(f)
				if err != nil {
					b.Fatal(err)
				}
				all = append(all, p)
			}
			if _, err := library.Merge(all); err != nil {
				b.Fatal(err)
			}
		}
	})
}

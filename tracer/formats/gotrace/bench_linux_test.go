package gotrace

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/exp/trace"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/formats/gotrace/testdata/programs"
	"whorl/tracer/formats/profile"
	"whorl/tracer/store"
)

var benchmarked = flag.String("of", "", "a trace for the benchmarks")

// long returns the trace of the flag, or one of a pool with at least some bytes.
func long(b *testing.B, size int) []byte {
	if *benchmarked != "" {
		return must.Get(os.ReadFile(*benchmarked))(b)
	}
	for times := 100; ; times *= 4 {
		data := programs.Record(func() {
			for range times {
				programs.All["pool"]()
				programs.All["pipeline"]()
			}
		})
		if len(data) >= size {
			return data
		}
	}
}

// records counts the records of a trace.
func records(data []byte) (n int) {
	r := newReader(profile.File{R: bytes.NewReader(data)}, discard(), profile.Options{})
	if r.file.begin() != nil {
		return 0
	}
	for r.next() {
		for _, th := range r.gen.order {
			for th.rewind(); th.read(r); n++ {
			}
		}
	}
	return n
}

// A nothing is a recorder that keeps no events.
type nothing struct{ dict tracer.Dict }

func discard() *nothing { return &nothing{} }

func (n *nothing) Dict() *tracer.Dict  { return &n.dict }
func (n *nothing) SetMeta(tracer.Meta) {}
func (n *nothing) Close() error        { return nil }
func (n *nothing) Stream(tracer.StreamInfo) *tracer.Stream {
	return tracer.NewStream(tracer.Segment{Rows: make([]tracer.Event, 512), Fill: new(tracer.Fill)}, func(s tracer.Segment) tracer.Segment { return s })
}

// used returns the processor time of this process in ns.
func used(b *testing.B) int64 {
	var u syscall.Rusage
	must.Do(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return u.Utime.Nano() + u.Stime.Nano()
}

// BenchmarkRead reads a trace into nothing, into memory and into a file, and with the oracle.
func BenchmarkRead(b *testing.B) {
	data := long(b, 4<<20)
	n := records(data)
	for _, c := range []struct {
		name string
		run  func()
	}{
		{"nothing", func() { must.Do(b, Read(profile.File{R: bytes.NewReader(data)}, discard(), profile.Options{})) }},
		{"memory", func() {
			must.Do(b, Read(profile.File{R: bytes.NewReader(data)}, tracer.NewMemory(), profile.Options{}))
		}},
		{"file", func() {
			w := must.Get(store.Create(filepath.Join(b.TempDir(), "x.whorl")))(b)
			must.Do(b, Read(profile.File{R: bytes.NewReader(data)}, w, profile.Options{}))
			must.Do(b, w.Close())
		}},
		{"oracle", func() {
			r := must.Get(trace.NewReader(bytes.NewReader(data)))(b)
			for {
				_, err := r.ReadEvent()
				if errors.Is(err, io.EOF) {
					return
				}
				must.Do(b, err)
			}
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			before := used(b)
			for b.Loop() {
				c.run()
			}
			all := float64(n) * float64(b.N)
			b.ReportMetric(all/b.Elapsed().Seconds()/1e6, "Mevents/s")
			b.ReportMetric(float64(used(b)-before)/all, "cpu-ns/event")
		})
	}
}

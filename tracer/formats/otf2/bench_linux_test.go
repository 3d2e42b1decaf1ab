package otf2

import (
	"os"
	"syscall"
	"testing"
	"time"

	"whorl/testdata/must"
	"whorl/tracer/formats/profile"
	"whorl/tracer/store"
)

// BenchmarkRead reads an archive of 10^6 events on 16 locations into a trace in memory. With OTF2_ARCHIVE=FOLDER it writes one of 10^7 events
// there first, for otf2-print, and reads that.
func BenchmarkRead(b *testing.B) {
	folder, events := os.Getenv("OTF2_ARCHIVE"), 10_000_000
	if folder == "" {
		folder, events = b.TempDir(), 1_000_000
	}
	a := ring(16, events, 1<<20)
	a.save(b, folder)
	bytes := 0
	for _, e := range a.events {
		bytes += len(e)
	}
	b.SetBytes(int64(bytes))
	before := processor()
	for b.Loop() {
		w := store.New(store.NewGrowing())
		must.Do(b, Read(os.DirFS(folder), "t.otf2", w, profile.Options{}))
		must.Do(b, w.Close())
	}
	b.ReportMetric((processor()-before).Seconds()/float64(b.N), "cpu_s/op")
	b.ReportMetric(float64(b.N)*float64(events)/b.Elapsed().Seconds()/1e6, "M_events/s")
}

// processor returns the processor time that the process has used.
func processor() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

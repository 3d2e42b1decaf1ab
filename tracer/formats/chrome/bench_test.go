package chrome

import (
	"io"
	"runtime"
	"strconv"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/formats/profile"
	"whorl/tracer/store"
)

// A generator writes a trace of some threads with nested slices and flows between them, as Chromium writes it.
type generator struct {
	size, events int64 // written so far
	most         int64 // bytes
	rest         []byte
	buf          []byte
}

const benchThreads = 16

// Read implements io.Reader.
func (g *generator) Read(p []byte) (int, error) {
	if len(g.rest) == 0 {
		if g.size >= g.most {
			return 0, io.EOF
		}
		g.buf = g.buf[:0]
		for range 200 {
			g.task()
		}
		g.rest = g.buf
		g.size += int64(len(g.buf))
	}
	n := copy(p, g.rest)
	g.rest = g.rest[n:]
	return n, nil
}

// task writes a task: a slice with two slices in it, and a flow from the thread before.
func (g *generator) task() {
	if g.events == 0 {
		g.buf = append(g.buf, `{"traceEvents":[`...)
	}
	n := g.events / 5
	thread, at := n%benchThreads, n*7
	event := func(more string, thread, at int64, rest string) {
		g.buf = append(g.buf, "{\"args\":{\"src_file\":\"content/browser/scheduler.cc\"},\"cat\":\"toplevel\",\"name\":\""...)
		g.buf = append(g.buf, more...)
		g.buf = append(g.buf, ",\"pid\":1234,\"tid\":"...)
		g.buf = strconv.AppendInt(g.buf, 100+thread, 10)
		g.buf = append(g.buf, ",\"ts\":"...)
		g.buf = strconv.AppendInt(g.buf, 16525370408+at, 10)
		g.buf = append(g.buf, rest...)
		g.buf = append(g.buf, "},\n"...)
		g.events++
	}
	id := ",\"id\":" + strconv.FormatInt(n, 10)
	event(`flow","ph":"s"`, (thread+benchThreads-1)%benchThreads, at-20, id)
	event(`ThreadControllerImpl::RunTask","ph":"X"`, thread, at, `,"dur":90,"tdur":80,"tts":`+strconv.FormatInt(n*80, 10))
	event(`flow","ph":"f","bp":"e"`, thread, at+1, id)
	event(`SimpleWatcher::OnHandleReady","ph":"X"`, thread, at+10, `,"dur":30`)
	event(`LocalFrameView::performLayout","ph":"X"`, thread, at+45, `,"dur":40`)
}

// BenchmarkRead reads 200 MB as a trace is opened.
func BenchmarkRead(b *testing.B) {
	events, most := int64(0), uint64(0)
	b.SetBytes(200 << 20)
	for b.Loop() {
		text := &generator{most: 200 << 20}
		g := store.NewGrowing()
		w := store.New(g)
		must.Do(b, Read(profile.File{Name: "bench", R: text}, w, profile.Options{}))
		must.Do(b, w.Close())
		if g.Counts()[tracer.Busy] == 0 {
			b.Fatal("no slices")
		}
		events += text.events
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		most = max(most, m.HeapSys-m.HeapReleased)
	}
	b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
	b.ReportMetric(float64(most)/1e6, "MB")
}

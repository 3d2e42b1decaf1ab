package otf2

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// read reads an archive and returns its trace, and the text about missing data.
func read(t testing.TB, folder fstest.MapFS) (m *tracer.Memory, missing string, err error) {
	m = tracer.NewMemory()
	err = Read(folder, "t.otf2", m, profile.Options{})
	meta := m.Meta()
	must.Do(t, m.Close())
	return m, meta.Missing(), err
}

// TestBad reads damaged and incomplete archives. The intact records are read, and the metadata name the others.
func TestBad(t *testing.T) {
	const events = 1000
	good, missing, err := read(t, ring(4, events, 1<<12).files())
	if err != nil || missing != "" {
		t.Fatalf("an archive without faults: %v, %s", err, missing)
	}
	sends := good.Counts()[tracer.Send]
	for _, tt := range []struct {
		name    string
		change  func(fs fstest.MapFS)
		want    string // in the error or in the text about missing data
		failing bool
		least   int64 // sends
	}{
		{"no definitions", func(fs fstest.MapFS) { delete(fs, "t.def") }, "the archive has no file t.def", true, 0},
		{"definitions of another kind", func(fs fstest.MapFS) { fs["t.def"].Data = []byte("text") }, `t.def: no file of OTF2: it begins with "text"`, true, 0},
		{"anchor of SIONlib", func(fs fstest.MapFS) { fs["t.otf2"].Data[28] = substrateSION }, "SIONlib", true, 0},
		{"anchor cut", func(fs fstest.MapFS) { fs["t.otf2"].Data = fs["t.otf2"].Data[:30] }, "the anchor file ends after 30 bytes", true, 0},
		{"anchor with short chunks", func(fs fstest.MapFS) { fs["t.otf2"].Data[13] = 0 }, "chunks of 0 bytes", true, 0},
		{"events cut", func(fs fstest.MapFS) { f := fs["t/1.evt"]; f.Data = f.Data[:len(f.Data)/2] }, "1 file of events without an end", false, sends / 2},
		{"no events of a rank", func(fs fstest.MapFS) { delete(fs, "t/2.evt") }, "1 location without a file of events", false, sends / 2},
		{"events of another kind", func(fs fstest.MapFS) { fs["t/0.evt"].Data = []byte("text that is no file of events") }, "1 file of events without an end", false, sends / 2},
		{"events cut behind a record", func(fs fstest.MapFS) { f := fs["t/1.evt"]; f.Data = f.Data[:len(f.Data)-2] }, "1 file of events without an end", false, sends},
		{"local definitions cut", func(fs fstest.MapFS) { f := fs["t/1.def"]; f.Data = f.Data[:chunkHead] }, "1 file of local definitions without an end", false, sends},
		{"anchor without its properties", func(fs fstest.MapFS) { fs["t.otf2"].Data = fs["t.otf2"].Data[:len(fs["t.otf2"].Data)-20] }, "the end of the anchor file: the file is cut", false, sends},
		{"definitions cut behind a record", func(fs fstest.MapFS) { f := fs["t.def"]; f.Data = f.Data[:len(f.Data)-2] }, "the end of the definitions: the file is cut", false, sends},
		{"definitions cut", func(fs fstest.MapFS) { f := fs["t.def"]; f.Data = f.Data[:len(f.Data)-40] }, "bytes of damaged definitions", false, 0},
		{"a newer version", func(fs fstest.MapFS) { fs["t.otf2"].Data[8] = 9 }, "newer versions of OTF2", false, sends},
	} {
		a := ring(4, events, 1<<12).files()
		tt.change(a)
		m, missing, err := read(t, a)
		said := missing
		if err != nil {
			said = err.Error()
		}
		if (err != nil) != tt.failing || !strings.Contains(said, tt.want) || m.Counts()[tracer.Send] < tt.least {
			t.Errorf("%s: %v; missing %q, %d messages; expected %q, at least %d", tt.name, err, missing, m.Counts()[tracer.Send], tt.want, tt.least)
		}
	}
}

// TestDamagedChunk damages a record in the middle of a file of events. The next chunk is read again.
func TestDamagedChunk(t *testing.T) {
	a := ring(2, 2000, 512).files()
	m, _, err := read(t, a)
	must.Do(t, err)
	whole := m.Counts()[tracer.Send]
	events := a["t/1.evt"].Data
	copy(events[len(events)/2/512*512+100:], "\xc8\xff\xff\xff\xff\xff\xff\xff\xff\xff")
	m, missing, err := read(t, a)
	must.Do(t, err)
	if n := m.Counts()[tracer.Send]; n < whole*9/10 || !strings.Contains(missing, "1 chunk of events with a damaged end") {
		t.Errorf("%d messages of %d; missing %q", n, whole, missing)
	}
}

// TestRecords reads records that contradict each other or are not known.
func TestRecords(t *testing.T) {
	a := newWritten(2, 1<<12)
	a.event(0, 100, leave, regionWork)                // not begun
	a.event(0, 200, enter, regionMain)                // begins the task
	a.event(0, 300, enter, regionWork)                //
	a.event(0, 400, leave, regionMain)                // leaves work too
	a.event(0, 350, enter, regionWork)                // before the last
	a.event(0, 500, 200, 1, 2, 3)                     // of a newer version
	a.event(0, 600, mpiSend, 77, 0, 1, 8)             // to a rank that is not there
	a.event(0, 700, mpiSend, 1, 0, 1, 8)              // not received
	a.event(0, 800, mpiSend, 1)                       // too short
	a.event(0, 900, enter, 99)                        // not defined
	a.event(0, 1000, mpiCollectiveEnd, 0, 0, 0, 0, 0) // not begun
	a.event(0, 1100, threadTeamEnd, 0)                // not begun
	a.event(0, 1200, threadTaskComplete, 0, 0, 5)     // not created
	a.event(0, 1300, rmaCompleteBlocking, 0, 5)       // not begun
	a.event(0, 1400, mpiSend, undefined-1, 0, 1, 8)   // to nobody
	a.event(0, math.MaxUint64, leave, regionWork)     // far away
	a.event(1, 150, mpiRecv, 0, 0, 2, 8)              // not sent
	_, missing, err := read(t, a.files())
	must.Do(t, err)
	for _, want := range []string{
		"1 end of regions without a beginning", "2 regions left with the one around them", "2 times before the last one", "1 record of unknown types",
		"1 message of unknown ranks", "1 message without a receipt", "1 record shorter than their type", "1 region without a definition",
		"1 end of collective operations without a beginning", "1 end of teams without a beginning", "1 task without a creation",
		"1 end of one-sided operations without a beginning", "1 message without an origin",
	} {
		if !strings.Contains(missing, want) {
			t.Errorf("%q does not have %q", missing, want)
		}
	}
}

// TestChunks reads the same events in chunks of many lengths, through windows of many lengths.
func TestChunks(t *testing.T) {
	want := text(t, ring(3, 600, 1<<20).files(), "t.otf2")
	for chunk := 64; chunk < 3000; chunk = chunk*5/3 + 7 {
		if got := text(t, ring(3, 600, chunk).files(), "t.otf2"); got != want {
			t.Errorf("chunks of %d bytes give another trace", chunk)
		}
	}
	for width := 1; width < 200; width = width*3/2 + 5 {
		m := tracer.NewMemory()
		r, err := prepare(ring(3, 600, 500).files(), "t.otf2", m, profile.Options{})
		must.Do(t, err)
		for _, l := range r.locations {
			l.width, l.keep = width, width%2 == 0
		}
		r.align()
		r.merge()
		r.finish()
		must.Do(t, m.Close())
		if got := textOf(t, m); got != want {
			t.Errorf("windows of %d bytes give another trace", width)
		}
	}
}

// TestPlaces reads an archive whose threads are defined in turns: those of a process have PEs side by side. Of the programs that its groups name, that of
// the first group counts.
func TestPlaces(t *testing.T) {
	const processes = 20
	a := newWritten(0, 1<<12)
	for p := range processes {
		a.define(defString, 100+p, fmt.Sprintf("program %d", p))
		a.define(defNode, p, 100+p, 100+p, undefined)
		a.define(defGroupOfPEs, p, 100+p, byte(1), p, undefined)
	}
	for l := range 2 * processes {
		a.define(defString, 200+l, fmt.Sprintf("thread %d", l))
		a.define(defLocation, l, 200+l, byte(1), 1, l%processes)
	}
	m, _, err := read(t, a.files())
	must.Do(t, err)
	meta := m.Meta()
	if meta.Program != "program 0" {
		t.Errorf("program %q", meta.Program)
	}
	for i, pe := range meta.PEInfo {
		if want := fmt.Sprintf("program %d", i/2); pe.Process != want {
			t.Fatalf("PE %d is of %s; expected %s", i, pe.Process, want)
		}
	}
	if len(meta.PEInfo) != 2*processes {
		t.Errorf("%d PEs", len(meta.PEInfo))
	}
}

// TestTimer turns ticks into ns: with another resolution, and with offsets of the clock.
func TestTimer(t *testing.T) {
	slow := timer{origin: 10, ticks: 3}
	if got := slow.ns(20); got != 3_333_333_333 {
		t.Errorf("10 ticks of a third of a second are %d ns", got)
	}
	var l local
	l.shift(100, 10)
	l.shift(200, 30)
	l.shift(300, -70)
	l.finish()
	shifted := timer{shifts: l.shifts, ticks: 1e9}
	for _, tt := range [][2]int64{{50, 50}, {100, 110}, {150, 170}, {200, 230}, {250, 230}, {300, 230}, {400, 230}} {
		if got := shifted.ns(uint64(tt[0])); got != tt[1] {
			t.Errorf("%d is %d, not %d", tt[0], got, tt[1])
		}
	}
	far := timer{ticks: 1}
	if got := far.ns(math.MaxUint64 / 2); got != farthest {
		t.Errorf("the end of time is %d", got)
	}
}

// TestAlign shifts the clock of one of two processes, as in archives without offsets: messages have their times again.
func TestAlign(t *testing.T) {
	a := newWritten(2, 1<<12)
	for i := range uint64(10) {
		at := 1_000_000 + i*10_000
		for rank := range uint64(2) {
			shift := rank * 900_000 // the second clock is behind
			a.event(int(rank), at-shift, enter, regionSend)
			a.event(int(rank), at+100-shift, mpiSend, 1-rank, 0, 0, 8)
			a.event(int(rank), at+200-shift, leave, regionSend)
			a.event(int(rank), at+300-shift, enter, regionReceive)
			a.event(int(rank), at+600-shift, mpiRecv, 1-rank, 0, 0, 8)
			a.event(int(rank), at+700-shift, leave, regionReceive)
		}
	}
	m, missing, err := read(t, a.files())
	must.Do(t, err)
	sent := map[uint64]int64{}
	must.Do(t, m.Scan(tracer.Kinds(tracer.Send, tracer.Recv), func(es []tracer.Event) error {
		for _, e := range es {
			if e.Kind == tracer.Send {
				sent[e.Ref] = e.Time
			} else if d := e.Time - sent[e.Ref]; d != 500 {
				t.Errorf("a message takes %d ns, not 500", d)
			}
		}
		return nil
	}))
	if len(sent) != 20 || missing != "" {
		t.Errorf("%d messages; %s", len(sent), missing)
	}
}

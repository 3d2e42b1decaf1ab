package store_test

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"whorl/testdata/must"
	"whorl/testdata/testenv"
	"whorl/tracer"
	"whorl/tracer/store"
)

const (
	childEnv     = "WHORL_TEST_RECORD"
	childStreams = 3
)

// childEvent is event i of a stream of the child.
func childEvent(stream int, i uint64, code uint32) tracer.Event {
	h := (i + uint64(stream)) * 0x9E3779B97F4A7C15
	return tracer.Event{
		Time: int64(i) * 10, Value: int64(h >> 40), Task: i<<2 | uint64(stream), Ref: h >> (h & 63), PE: int32(h & 15), Peer: int32(h>>8&15) - 2,
		Code: code, Kind: tracer.Mark - tracer.Kind(h>>16&7),
	}
}

// recordUntilKilled records on three streams from three goroutines, and prints the numbers of the events that must survive.
func recordUntilKilled(path string) {
	w, err := store.Create(path)
	if err != nil {
		panic(err)
	}
	w.SetMeta(tracer.Meta{Program: "child"})
	for n := range childStreams {
		s := w.Stream(tracer.StreamInfo{Name: fmt.Sprint(n)})
		go func() {
			rng := rand.New(rand.NewPCG(uint64(os.Getpid()), uint64(n)))
			var ack [9]byte
			for i := uint64(0); ; {
				code := w.Dict().Add(tracer.Code{Type: tracer.Name, Name: fmt.Sprint(n, "/", i>>14)})
				batch := uint64(1 + rng.IntN(3000))
				for range batch {
					*s.Slot() = childEvent(n, i, code)
					i++
				}
				sure := i - 1 // an event is whole after the next Slot or a Sync
				if rng.IntN(2) == 0 {
					s.Sync()
					sure = i
				}
				ack[0] = byte(n)
				binary.LittleEndian.PutUint64(ack[1:], sure)
				os.Stdout.Write(ack[:])
			}
		}()
	}
	select {}
}

// kill runs a child that records to path, kills it after d, or d after its first output, and returns the number it printed for each stream.
func kill(t *testing.T, path string, d time.Duration, told bool) (acks [childStreams]uint64) {
	exe := must.Get(os.Executable())(t)
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), childEnv+"="+path)
	out := must.Get(cmd.StdoutPipe())(t)
	must.Do(t, cmd.Start())
	end := func() { cmd.Process.Kill() }
	if !told {
		defer time.AfterFunc(d, end).Stop()
	}
	in := bufio.NewReader(out)
	for {
		var ack [9]byte
		if _, err := io.ReadFull(in, ack[:]); err != nil {
			break
		}
		if told {
			told = false
			defer time.AfterFunc(d, end).Stop()
		}
		acks[ack[0]] = binary.LittleEndian.Uint64(ack[1:])
	}
	if err := cmd.Wait(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Fatalf("the child ended by itself: %v", err)
	}
	return acks
}

// checkPrefix reads the trace and checks that each stream holds exactly its first events. It returns their numbers.
func checkPrefix(t *testing.T, f *store.File) []uint64 {
	t.Helper()
	got := make([]uint64, len(f.Streams()))
	must.Do(t, f.ScanStreams(tracer.AllKinds, func(stream int, es []tracer.Event) error {
		for _, e := range es {
			i := got[stream]
			if want := childEvent(stream, i, e.Code); e != want {
				return fmt.Errorf("event %d of stream %d is %+v, want %+v", i, stream, e, want)
			}
			if name := f.Dict().Code(e.Code).Name; name != fmt.Sprint(stream, "/", i>>14) &&
				(i == 0 || name != fmt.Sprint(stream, "/", (max(i, 3000)-3000)>>14)) { // the batch began before
				return fmt.Errorf("the code of event %d of stream %d is %q", i, stream, name)
			}
			got[stream]++
		}
		return nil
	}))
	return got
}

func TestKill(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		t.Skip("no ring here")
	}
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(1, 2))
	recorded, early := uint64(0), 0
	runs := 10
	if testenv.Soak() {
		runs = 50
	}
	for run := range runs {
		path := filepath.Join(dir, "killed.whorl")
		acks := kill(t, path, time.Duration(5+rng.IntN(40))*time.Millisecond, run%2 == 0)
		f, err := store.Open(path)
		if acks == [childStreams]uint64{} {
			early++ // the child may not even have come to create the file
			if err == nil {
				f.Close()
			}
			os.Remove(path)
			continue
		}
		if err != nil {
			t.Fatalf("run %d: %v", run, err)
		}
		if m := f.Missing(); !m.Unclosed || m.Ring != "" || m.Lost != 0 {
			t.Errorf("run %d: missing is %+v, want only Unclosed", run, m)
		}
		got := checkPrefix(t, f)
		for s, n := range acks {
			if n > 0 && got[s] < n {
				t.Errorf("run %d: stream %d has %d events; %d were recorded for sure", run, s, got[s], n)
			}
			recorded += n
		}
		if f.Meta().Program != "child" {
			t.Errorf("run %d: metadata %+v", run, f.Meta())
		}
		f.Close()
	}
	if recorded == 0 {
		t.Fatal("no child recorded an event")
	}
	t.Logf("%d events recorded for sure; %d children died before the first", recorded, early)
}

// TestKillWithoutTheRing checks that a trace without its ring reports the loss of the newest events.
func TestKillWithoutTheRing(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		t.Skip("no ring here")
	}
	path := filepath.Join(t.TempDir(), "killed.whorl")
	kill(t, path, 30*time.Millisecond, true)
	whole, err := store.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer whole.Close()
	all := checkPrefix(t, whole)

	ring := must.Get(os.ReadFile(path + ".ring"))(t)
	os.Remove(path + ".ring")
	f := must.Get(store.Open(path))(t)
	defer f.Close()
	less := false
	for s, n := range checkPrefix(t, f) {
		less = less || n < all[s]
	}
	if s := f.Missing().String(); !less || !strings.Contains(s, "killed.whorl.ring, which held them, does not exist") {
		t.Errorf("missing %q, and fewer events: %v", s, less)
	}

	ring[16] ^= 4 // the mark
	os.WriteFile(path+".ring", ring, 0o666)
	g := must.Get(store.Open(path))(t)
	defer g.Close()
	if s := g.Missing().String(); !strings.Contains(s, "belongs to another trace") {
		t.Errorf("missing %q", s)
	}
	_, err = store.Open(path + ".ring")
	var foreign *store.ForeignError
	if !errors.As(err, &foreign) || !strings.Contains(err.Error(), "open the trace itself") {
		t.Errorf("opening the ring: %v", err)
	}
}

// TestOpenWhileRecording opens a trace that is being recorded.
func TestOpenWhileRecording(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.whorl")
	w := must.Get(store.Create(path))(t)
	s := w.Stream(tracer.StreamInfo{})
	written := make(chan uint64)
	go func() {
		defer close(written)
		for i := range uint64(100_000) {
			*s.Slot() = childEvent(0, i, w.Dict().Add(tracer.Code{Type: tracer.Name, Name: fmt.Sprint(0, "/", i>>14)}))
			if i%5000 == 0 {
				written <- i
			}
		}
	}()
	for n := range written {
		f := must.Get(store.Open(path))(t)
		if got := checkPrefix(t, f); got[0] < n {
			t.Errorf("%d events to read of %d that were recorded", got[0], n)
		}
		f.Close()
	}
	must.Do(t, w.Close())
}

// TestCreateOverATraceInUse replaces a trace by a new recording while another process reads or records the old one.
func TestCreateOverATraceInUse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.whorl")
	record := func(n uint64) *store.Writer {
		w := must.Get(store.Create(path))(t)
		s := w.Stream(tracer.StreamInfo{})
		for i := range n {
			*s.Slot() = childEvent(0, i, w.Dict().Add(tracer.Code{Type: tracer.Name, Name: fmt.Sprint(0, "/", i>>14)}))
		}
		s.Sync()
		return w
	}
	first := record(50_000)
	f := must.Get(store.Open(path))(t)
	defer f.Close()
	second := record(7)
	if got := checkPrefix(t, f); got[0] != 50_000 {
		t.Errorf("the reader of the first trace finds %d events", got[0])
	}
	must.Do(t, first.Close())
	g := must.Get(store.Open(path))(t)
	defer g.Close()
	if got := checkPrefix(t, g); got[0] != 7 || g.Missing().Ring != "" {
		t.Errorf("the second trace has %d events, and misses %+v", got[0], g.Missing())
	}
	must.Do(t, second.Close())
}

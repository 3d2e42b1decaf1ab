package dts

import (
	"strings"
	"sync"
	"testing"
	"time"

	"whorl/testdata/must"
)

// A host is idle, then has a thread that runs, one that joins another, and then only threads that wait.
func TestStandstill(t *testing.T) {
	var reg Registry
	held, run := make(chan int), make(chan int)
	var lock sync.Mutex
	lock.Lock()
	inner := Register(&reg, "inner", func(*Worker, int) int { return <-held })
	outer := Register(&reg, "outer", func(w *Worker, _ int) int { return inner.Fork(w, 0).Join(w) })
	locked := Register(&reg, "locked", func(*Worker, int) int { lock.Lock(); defer lock.Unlock(); return 0 })
	busy := Register(&reg, "busy", func(*Worker, int) int {
		for {
			select {
			case v := <-run:
				return v
			default:
			}
		}
	})
	h := must.Get(NewHost(t.Context(), Options{PEs: 3, Funcs: &reg, Policy: "random"}))(t)
	await := func(want bool, check func(Standstill) bool) (s Standstill) {
		t.Helper()
		for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
			s, ok := h.Standstill()
			if ok == want && (!ok || check(s)) {
				return s
			} else if time.Now().After(end) {
				t.Fatalf("%+v, %v", s, ok)
			}
		}
	}
	await(true, func(s Standstill) bool { return s.Total == 0 && !s.Blocked })
	begun, _ := h.Idle()
	arg := must.Get(outer.Encode(0))(t)
	var over sync.WaitGroup
	for _, name := range []string{outer.Name(), locked.Name(), busy.Name()} {
		over.Add(1)
		must.Do(t, h.Do(Request{Name: name, Arg: arg}, func(Reply) { over.Done() }))
	}
	await(false, nil)
	run <- 1
	s := await(true, func(s Standstill) bool { return s.Total == 3 && s.Blocked })
	if now, idle := h.Idle(); idle || now <= begun {
		t.Errorf("idle: %v, progress %d after %d", idle, now, begun)
	}
	text := (&DeadlockError{Waiting: s.Waits, Total: s.Total}).List()
	for _, want := range []string{"standstill_test.go:", "waits (chan receive)", "waits (sync.Mutex.Lock)", "waits for thread"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %s", want, text)
		}
	}
	close(held)
	lock.Unlock()
	over.Wait()
	must.Do(t, h.Close())
}

// Goroutines of a dump are threads of this host, goroutines of the program, or neither.
func TestBlockedThreads(t *testing.T) {
	const (
		asleep  = "goroutine 5 [sync.Cond.Wait]:\nsync.runtime_notifyListWait(0x1)\n\tsema.go:1 +0x1\nwhorl/dts.(*queued).sleep(0x1, 0x2)\n\tqueued.go:1 +0x1\nwhorl/dts.(*queued).hold(0x1)\n\tqueued.go:2 +0x1\ncreated by whorl/dts.(*queued).run in goroutine 1\n\tqueued.go:3 +0x1"
		joining = "goroutine 6 [chan receive]:\nwhorl/dts.(*queued).join(0x1)\n\tqueued.go:4 +0x1\nmain.f(...)\n\tmain.go:1 +0x1\nwhorl/dts.(*queued).hold(0x1)\n\tqueued.go:2 +0x1"
		blocked = "goroutine 7 [chan receive (nil chan), 2 minutes, locked to thread]:\nmain.f({0x1, 0x2})\n\t/x/main.go:9 +0x1\nwhorl/dts.(*queued).hold(0x1)\n\tqueued.go:2 +0x1\ncreated by whorl/dts.(*queued).run in goroutine 1\n\tqueued.go:3 +0x1"
		sleeps  = "goroutine 8 [sleep]:\ntime.Sleep(0x1)\n\ttime.go:1 +0x1\nmain.f()\n\tmain.go:1 +0x1\nwhorl/dts.(*queued).hold(0x1)\n\tqueued.go:2 +0x1"
		network = "goroutine 9 [IO wait]:\nnet.Read()\n\tnet.go:1 +0x1\ncreated by github.com/nats-io/nats.go.Connect in goroutine 1\n\tnats.go:1 +0x1"
		reader  = "goroutine 10 [IO wait]:\nos.Read()\n\tos.go:1 +0x1\ncreated by main.main in goroutine 1\n\tmain.go:1 +0x1"
		nested  = "goroutine 11 [running]:\nmain.g()\n\tmain.go:1 +0x1\nwhorl/dts.(*system).execute(0x1)\n\texecute.go:1 +0x1\ncreated by whorl/dts.(*stacked).run in goroutine 7\n\tstacked.go:1 +0x1"
	)
	for _, c := range []struct {
		name  string
		dump  []string
		waits string
		ok    bool
	}{
		{"all wait", []string{asleep, joining, blocked, network}, "on : main.f (/x/main.go:9) waits (chan receive (nil chan))", true},
		{"a thread sleeps", []string{asleep, sleeps}, "", false},
		{"the program reads", []string{blocked, reader}, "", false},
		{"a run inside the run", []string{blocked, nested}, "", false},
		{"nothing", []string{"garbage", "goroutine 1 [", ""}, "", false},
	} {
		waits, ok := blockedThreads(strings.Join(c.dump, "\n\n"))
		text := ""
		for _, w := range waits {
			text += w.String()
		}
		if ok != c.ok || text != c.waits {
			t.Errorf("%s: %q, %v", c.name, text, ok)
		}
	}
}

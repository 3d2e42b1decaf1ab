package dts

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"whorl/testdata/must"
)

// A host is idle, then has a thread that runs, one that joins another, and then only threads that wait.
func TestStandstill(t *testing.T) {
	var reg Registry
	held := make(chan int)
	var enough atomic.Bool
	var lock sync.Mutex
	lock.Lock()
	inner := Register(&reg, "inner", func(*Worker, int) int { return <-held })
	outer := Register(&reg, "outer", func(w *Worker, _ int) int { return inner.Fork(w, 0).Join(w) })
	locked := Register(&reg, "locked", func(*Worker, int) int { lock.Lock(); defer lock.Unlock(); return 0 })
	busy := Register(&reg, "busy", func(*Worker, int) int {
		for !enough.Load() {
			runtime.Gosched()
		}
		return 0
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
	enough.Store(true)
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

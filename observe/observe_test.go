package observe_test

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"runtime/trace"
	"strings"
	"sync"
	"testing"

	"whorl/observe"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/formats/gotrace"
	"whorl/tracer/formats/profile"
	"whorl/tracer/observed"
	"whorl/tracer/testdata/tracertest"
)

// A mark is an operation in a trace.
type mark struct {
	task           uint64
	op             observed.Op
	object, number uint32
}

// record returns the operations of a run on a number of Ps, in the order of the trace, and the names of the functions of its goroutines.
func record(t *testing.T, procs int, run func()) (marks []mark, functions string) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
	var b bytes.Buffer
	must.Do(t, trace.Start(&b))
	run()
	trace.Stop()
	m := tracer.NewMemory()
	must.Do(t, gotrace.Read(profile.File{Name: "test", R: &b}, m, profile.Options{}))
	must.Do(t, m.Close())
	for _, e := range tracertest.Events(t, m, tracer.Kinds(tracer.Mark, tracer.Fork)) {
		name := m.Dict().Code(e.Code).Name
		if e.Kind == tracer.Fork {
			functions += name + " "
		} else if op, ok := observed.Named(name); ok {
			object, number := observed.FromValue(e.Value)
			marks = append(marks, mark{e.Task, op, object, number})
		}
	}
	return marks, functions
}

// texts are the operations of one goroutine, with objects numbered from 1.
func texts(marks []mark) string {
	var b strings.Builder
	first := uint32(1<<32 - 1)
	for _, m := range marks {
		first = min(first, m.object)
	}
	for _, m := range marks {
		b.WriteString(strings.TrimPrefix(observed.Record{Op: m.op, Object: m.object - first + 1, Number: m.number}.Category(), "observe "))
		if m.number > 0 {
			b.WriteString(" #" + observed.Record{Op: observed.Send, Number: m.number}.Message())
		}
		b.WriteString(", ")
	}
	return b.String()
}

// TestOperations expects each operation of each type in the trace, as the program calls them.
func TestOperations(t *testing.T) {
	marks, _ := record(t, 1, func() {
		var m observe.Mutex
		m.Lock()
		if m.TryLock() {
			t.Error("a locked Mutex is locked again")
		}
		m.Unlock()
		if !m.TryLock() {
			t.Error("TryLock of a free Mutex fails")
		}
		m.Unlock()

		var rw observe.RWMutex
		rw.Lock()
		if rw.TryLock() || rw.TryRLock() {
			t.Error("a locked RWMutex is locked again")
		}
		rw.Unlock()
		if !rw.TryLock() {
			t.Error("TryLock of a free RWMutex fails")
		}
		rw.Unlock()
		rw.RLock()
		if !rw.TryRLock() {
			t.Error("an RWMutex has only one reader")
		}
		rw.RUnlock()
		rw.RUnlock()
		func() {
			l := rw.RLocker()
			l.Lock()
			defer l.Unlock()
		}()

		var wg observe.WaitGroup
		wg.Add(3)
		wg.Add(-2)
		wg.Done()
		wg.Wait()

		c := observe.Make[string](2)
		c.Send("a")
		c.Send("b")
		if c.Len() != 2 || c.Cap() != 2 {
			t.Errorf("%d elements of %d", c.Len(), c.Cap())
		}
		c.Close()
		got := ""
		for s := range c.All() {
			got += s
		}
		if s, ok := c.Recv(); got != "ab" || s != "" || ok {
			t.Errorf("received %q, then %q, %v", got, s, ok)
		}
	})
	want := "lock 1, unlock 1, lock 1, unlock 1, " +
		"lock 2, unlock 2, lock 2, unlock 2, rlock 2, rlock 2, runlock 2, runlock 2, rlock 2, runlock 2, " +
		"add 3 #3, done 3 #2, done 3 #1, waited 3, " +
		"make 4 0 #2, send 4 0 #1, send 4 0 #2, close 4 0, receive 4 0 #1, receive 4 0 #2, drained 4 0, drained 4 0, "
	if got := texts(marks); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestBefore uses objects first while no trace is on: they have numbers in the trace, and elements sent before it have none.
func TestBefore(t *testing.T) {
	var m observe.Mutex
	c := observe.Make[int](3)
	m.Lock()
	c.Send(1)
	two := func() {
		m.Unlock()
		c.Send(2)
		c.Recv()
		c.Recv()
		m.Lock()
	}
	for _, want := range []string{
		"unlock 1, make 2 0 #3, send 2 0 #1, receive 2 0, receive 2 0 #1, lock 1, ",
		"unlock 1, make 2 0 #3, send 2 0 #2, receive 2 0, receive 2 0 #2, lock 1, ", // the capacity is in each trace
	} {
		marks, _ := record(t, 1, two)
		if got := texts(marks); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		c.Send(3)
	}
}

const workers, rounds = 8, 200

// use runs workers that share every type. It returns their count, which is workers*rounds.
func use() (locked, read, received int, err error) {
	var mu observe.Mutex
	var rw observe.RWMutex
	var g observe.Group
	var receivers observe.WaitGroup
	c := observe.Make[int](4)
	sums := make([]int, 3)
	for i := range sums {
		receivers.Go(func() {
			for n := range c.All() {
				sums[i] += n
			}
		})
	}
	shared := 0
	for i := range workers {
		g.Go(func() error {
			for range rounds {
				mu.Lock()
				locked++
				mu.Unlock()
				rw.RLock()
				_ = shared
				rw.RUnlock()
				rw.Lock()
				shared++
				rw.Unlock()
				c.Send(1)
			}
			if i == 5 {
				return io.ErrNoProgress
			}
			return nil
		})
	}
	err = g.Wait()
	c.Close()
	receivers.Wait()
	for _, n := range sums {
		received += n
	}
	return locked, shared, received, err
}

// TestUse uses the types from many goroutines, without a trace and with one.
func TestUse(t *testing.T) {
	check := func() {
		if locked, shared, received, err := use(); locked != workers*rounds || shared != workers*rounds || received != workers*rounds || !errors.Is(err, io.ErrNoProgress) {
			t.Errorf("%d, %d, %d of %d each, %v", locked, shared, received, workers*rounds, err)
		}
	}
	check()
	marks, functions := record(t, 4, check)
	if strings.Contains(functions, "whorl/observe.") || strings.Count(functions, "observe_test.use.func") != workers+3 {
		t.Errorf("the goroutines run %s", functions)
	}

	holds := map[mark]int{}
	counter := map[uint32]int{}
	count := map[observed.Op]int{}
	sent, received := map[uint32]bool{}, map[uint32]bool{}
	for _, m := range marks {
		count[m.op]++
		held := mark{task: m.task, object: m.object}
		switch m.op {
		case observed.Lock:
			holds[held]++
		case observed.Unlock:
			holds[held]--
		case observed.RLock:
			held.op = observed.RLock
			holds[held]++
		case observed.RUnlock:
			held.op = observed.RLock
			holds[held]--
		case observed.Add:
			counter[m.object] += int(m.number)
		case observed.Done:
			counter[m.object] -= int(m.number)
		case observed.Waited:
			if counter[m.object] != 0 {
				t.Errorf("a wait ends with the counter %d", counter[m.object])
			}
		case observed.Send:
			sent[m.number] = true
		case observed.Receive:
			received[m.number] = true
		case observed.Make:
			if m.number != 4 {
				t.Errorf("the channel has the capacity %d", m.number)
			}
		}
		if n := holds[held]; n < 0 || n > 1 {
			t.Fatalf("a task holds object %d %d times", m.object, n)
		}
	}
	all := workers * rounds
	for op, want := range map[observed.Op]int{
		observed.Lock: 2 * all, observed.Unlock: 2 * all, observed.RLock: all, observed.RUnlock: all, observed.Add: workers + 3, observed.Done: workers + 3, observed.Waited: 2,
		observed.Make: 1, observed.Send: all, observed.Receive: all, observed.Close: 1, observed.Drained: 3,
	} {
		if count[op] != want {
			t.Errorf("%d of %q, want %d", count[op], op.Name(), want)
		}
	}
	if len(sent) != all || len(received) != all || !sent[1] || !received[1] || !sent[uint32(all)] || !received[uint32(all)] {
		t.Errorf("%d elements are sent and %d received, want %d", len(sent), len(received), all)
	}
}

// TestCond uses a Mutex as the lock of a condition.
func TestCond(t *testing.T) {
	var ready bool
	marks, _ := record(t, 1, func() {
		var mu observe.Mutex
		cond := sync.NewCond(&mu)
		mu.Lock()
		go func() {
			mu.Lock()
			ready = true
			mu.Unlock()
			cond.Signal()
		}()
		for !ready {
			cond.Wait()
		}
		mu.Unlock()
	})
	if got := texts(marks); got != "lock 1, unlock 1, lock 1, unlock 1, lock 1, unlock 1, " {
		t.Error(got)
	}
}

// TestBlockedSend sends an element for which nobody waits yet: it is in the trace before it is received.
func TestBlockedSend(t *testing.T) {
	marks, _ := record(t, 1, func() {
		c := observe.Make[int](0)
		go c.Recv()
		c.Send(1)
	})
	if got := texts(marks); got != "make 1 0, send 1 0 #1, receive 1 0 #1, " {
		t.Error(got)
	}
}

// A pair compares an operation with that of package sync.
type pair struct {
	name      string
	ours, std func()
}

func pairs() []pair {
	var m observe.Mutex
	var sm sync.Mutex
	var rw observe.RWMutex
	var srw sync.RWMutex
	var wg observe.WaitGroup
	var swg sync.WaitGroup
	c, sc := observe.Make[int](1), make(chan int, 1)
	n := 0
	return []pair{
		{"LockUnlock", func() { m.Lock(); n++; m.Unlock() }, func() { sm.Lock(); n++; sm.Unlock() }},
		{"RLockRUnlock", func() { rw.RLock(); n++; rw.RUnlock() }, func() { srw.RLock(); n++; srw.RUnlock() }},
		{"AddDone", func() { wg.Add(1); wg.Done() }, func() { swg.Add(1); swg.Done() }},
		{"SendRecv", func() { c.Send(1); c.Recv() }, func() { sc <- 1; <-sc }},
	}
}

// BenchmarkPairs measures two operations each: of package sync, of this package without a trace, and with one.
func BenchmarkPairs(b *testing.B) {
	for _, p := range pairs() {
		b.Run(p.name+"/sync", func(b *testing.B) {
			for b.Loop() {
				p.std()
			}
		})
		b.Run(p.name+"/off", func(b *testing.B) {
			for b.Loop() {
				p.ours()
			}
		})
		b.Run(p.name+"/on", func(b *testing.B) {
			if err := trace.Start(io.Discard); err != nil {
				b.Fatal(err)
			}
			defer trace.Stop()
			for b.Loop() {
				p.ours()
			}
		})
	}
}

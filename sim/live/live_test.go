package live_test

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"whorl/internal/integer"
	"whorl/sim"
	"whorl/sim/live"
	"whorl/sim/policy"
	"whorl/testdata/must"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// each calls f for every policy with one worker and with several.
func each(t *testing.T, f func(t *testing.T, workers int, pol sim.Policy)) {
	for _, k := range policy.All {
		for _, workers := range []int{1, 2, 7} {
			t.Run(fmt.Sprintf("%s/%d", k.Name, workers), func(t *testing.T) { f(t, workers, k.New()) })
		}
	}
}

// Under every policy each work is done once, and the workers end when all work is done.
func TestEveryWorkOnce(t *testing.T) {
	first := root(2000)
	n, sum := tree(first)
	each(t, func(t *testing.T, workers int, pol sim.Policy) {
		y := newToy(t, workers, pol, first)
		y.start()
		y.wait()
		if y.works.Load() != n || y.sum.Load() != sum || y.left() != 0 {
			t.Errorf("%d works were done, want %d; sum %x, want %x; %d are left", y.works.Load(), n, y.sum.Load(), sum, y.left())
		}
		if !y.crew.Ended() {
			t.Error("all workers have ended, and the crew has not")
		}
	})
}

// Workers without any work end at once.
func TestNoWork(t *testing.T) {
	each(t, func(t *testing.T, workers int, pol sim.Policy) {
		y := newToy(t, workers, pol)
		y.start()
		y.wait()
	})
}

// Work that stays spreads only under policies that ask for it, and Steals counts the works received by asking.
func TestSteals(t *testing.T) {
	for _, c := range []struct {
		name string
		want bool
	}{{"steal", true}, {"steal-half", true}, {"steal-near", true}, {"on-demand", true}, {"depth-first", false}} {
		pol := must.Get(policy.Named(c.name))(t)
		y := newToy(t, 3, pol, root(500))
		var others atomic.Int64
		y.before = func(h *hand) bool {
			if h.me != 0 {
				others.Add(1)
			} else if c.want && y.crew.Steals() == 0 {
				time.Sleep(time.Millisecond) // time for the others to ask
			}
			return true
		}
		y.start()
		y.wait()
		if (others.Load() > 0) != c.want || (y.crew.Steals() > 0) != c.want {
			t.Errorf("%s: others have done %d works, %d got by asking", c.name, others.Load(), y.crew.Steals())
		}
	}
}

// A worker that is long busy with the last work it has asked for gets one work, also under a policy that asks for a surplus. After several small works
// in a row it gets the surplus.
func TestSurplus(t *testing.T) {
	const small, large = 0, 16 // safe points between two times without work
	for _, c := range []struct {
		name string
		busy []int
		want []int
	}{
		{"loop", []int{small, small, small, small}, []int{1, 1, 15, 7}},
		{"recursion", []int{large, large, large, large, large}, []int{1, 1, 1, 1, 1}},
		{"both", []int{small, small, small, large, small, small, small, small}, []int{1, 1, 15, 7, 1, 1, 1, 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			y := newToy(t, 2, must.Get(policy.Named("on-demand"))(t), make([]sim.Work, 40)...)
			victim, thief := y.hands[0], y.hands[1]
			y.done.Go(func() {
				defer victim.w.Done()
				for victim.w.Check(victim) {
					runtime.Gosched()
				}
			})
			var got []int
			y.done.Go(func() {
				defer thief.w.Done()
				defer y.crew.End()
				for _, checks := range c.busy {
					if !thief.w.Idle(thief) {
						return
					}
					got = append(got, len(thief.queue))
					thief.queue = nil
					for range checks {
						thief.w.Check(thief)
					}
				}
			})
			y.wait()
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v works, want %v", got, c.want)
			}
		})
	}
}

// While a worker is alone no other runs, and no work is lost or duplicated.
func TestAlone(t *testing.T) {
	first := root(600)
	n, _ := tree(first)
	each(t, func(t *testing.T, workers int, pol sim.Policy) {
		y := newToy(t, workers, pol, first)
		var busy, times atomic.Int64
		y.before = func(h *hand) bool {
			if integer.Mix(uint64(h.works.Load()))%8 == 0 {
				h.w.Alone(func() {
					times.Add(1)
					if busy.Add(1) != 1 {
						t.Error("two workers are alone")
					}
					if done, left := y.works.Load(), y.left(); done+left != n {
						t.Errorf("%d works done and %d left, %d in all", done, left, n)
					}
					busy.Add(-1)
				})
			}
			return len(h.queue) > 0
		}
		y.start()
		y.wait()
		if y.works.Load() != n || times.Load() == 0 {
			t.Errorf("%d works were done, want %d; %d times alone", y.works.Load(), n, times.Load())
		}
	})
}

// Hold stops the world at any time, also while workers want to be alone.
func TestHold(t *testing.T) {
	first := root(600)
	n, _ := tree(first)
	each(t, func(t *testing.T, workers int, pol sim.Policy) {
		y := newToy(t, workers, pol, first)
		y.before = func(h *hand) bool {
			if integer.Mix(uint64(h.works.Load()))%16 == 0 {
				h.w.Alone(func() {})
			}
			return true
		}
		y.start()
		for !y.crew.Ended() {
			y.crew.Hold()
			if done, left := y.works.Load(), y.left(); done+left != n {
				t.Errorf("%d works done and %d left, %d in all", done, left, n)
			}
			y.crew.Release()
			time.Sleep(200 * time.Microsecond) // let the workers run
		}
		y.wait()
		if y.works.Load() != n {
			t.Errorf("%d works were done, want %d", y.works.Load(), n)
		}
	})
}

// Workers wait at a gate for something from outside, and the gate reports when all workers wait.
func TestAwait(t *testing.T) {
	first := root(400)
	n, _ := tree(first)
	each(t, func(t *testing.T, workers int, pol sim.Policy) {
		y := newToy(t, workers, pol, first)
		var coins atomic.Int64
		stalled := make(chan struct{}, 1)
		y.before = func(h *hand) bool {
			for {
				if c := coins.Load(); c > 0 && coins.CompareAndSwap(c, c-1) {
					return true
				} else if c > 0 {
					continue
				}
				h.w.Await(func() bool { return coins.Load() > 0 }, func() {
					select {
					case stalled <- struct{}{}:
					default:
					}
				})
				return false // others may have called it meanwhile
			}
		}
		y.start()
		want := int64(0)
		ended := make(chan struct{})
		go func() { y.wait(); close(ended) }()
		y.crew.Hold() // returns when all workers wait
		for step := int64(1); want < n; step += 7 {
			want = min(n, want+step)
			select {
			case <-stalled:
			default:
			}
			coins.Store(step)
			y.crew.Release()
			select {
			case <-stalled:
			case <-ended:
			}
			y.crew.Hold()
			if got := y.works.Load(); got != want {
				t.Fatalf("%d works were done, want %d", got, want)
			}
		}
		y.crew.Release()
		<-ended
	})
}

// End ends workers at work, asleep and at the gate.
func TestEnd(t *testing.T) {
	each(t, func(t *testing.T, workers int, pol sim.Policy) {
		y := newToy(t, workers, pol, root(1000))
		reached := make(chan struct{})
		once := sync.OnceFunc(func() { close(reached) })
		y.before = func(h *hand) bool {
			if h.works.Load() >= 20 {
				once()
				if h.me%2 == 0 {
					h.w.Await(func() bool { return false }, func() {})
				}
			}
			return true
		}
		y.start()
		<-reached
		y.crew.End()
		y.wait()
	})
}

// After a panic of a worker that is alone, the others still end.
func TestPanicAlone(t *testing.T) {
	pol := must.Get(policy.Named("random"))(t)
	y := newToy(t, 3, pol, root(1000))
	var panics atomic.Int64
	y.before = func(h *hand) bool {
		if h.works.Load() > 50 && panics.Add(1) == 1 {
			func() {
				defer func() {
					if recover() == nil {
						t.Error("no panic")
					}
					h.crew.End()
				}()
				h.w.Alone(func() { panic("alone") })
			}()
		}
		return true
	}
	y.start()
	y.wait()
}

// Under policies that keep work a hint still holds, for any number.
func TestHints(t *testing.T) {
	for _, c := range []struct {
		policy     string
		hint, want int
	}{{"on-demand", 7, 1}, {"on-demand", 2, 2}, {"static", 7, 1}, {"static", -1, 0}, {"steal", -1, 0}, {"ring", -1, 1}, {"breadth-first", -1, sim.Central}} {
		pol := must.Get(policy.Named(c.policy))(t)
		if got := newToy(t, 3, pol).hands[0].w.Place(c.hint); got != c.want {
			t.Errorf("%s puts work with hint %d on %d, want %d", c.policy, c.hint, got, c.want)
		}
	}
}

var _ live.Queue = (*hand)(nil)

// A worker at the gate wakes even if the gate opens while another worker, which then leaves, checks it.
func TestAwaitIsNotForgotten(t *testing.T) {
	y := newToy(t, 3, policy.All[0].New())
	var armed, come atomic.Bool
	open := func() bool { // under the crew's lock
		if come.Load() {
			return true
		}
		come.Store(armed.Load()) // after the first call has returned false
		return false
	}
	var all sync.WaitGroup
	for i := range 2 {
		all.Go(func() {
			w := y.crew.Worker(i)
			w.Await(open, func() {})
			w.Done()
		})
	}
	all.Go(func() {
		w := y.crew.Worker(2)
		for !come.Load() {
			w.Check(empty{})
			runtime.Gosched()
		}
		w.Done()
	})
	y.crew.Hold()
	armed.Store(true)
	y.crew.Release()
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(4 * time.Minute):
		y.crew.End()
		t.Fatal("a worker still waits")
	}
}

// empty is a queue without works.
type empty struct{}

func (empty) Len() int         { return 0 }
func (empty) Oldest() sim.Work { panic("there is none") }
func (empty) Put([]sim.Work)   {}

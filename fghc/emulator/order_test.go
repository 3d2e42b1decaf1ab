package emulator

import (
	"testing"
	"time"

	"whorl/fghc/testdata/programs"
	"whorl/sim"
	"whorl/sim/policy"
	"whorl/testdata/must"
	"whorl/tracer"
)

// On every PE a goal reduces after its parent, and wakes after it has suspended. Every reduction is recorded once.
func TestTimesFollowCauses(t *testing.T) {
	const clients, messages = 4, 300
	prog, q := prepare(t, server, "main(4, 300)")
	for i, k := range policy.All {
		pes := []int{2, 4, 7}[i%3]
		mem := tracer.NewMemory()
		m := must.Get(New(prog, q, Options{PEs: pes, Policy: k.New(), Seed: uint64(i), Recorder: mem}))(t)
		must.Do(t, m.Run(t.Context()))
		mem.Close()
		reduced := map[uint64]tracer.Event{}
		last := make([]int64, pes)
		waits := map[uint64][2][]int64{} // times of the suspensions and resumptions of each goal
		must.Do(t, mem.Scan(tracer.AllKinds, func(events []tracer.Event) error {
			for _, e := range events {
				if e.Time < last[e.PE] {
					t.Errorf("%s: the time of PE %d goes back at %+v", k.Name, e.PE, e)
				}
				last[e.PE] = e.Time
				w := waits[e.Task]
				switch e.Kind {
				case tracer.Reduce:
					if before, ok := reduced[e.Task]; ok {
						t.Errorf("%s: %+v, and %+v", k.Name, before, e)
					}
					reduced[e.Task] = e
				case tracer.Suspend:
					w[0] = append(w[0], e.Time)
					waits[e.Task] = w
				case tracer.Resume:
					w[1] = append(w[1], e.Time)
					waits[e.Task] = w
				}
			}
			return nil
		}))
		if want := 3*clients*messages + 3*clients + 5; len(reduced) != want || m.Stats().Reductions != int64(want) {
			t.Errorf("%s: %d reductions recorded and %d counted, expected %d", k.Name, len(reduced), m.Stats().Reductions, want)
		}
		for _, e := range reduced {
			if parent, ok := reduced[e.Ref]; e.Ref != 0 && (!ok || parent.Time > e.Time || parent.PE != e.Peer) {
				t.Errorf("%s, %d PEs: %+v has the parent %+v", k.Name, pes, e, parent)
			}
			w := waits[e.Task]
			for j := range min(len(w[0]), len(w[1])) {
				if w[0][j] > w[1][j] {
					t.Errorf("%s, %d PEs: %+v waits from %d to %d", k.Name, pes, e, w[0][j], w[1][j])
				}
			}
			if len(w[0]) != len(w[1]) {
				t.Errorf("%s: %+v has %d suspensions and %d resumptions", k.Name, e, len(w[0]), len(w[1]))
			}
		}
	}
}

// A PE that takes a goal which another one has pushed, by bytecode or by a Go function, continues after the other's last event.
func TestThiefFollowsVictim(t *testing.T) {
	prog, q := prepare(t, programs.Fib, "fib2(10,R)")
	mem := tracer.NewMemory()
	m := must.Get(New(prog, q, Options{PEs: 3, Policy: named(t, "on-demand"), Recorder: mem, Poll: 5}))(t)
	m.began = time.Now()
	must.Do(t, m.boot())
	victim := m.pes[1]
	if !victim.extend(m, 1<<12, 1<<10) {
		t.Fatal("no space")
	}
	copy(victim.x[:], m.pes[0].x[:])
	for i, r := range q.Registers {
		victim.x[r] = uint64(m.answer[i])
	}
	victim.reserved, victim.booting = 100, true
	m.crew.End()
	run[traced](victim) // one slice
	numbered, waiter := victim.newRecord(), victim.newRecord()
	victim.Identify(victim.Fields(numbered), 1)
	victim.Unnumbered(victim.Fields(waiter))
	victim.put(numbered, 0)
	victim.put(waiter, 0)
	for i := range uint64(victim.Len()) {
		victim.rec.Tick()
		victim.rec.Resumed(i, 0, 0, 0)
		thief := m.pes[2*(i%2)]
		thief.Put([]sim.Work{victim.Oldest()})
		thief.rec.Resumed(i, 0, 0, 0)
	}
	for _, p := range m.pes {
		p.rec.Doing(tracer.Busy, 0)
		p.rec.Exit(tracer.Done)
		p.rec.Leave()
	}
	left, continued := map[uint64]int64{}, map[uint64]int64{}
	must.Do(t, mem.Scan(tracer.Kinds(tracer.Resume), func(events []tracer.Event) error {
		for _, e := range events {
			if e.PE == 1 {
				left[e.Task] = e.Time
			} else {
				continued[e.Task] = e.Time
			}
		}
		return nil
	}))
	if len(left) < 6 || len(left) != len(continued) {
		t.Fatalf("%d goals leave and %d continue", len(left), len(continued))
	}
	for i := range uint64(len(left)) {
		if left[i] == 0 || continued[i] < left[i] {
			t.Errorf("goal %d leaves at %d and continues at %d", i, left[i], continued[i])
		}
	}
}

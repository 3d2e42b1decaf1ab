package account_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/store"
	"whorl/tracer/testdata/onwardtest"
)

// divided checks that each PE is in some class during the whole run, and that the work of all codes is that of all PEs.
func divided(t rapid.TB, a *account.Account) {
	t.Helper()
	for pe := range a.PEs {
		r := a.Row(pe)
		if r.Sum() != a.Elapsed() {
			t.Fatalf("PE %d: %v add up to %d of %d ns", pe, r.Times, r.Sum(), a.Elapsed())
		}
		for c, ns := range r.Times {
			if ns < 0 {
				t.Fatalf("PE %d: %d ns of %v", pe, ns, account.Class(c))
			}
		}
	}
	all := a.Total()
	if least := mostWork(a); a.Known() && a.Basis != account.Instants {
		for _, length := range a.Replays {
			if length < least || length > a.Elapsed() {
				t.Fatalf("replays of %v ns, but a PE works for %d of %d ns", a.Replays, mostWork(a), a.Elapsed())
			}
			least = length
		}
	}
	var work, waits int64
	for _, c := range a.Codes {
		if work += c.Work; c.Work < 0 {
			t.Fatalf("%d ns of a code", c.Work)
		}
	}
	for _, w := range a.Waits {
		var by int64
		for _, c := range w.By {
			by += c.Time
		}
		waits += w.Time
		if by != w.Time {
			t.Fatalf("waits for %s: %d ns by cause, %d in all", w.For, by, w.Time)
		}
	}
	if work != all[account.Work] || waits != all[account.Waiting] || all.Sum() != int64(a.PEs)*a.Elapsed() {
		t.Fatalf("codes %d, waits %d of %v", work, waits, all)
	}
}

// draw draws a trace of any events, most of them with known codes.
func draw(t *rapid.T, n int) *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{PEs: rapid.IntRange(0, 4).Draw(t, "pes")})
	enter(m.Dict())
	kinds := tracer.AllKinds
	if rapid.Bool().Draw(t, "stateless") {
		kinds &^= tracer.Kinds(tracer.Busy, tracer.Idle, tracer.Overhead)
	}
	if rapid.Bool().Draw(t, "threadless") {
		kinds &^= tracer.Kinds(tracer.Start, tracer.End, tracer.JoinBegin, tracer.JoinEnd)
	}
	costly := rapid.Bool().Draw(t, "costs")
	s := m.Stream(tracer.StreamInfo{})
	now := rapid.OneOf(rapid.Int64Range(-50, 50), rapid.Just(int64(math.MaxInt64-100)), rapid.Just(int64(math.MinInt64))).Draw(t, "first")
	id, pe := rapid.OneOf(rapid.Uint64Range(0, 6), rapid.Uint64()), rapid.OneOf(rapid.Int32Range(-2, 4), rapid.Int32())
	for range n {
		e := tracer.Event{
			Kind: tracer.Kind(rapid.IntRange(0, int(tracer.NumKinds)).Draw(t, "kind")), Time: now,
			Task: id.Draw(t, "task"), Ref: id.Draw(t, "ref"), PE: pe.Draw(t, "pe"), Peer: pe.Draw(t, "peer"), Code: rapid.Uint32Range(0, numCodes).Draw(t, "code"),
		}
		if costly {
			e.Value = rapid.OneOf(rapid.Int64Range(-2, 30), rapid.Int64()).Draw(t, "value")
		}
		if !kinds.Contains(e.Kind) {
			continue
		}
		*s.Slot() = e
		if step := rapid.Int64Range(0, 15).Draw(t, "step"); now < math.MaxInt64-step {
			now += step
		}
	}
	_ = m.Close()
	return m
}

// TestDivided checks that any trace, damaged ones included, is divided among the classes to the nanosecond, and that an account that grew equals
// one made at once.
func TestDivided(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 60).Draw(t, "events")
		var prev *account.Account
		onwardtest.Replay(t, draw(t, n), onwardtest.Cuts(t, n), func(n int, now *store.File) {
			want := must.Get(account.GrowByTask(now, nil, nil))(t)
			divided(t, want)
			got := must.Get(account.GrowByTask(now, prev, nil))(t)
			if d := cmp.Diff(want, got, unseen, cmpopts.EquateEmpty()); d != "" {
				t.Fatalf("after %d events: %s", n, d)
			}
			if prev != nil { // a value can be extended only once; the second time Grow starts again
				if d := cmp.Diff(want, must.Get(account.GrowByTask(now, prev, nil))(t), unseen, cmpopts.EquateEmpty()); d != "" {
					t.Fatalf("a second time after %d events: %s", n, d)
				}
			}
			prev = got
		})
	})
}

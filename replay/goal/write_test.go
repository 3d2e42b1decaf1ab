package goal

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"whorl/replay/schedule"
	"whorl/sim/machines"
	"whorl/testdata/must"
)

// Read and Write undo each other.
func TestWrite(t *testing.T) {
	const want = `num_ranks 2

rank 0 {
l1: calc 5
l2: send 10b to 1 tag 7
l2 requires l1
l3: recv 3b from 1 tag 0
}

rank 1 {
l1: recv 10b from -1 tag -1
l2: calc 9
l2 irequires l1
}
`
	for _, text := range []string{good, want} {
		s, _, err := Read("x.goal", strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := Write(&b, s); err != nil || b.String() != want {
			t.Errorf("error %v, text\n%s", err, &b)
		}
	}
}

// A full disk takes some bytes, and then none.
type fullDisk struct{ left int }

var errFull = errors.New("the disk is full")

func (d *fullDisk) Write(b []byte) (int, error) {
	if d.left -= len(b); d.left < 0 {
		return 0, errFull
	}
	return len(b), nil
}

// Write writes a long schedule in parts, and returns the error of each of them.
func TestWriteLong(t *testing.T) {
	s := &schedule.Schedule{Ranks: 2}
	calc := s.Name("calc")
	for i := range 20_000 {
		s.Add(schedule.Op{Kind: schedule.Calc, Size: int64(i), Rank: int32(i % 2), Name: calc})
	}
	var b strings.Builder
	must.Do(t, Write(&b, s))
	again, _, err := Read("x.goal", strings.NewReader(b.String()))
	if err != nil || len(again.Ops) != len(s.Ops) || b.Len() < 2*flushed {
		t.Fatalf("%d bytes, %v", b.Len(), err)
	}
	for left := 0; left < b.Len(); left += flushed / 2 {
		if err := Write(&fullDisk{left}, s); !errors.Is(err, errFull) {
			t.Errorf("with room for %d bytes of %d: error %v", left, b.Len(), err)
		}
	}
}

// The program of a schedule, written as a schedule, finishes at the same times.
func TestRoundTrip(t *testing.T) {
	m := must.Get(machines.Named("loggopsim"))(t).Model
	for seed := range 100 {
		rng := rand.New(rand.NewPCG(uint64(seed), 2))
		ranks := 1 + rng.IntN(5)
		ops := random(rng, ranks, 2+rng.IntN(30), 3000, 300)
		for i := range ops {
			ops[i].starts = nil // a graph has them as signals of tasks that go on
		}
		text := goalText(ranks, ops)
		s, _, err := Read("x.goal", strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		p, _, err := s.Program()
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		must.Do(t, Write(&b, must.Get(schedule.FromRecording(p))(t)))
		if got, want := replayed(t, m, b.String()), replayed(t, m, text); !slices.Equal(got, want) {
			t.Fatalf("seed %d: ranks finish at %d, want %d:\n%s\nbecame\n%s", seed, got, want, text, &b)
		}
	}
}

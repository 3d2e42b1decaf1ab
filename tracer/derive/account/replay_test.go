package account_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"whorl/experiment"
	"whorl/experiment/testdata/experimenttest"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/account"
)

// mostWork returns the work of the PE with most of it.
func mostWork(a *account.Account) (most int64) {
	for i := range a.Rows {
		most = max(most, a.Rows[i].Times[account.Work])
	}
	return most
}

// TestReplayOfFreeNetwork runs programs in High Performance Fortran, whose schedule does not depend on the machine, on a machine with free
// communication. The runs take as long as the replays of the runs on a real machine.
func TestReplayOfFreeNetwork(t *testing.T) {
	machine := must.Get(os.ReadFile("../../../sim/machines/symmetry.toml"))(t)
	costs := regexp.MustCompile(`(?m)^(overhead|latency|gap|byte)_ns.*$`)
	free := filepath.Join(t.TempDir(), "free.toml")
	must.Do(t, os.WriteFile(free, costs.ReplaceAll(machine, []byte("${1}_ns = 0")), 0o666))
	for _, program := range []string{"hpf/rsa", "hpf/jacobi", "hpf/lu", "hpf/cg", "hpf/pascal", "hpf/fibonacci"} {
		for _, network := range []string{"bus", "mesh2d"} {
			r := experiment.Defaults(program)
			r.PEs, r.Network = 8, network
			a := compute(t, experimenttest.Trace(t, r))
			r.Machine = free
			want := compute(t, experimenttest.Trace(t, r)).Elapsed()
			if got := a.Replays[account.WithoutTransfers]; got != want || got >= a.Elapsed() {
				t.Errorf("%s on %s: %d of %d ns without transfers, but a free network takes %d", program, network, got, a.Elapsed(), want)
			}
		}
	}
}

// TestReplays replays traces whose replays follow from their events.
func TestReplays(t *testing.T) {
	busy := func(at int64, pe int32) tracer.Event { return tracer.Event{Time: at, Kind: tracer.Busy, PE: pe} }
	idle := func(at int64, pe int32, why uint32) tracer.Event {
		return tracer.Event{Time: at, Kind: tracer.Idle, PE: pe, Code: why}
	}
	over := func(at int64, pe int32, why uint32) tracer.Event {
		return tracer.Event{Time: at, Kind: tracer.Overhead, PE: pe, Code: why}
	}
	exit := func(at int64) tracer.Event { return tracer.Event{Time: at, Kind: tracer.Exit} }
	for _, c := range []struct {
		name   string
		events []tracer.Event
		want   [account.NumReplays]int64
	}{
		{
			"each class adds its time",
			[]tracer.Event{busy(0, 0), over(10, 0, lock), over(13, 0, gc), over(18, 0, offCPU), over(25, 0, message), busy(36, 0), exit(40)},
			[account.NumReplays]int64{14, 17, 22, 29},
		},
		{
			"a message costs nothing, but its receiver waits for its sender",
			[]tracer.Event{
				busy(0, 0),
				busy(0, 1),
				idle(5, 1, message),
				over(20, 0, message),
				{Time: 22, Kind: tracer.Send, PE: 0, Peer: 1, Ref: 7, Code: class},
				busy(25, 0),
				{Time: 40, Kind: tracer.Recv, PE: 1, Peer: 0, Ref: 7, Code: class},
				busy(40, 1),
				exit(50),
			},
			[account.NumReplays]int64{45, 45, 45, 45}, // the sender works from 0 to 20 and from 25 to 50, the receiver for 10 after 20
		},
		{
			"a receiver that comes late waits for no one",
			[]tracer.Event{
				busy(0, 0),
				{Time: 5, Kind: tracer.Send, PE: 0, Peer: 1, Ref: 7, Code: class},
				{Time: 5, Kind: tracer.Exit, PE: 0},
				busy(0, 1),
				{Time: 30, Kind: tracer.Recv, PE: 1, Peer: 0, Ref: 7, Code: class},
				{Time: 40, Kind: tracer.Exit, PE: 1},
			},
			[account.NumReplays]int64{40, 40, 40, 40},
		},
		{
			"a request for work that is answered counts, those before it do not",
			[]tracer.Event{
				busy(0, 0),
				{Time: 4, Kind: tracer.Reduce, PE: 0, Task: 1, Code: clause, Value: 4},
				over(8, 0, message),
				idle(0, 1, steal),
				idle(20, 1, noWork),
				idle(25, 1, steal),
				{Time: 40, Kind: tracer.Move, PE: 1, Peer: 0, Task: 2, Code: steal},
				busy(40, 1),
				exit(50),
			},
			[account.NumReplays]int64{18, 25, 25, 25}, // 10 of work after 8 of the victim, or after 15 of the request
		},
		{
			"idle time that no event explains stays",
			[]tracer.Event{busy(0, 0), idle(10, 0, noWork), busy(30, 0), over(31, 0, message), exit(50)},
			[account.NumReplays]int64{31, 31, 31, 31},
		},
		{
			"idle time of all PEs at the end stays",
			[]tracer.Event{busy(0, 0), busy(0, 1), idle(10, 0, noWork), over(15, 1, message), idle(22, 1, noWork), exit(30)},
			[account.NumReplays]int64{23, 23, 23, 23}, // 8 after the work of 15, without the message
		},
		{
			"a message that arrives at the end costs nothing",
			[]tracer.Event{
				busy(0, 0),
				{Time: 10, Kind: tracer.Send, PE: 0, Peer: 1, Ref: 7, Code: class},
				idle(10, 0, noWork),
				idle(0, 1, noWork),
				{Time: 25, Kind: tracer.Recv, PE: 1, Peer: 0, Ref: 7, Code: class},
				exit(30),
			},
			[account.NumReplays]int64{15, 15, 15, 15},
		},
		{
			"a goal that another PE resumes",
			[]tracer.Event{
				busy(0, 0),
				over(2, 0, message),
				busy(12, 0),
				busy(0, 1),
				idle(1, 1, noWork),
				{Time: 15, Kind: tracer.Resume, PE: 0, Peer: 1, Task: 2, Ref: 1},
				busy(18, 1),
				idle(22, 0, noWork),
				exit(40),
			},
			[account.NumReplays]int64{27, 27, 27, 27}, // PE 0 resumes it after 5 of work; 22 of work follow
		},
		{
			"a join waits for the end of the thread",
			[]tracer.Event{
				{Time: 0, Kind: tracer.Start, PE: 0, Task: 1, Code: other},
				{Time: 0, Kind: tracer.Start, PE: 1, Task: 2, Code: other},
				{Time: 5, Kind: tracer.JoinBegin, PE: 0, Task: 1, Ref: 2},
				{Time: 20, Kind: tracer.End, PE: 1, Task: 2, Code: other},
				{Time: 20, Kind: tracer.Start, PE: 1, Task: 3, Code: other},
				{Time: 30, Kind: tracer.JoinEnd, PE: 0, Task: 1, Ref: 2, Peer: 1},
				{Time: 31, Kind: tracer.End, PE: 1, Task: 3, Code: other},
				{Time: 45, Kind: tracer.End, PE: 0, Task: 1, Code: other},
			},
			[account.NumReplays]int64{35, 35, 35, 35}, // the joiner works for 15 after the end of the thread at 20
		},
	} {
		a := compute(t, source(2, c.events...))
		divided(t, a)
		if a.Replays != c.want {
			t.Errorf("%s: %v, want %v", c.name, a.Replays, c.want)
		}
	}
	if a := compute(t, source(1, tracer.Event{Time: 3, Kind: tracer.Reduce, Task: 1, Code: clause}, tracer.Event{Time: 6, Kind: tracer.Reduce, Task: 2, Code: clause})); a.Basis != account.Instants || a.Replays != [account.NumReplays]int64{} {
		t.Errorf("a trace of instants has the replays %v", a.Replays)
	}
}

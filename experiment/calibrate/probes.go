package calibrate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"whorl/dts"
	"whorl/experiment"
	"whorl/tracer"
)

// A program runs live, and on a simulated machine with the same number of PEs and the same policy.
type program interface {
	// elapsed returns the time of a run in ns: real time on the machine "", virtual time on another one.
	elapsed(ctx context.Context, machine string) (float64, error)
}

// A named program is one that package experiment runs.
type named struct {
	run      experiment.Run
	prepared *experiment.Prepared // for live runs
}

// program returns a program on some PEs, on demand.
func newNamed(pes int, name string, args ...string) *named {
	r := experiment.Defaults(name)
	r.PEs, r.Args, r.Network = pes, args, "bus"
	return &named{run: r}
}

// text returns a program of its own. goal is the query of a program in FGHC.
func text(pes int, policy, name, text, goal string) *named {
	n := newNamed(pes, name)
	n.run.Text, n.run.Goal, n.run.Policy = text, goal, policy
	return n
}

func (n *named) elapsed(ctx context.Context, machine string) (float64, error) {
	p := n.prepared
	if p == nil || machine != "" {
		r := n.run
		if r.Machine = machine; machine == "" {
			r.Mode, r.Machine = experiment.Live, n.run.Machine
		}
		var err error
		if p, err = r.Resolve(); err != nil {
			return 0, fmt.Errorf("%s: %w", r.Program, err)
		}
		if machine == "" {
			n.prepared = p
		}
	}
	result, err := p.Run(ctx, nil, nil)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%s: %w", n.run.Program, err)
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case result.Outcome != tracer.Done:
		return 0, fmt.Errorf("%s: %w", n.run.Program, result.Err)
	}
	return float64(result.Machine.Elapsed), nil
}

// A threads program calls Go functions as threads of package dts.
type threads struct {
	policy string
	main   func(w *dts.Worker) int
}

func (t *threads) elapsed(ctx context.Context, machine string) (float64, error) {
	var stats dts.Stats
	o := dts.Options{PEs: 2, Policy: t.policy, Mode: dts.Live, Network: "bus", Seed: 1, Spin: true, Stats: &stats, Program: "calibrate"}
	if machine != "" {
		o.Mode, o.Machine, o.Spin = dts.Sim, machine, false
	}
	_, err := dts.Run(ctx, o, t.main)
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return float64(stats.Elapsed), err
}

// A paced program runs on one PE. Its time determines the times of an instruction and of a fork.
type paced struct {
	substrate string
	program   *named
}

// paces are paced programs, which run for some ms.
func paces() []paced {
	var all []paced
	for _, words := range [][]string{
		{"fghc/nrev", "300"},
		{"fghc/qsort", "1500"},
		{"fghc/primes", "1500"},
		{"fghc/queens", "7"},
		{"fghc/fibonacci", "19"},
		{"fghc/matmul", "24"},
		{"dts/fibonacci", "17"},
		{"dts/nqueens", "9"},
		{"dts/matmul", "32"},
		{"dts/mandelbrot", "120"},
		{"dts/quicksort", "20000"},
		{"dts/bubblesort", "10000"},
		{"hpf/jacobi", "80"},
		{"hpf/red-black", "80"},
		{"hpf/shallow", "24"},
		{"hpf/cg", "30"},
		{"hpf/lu", "80"},
		{"hpf/matmul", "40"},
		{"hpf/life"},
		{"hpf/nbody", "80"},
	} {
		p := newNamed(1, words[0], words[1:]...)
		substrate, err := p.run.Substrate()
		if err != nil {
			panic(err) // a test runs them
		}
		all = append(all, paced{substrate, p})
	}
	return all
}

// A wired program runs on two PEs. Its time determines one cost if the costs before it are known.
type wired struct {
	cost    string
	program program
}

// wires returns the wired programs of a substrate, "" for all, in their order.
func wires(substrate string) []wired {
	goals := []wired{
		{"latency", messages("fghc")},
		{"overhead", text(2, "static", "stream.fghc", streamText, fmt.Sprintf("send(%d, 1)@node(0)", goalsSent))},
		{"gap", text(2, "static", "both.fghc", streamText, fmt.Sprintf("send(%d, 1)@node(0), send(%[1]d, 0)@node(1)", goalsSent))},
	}
	stolen := wired{"steal", &threads{"steal", stealing}}
	switch substrate {
	case "fghc":
		return append(goals, wired{"steal", text(2, "steal", "steal.fghc", stealText, fmt.Sprintf("rounds(%d)", stealRounds))})
	case "dts":
		return []wired{{"latency", messages(substrate)}, {"overhead", &threads{"static", toOther}}, {"gap", &threads{"static", toEachOther}}, stolen}
	case "hpf":
		return []wired{{"latency", messages(substrate)}}
	}
	return append(goals, stolen)
}

// messages returns a program that sends hops messages, each after the one before has arrived. In HPF it has as many pairs of distributed assignments.
func messages(substrate string) program {
	switch substrate {
	case "dts":
		return &threads{"static", thereAndBack}
	case "hpf":
		return text(2, "on-demand", "hops.hpf", hopsText, "")
	}
	return text(2, "static", "hops.fghc", pingText, fmt.Sprintf("ping(%d)@node(0)", hops))
}

// Sizes of programs.
const (
	goalsSent   = 5000
	hops        = 1000
	stealRounds = 100
	reductions  = 100_000
	lineLength  = 1000
	lineRounds  = 200
	bufferBytes = 64 << 10
	readings    = 20
)

const pingText = `
ping(N) :- N > 0 | M := N - 1, pong(M)@node(1).
ping(0) :- true | true.
pong(N) :- N > 0 | M := N - 1, ping(M)@node(0).
pong(0) :- true | true.
`

const streamText = `
send(N, P) :- N > 0 | M := N - 1, take(M)@node(P), send(M, P).
send(0, _) :- true | true.
take(_).
`

const stealText = `
rounds(N) :- N > 0 | work(3000, A), work(3000, B), next(A, B, N).
rounds(0) :- true | true.
next(done, done, N) :- true | M := N - 1, rounds(M).
work(N, D) :- N > 0 | M := N - 1, work(M, D).
work(0, D) :- true | D = done.
`

const countText = `
count(N) :- N > 0 | M := N - 1, count(M).
count(0) :- true | true.
`

var hopsText = fmt.Sprintf(`
program hops
  implicit none
  integer, parameter :: n = 64
  double precision :: u(0:n+1), v(0:n+1)
  integer :: k
!HPF$ DISTRIBUTE u(BLOCK)
!HPF$ ALIGN v(i) WITH u(i)
  u = 1
  v = 1
  do k = 1, %d
    v(1:n) = 0.5d0 * (u(0:n-1) + u(2:n+1))
    u(1:n) = v(1:n)
  end do
  print *, u(1)
end program hops
`, hops)

var lineText = fmt.Sprintf(`
program lines
  implicit none
  integer, parameter :: n = %d
  double precision :: u(0:n+1), v(n)
  integer :: i, k
  u = 1
  do k = 1, %d
    do i = 1, n
      v(i) = 0.25d0 * (u(i-1) + 2 * u(i) + u(i+1))
    end do
  end do
  print *, v(1)
end program lines
`, lineLength, lineRounds)

// A part is a cost that follows from those of a machine: the time of a program, divided by the number of its parts.
type part struct {
	name, doc string
	program   program
	count     float64
}

// parts returns the parts whose costs are shown for a substrate, "" for all, on a number of cores.
func parts(substrate string, cores int) (all []part) {
	if substrate == "" || substrate == "fghc" {
		all = append(all, part{"reduction", "a reduction of FGHC: a guard, a subtraction and a call", text(1, "on-demand", "count.fghc", countText, fmt.Sprintf("count(%d)", reductions)), reductions})
	}
	if substrate == "" || substrate == "hpf" {
		all = append(all, part{"line", "the assignment to an element of an array by a line of HPF: five operations on four elements", text(1, "on-demand", "lines.hpf", lineText, ""), lineLength * lineRounds})
	}
	if cores > 1 {
		each := float64(hops)
		if substrate == "dts" || substrate == "hpf" {
			each *= 2
		}
		all = append(all, part{"message", "moving work to an idle PE: overhead, latency and the work of the PE to take it", messages(substrate), each})
	}
	return all
}

// compute computes for a time.
func compute(w *dts.Worker, d time.Duration) bool {
	w.Compute(d)
	return true
}

// stealing forks threads that the other PE steals: a PE serves thieves when it forks.
func stealing(w *dts.Worker) int {
	for range stealRounds {
		half := dts.Fork(w, compute, 50*time.Microsecond)
		for range 25 {
			h := dts.Fork(w, compute, time.Microsecond)
			h.Join(w)
			w.Compute(time.Microsecond)
		}
		half.Join(w)
	}
	return 0
}

// stream forks threads on a PE.
func stream(w *dts.Worker, pe int) bool {
	const each = 50
	var handles [each]dts.Handle[bool]
	for range goalsSent / each {
		for i := range handles {
			handles[i] = dts.ForkOn(w, pe, compute, 0)
		}
		for i := range handles {
			handles[i].Join(w)
		}
	}
	return true
}

func toOther(w *dts.Worker) int {
	stream(w, 1)
	return 0
}

func toEachOther(w *dts.Worker) int {
	h := dts.ForkOn(w, 1, stream, 0)
	stream(w, 1)
	h.Join(w)
	return 0
}

// thereAndBack forks threads on the other PE, one at a time.
func thereAndBack(w *dts.Worker) int {
	for range hops {
		h := dts.ForkOn(w, 1, compute, 0)
		h.Join(w)
	}
	return 0
}

// timeOfByte returns the time in ns to read a byte that another PE has written, beyond that of reading it again.
func timeOfByte(ctx context.Context) (float64, error) {
	buffer := make([]int64, bufferBytes/8)
	read := func(*dts.Worker, int64) (extra time.Duration) {
		sum := int64(0)
		for sign := range 2 {
			began := time.Now()
			for _, x := range buffer {
				sum += x
			}
			took := time.Since(began)
			if extra += took; sign == 1 {
				extra -= 2 * took
			}
		}
		if sum == 1 { // it is even; the loop is needed
			return 0
		}
		return extra
	}
	total, err := dts.Run(ctx, dts.Options{PEs: 2, Policy: "static", Mode: dts.Live, Seed: 1, Program: "calibrate"}, func(w *dts.Worker) time.Duration {
		total := time.Duration(0)
		for round := range int64(readings) {
			for i := range buffer {
				buffer[i] = round
			}
			h := dts.ForkOn(w, 1, read, round)
			total += h.Join(w)
		}
		return total
	})
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	if err != nil {
		return 0, errors.Join(errors.New("reading bytes of another PE"), err)
	}
	return max(0, float64(total)/readings/bufferBytes), nil
}

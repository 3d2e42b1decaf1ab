// Package spike generates long HPF programs that are mostly idle, like programs linked with libraries: a few busy procedures among long stretches
// of procedures that are never called. PerfVisS was demonstrated with such a program of 94,824 lines ("Performance Data Collection and
// Visualization", section 2.2.1).
//
// The text depends only on the number of lines and the seed. The expected output is computed from the same operations.
package spike

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// The bounds and the default of the number of lines.
const (
	Least   = 10_000
	Most    = 1_000_000
	Default = 94_824
)

// The arrays of the program.
const (
	elements = 64 // of each array
	arrays   = 4
	names    = "abcd"
)

// hot are the procedures that are executed, in source order, with the number of lines of their loops and of their rounds. The fifth is the
// busiest.
var hot = []struct {
	name          string
	lines, rounds int
}{
	{"setup", 216, 3},
	{"sweep", 796, 3},
	{"exchange", 376, 4},
	{"relax", 841, 3},
	{"flux", 286, 20},
	{"filter", 636, 4},
	{"boundary", 541, 3},
	{"energy", 596, 4},
}

// A Program is the text of a program and the sums of its arrays, which it prints.
type Program struct {
	Text string
	Sums [arrays]float64
}

// A writer writes a program line by line.
type writer struct {
	strings.Builder
	lines, procedures int
	rand              *rand.Rand
}

func (w *writer) line(format string, args ...any) {
	fmt.Fprintf(w, format, args...)
	w.WriteByte('\n')
	w.lines++
}

// New returns the program with the given number of lines, from Least to Most.
func New(lines int, seed uint64) *Program {
	w := &writer{rand: rand.New(rand.NewPCG(seed, 1))}
	work := rand.New(rand.NewPCG(seed, 2)) // a separate source, so that programs of all lengths do the same work
	var state state
	state.begin()
	w.main()
	for i, h := range hot {
		// The remaining lines of the library are divided equally among the stretches before, between and after the remaining hot procedures.
		rest := 0
		for _, later := range hot[i:] {
			rest += later.lines + around
		}
		w.library(w.lines + (lines-w.lines-rest)/(len(hot)-i+1))
		ops := w.procedure(h.name, h.lines, h.rounds, work)
		for range h.rounds {
			for _, op := range ops {
				op.apply(&state)
			}
		}
	}
	w.library(lines)
	return &Program{w.String(), state.sums()}
}

// main writes the main program.
func (w *writer) main() {
	w.line("! Most of this program is never executed: look for the procedures that are.")
	w.line("program spike")
	w.line("  implicit none")
	w.line("  integer, parameter :: n = %d", elements)
	w.line("  double precision :: a(n), b(n), c(n), d(n)")
	w.line("  integer :: i, level")
	w.line("!HPF$ DISTRIBUTE (BLOCK) :: a, b, c, d")
	w.line("")
	w.line("  level = 0")
	w.line("  do i = 1, n")
	for k, name := range names {
		w.line("    %c(i) = dble(mod(%d * i, %d)) / %d", name, 2*k+3, 7+4*k, 7+4*k)
	}
	w.line("  end do")
	for _, h := range hot {
		w.line("  call %s(a, b, c, d)", h.name)
	}
	w.line("  if (level > 0) call %s(level, a(1))", libraryName(1))
	for _, name := range names {
		w.line("  print '(f14.8)', sum(%c)", name)
	}
	w.line("end program spike")
}

// around is the number of lines of a hot procedure before and after its loop's body.
const around = 13

// procedure writes a procedure whose loop has the given number of lines, and returns the operations of a round.
func (w *writer) procedure(name string, lines, rounds int, rand *rand.Rand) []operation {
	w.line("")
	w.line("! %s is called once, and goes round %d times.", name, rounds)
	w.line("subroutine %s(a, b, c, d)", name)
	w.line("  implicit none")
	w.line("  integer, parameter :: n = %d", elements)
	w.line("  double precision, intent(inout) :: a(n), b(n), c(n), d(n)")
	w.line("  double precision :: s")
	w.line("  integer :: i, round")
	w.line("!HPF$ DISTRIBUTE (BLOCK) :: a, b, c, d")
	w.line("")
	w.line("  do round = 1, %d", rounds)
	var ops []operation
	for end := w.lines + lines; w.lines < end; {
		op := operation{to: rand.IntN(arrays), p: float64(rand.IntN(7)+1) / 8}
		op.from = (op.to + 1 + rand.IntN(arrays-1)) % arrays
		op.kind = kind(rand.IntN(int(kinds)))
		if text := op.text(); w.lines+len(text) <= end {
			for _, line := range text {
				w.line("    %s", line)
			}
			ops = append(ops, op)
		}
	}
	w.line("  end do")
	w.line("end subroutine %s", name)
	return ops
}

package exec

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/testdata/testenv"
)

const codeHead = `program p
integer, parameter :: n = 12
real*8 a(n, n), x(n), s, t
real c(n, n), u(0:n), r
integer k(n, n), l(-2:n), m, q, w
integer(8) big, b2, b3, b4
integer(1) tiny
integer(2) small, s2, s3, s4
logical p1, p2, z(n)
logical(8) p8
integer cm, cn
real*8 cx, cv(5)
common /both/ cm, cn, cx, cv
MAPPING
do j = 1, n
do i = 1, n
a(i, j) = i + 10 * j
c(i, j) = 3.1 * i - j
k(i, j) = mod(i * 7 + j * 3, 11) - 4
end do
x(j) = j * 0.37d0; u(j) = 1.0 / j; l(j) = 9 - j; z(j) = mod(j, 3) == 0
end do
s = 0; t = 1; r = 0; m = 0; q = 3; w = 0; big = 5; tiny = 1; small = 2; p1 = .true.; p2 = .false.; p8 = .true.
cm = 1; cn = 2; cx = 0.5d0; cv = 3
`

const codeTail = `
print *, a, c
print *, x, u, k, l
print *, s, t, r, m, q, w, i, j, big, tiny, small, p1, p2, z, cm, cn, cx, cv
contains
subroutine note(v, f)
integer v
real*8 f
v = mod(v + 3, 17)
f = f * 0.5d0 + v
end subroutine
integer function steps(v)
integer, intent(in) :: v
integer k
k = 1 + modulo(v, 9)
steps = 0
do while (k > 1)
if (steps > 15) return
if (mod(k, 2) == 0) then
k = k / 2
else
k = 3 * k + 1
end if
steps = steps + 1
end do
end function
recursive integer function down(v, deep) result(r)
integer, intent(in) :: v, deep
r = v
if (deep <= 0) return
if (mod(v, 3) == 0) then
r = down(v - 1, deep - 1) + down(v + deep, deep - 2)
else if (v > 0 .and. deep < 5) then
r = r - down(-v / deep, deep - 1)
end if
end function
real*8 function mean(v, n)
integer, intent(in) :: n
real*8, intent(in) :: v(n)
integer k
mean = 0
do k = 1, n
if (v(k) < -100) cycle
mean = mean + v(k) * 0.125d0
end do
end function
subroutine spread1(v, from, f)
real*8 v(2:), f
integer, intent(in) :: from
integer k
do k = from, 12
v(k) = v(k) * 0.5d0 + f
f = f - pair(real(k), f) * 0.01d0
end do
end subroutine
real*8 function pair(a, b)
real, intent(in) :: a
real*8, intent(in) :: b
pair = min(a + b, 2d0)
end function
integer function bump(v)
integer, intent(in) :: v
integer, save :: times = 0
times = modulo(times + v, 7)
m = mod(m, 50) + times
bump = m + times
end function
subroutine block1(v)
integer v, first, k
real*8 rest, parts(5)
common /both/ first, k, rest, parts
integer again
common /both2/ again
again = mod(again + first, 9)
v = again + k
k = mod(k + 1, 6)
rest = rest * 0.5d0 + parts(1 + k) + gauge(rest * 1d0)
parts(1 + mod(first, 5)) = rest
first = mod(first, 11) + bump(1)
end subroutine
real*8 function gauge(f)
real*8, intent(in) :: f
real*8 w(0:3), sums(2, 2)
integer k
do k = 0, 3
w(k) = w(k) + f * k
sums(1 + k / 2, 1 + mod(k, 2)) = w(k) - cx
end do
gauge = w(2) + sums(2, 1) * 0.25d0 + x(1 + mod(abs(q), n))
end function
logical function odd(v)
integer, intent(in) :: v
odd = mod(v, 2) /= 0
end function
subroutine touch
m = mod(m, 100) + 1
q = mod(q, 5) + 1
x(2) = s
end subroutine
end
`

var codeMappings = []string{"", "!HPF$ DISTRIBUTE (BLOCK, *) :: a, k\n!HPF$ DISTRIBUTE (CYCLIC) :: x, z", "!HPF$ DISTRIBUTE (*, BLOCK) :: a, c\n!HPF$ DISTRIBUTE l(BLOCK)"}

// A writer writes random statements.
type writer struct {
	draw  *rapid.T
	text  strings.Builder
	loops int // around the statement
	left  int // statements
}

func (w *writer) pick(of ...string) string { return rapid.SampledFrom(of).Draw(w.draw, "") }

func (w *writer) integer(depth int) string {
	if depth == 0 {
		return w.pick("1", "2", "3", "(-1)", "7", "steps(m)", "bump(3)", "bump(q)", "cm", "cn", "down(int("+w.pick("m", "w", "i")+"), "+w.pick("3", "i", "5")+")", "m", "q", "w", "i", "j", "l("+w.index()+")", "k("+w.index()+", "+w.index()+")", "tiny", "small", "big")
	}
	x, y := w.integer(depth-1), w.integer(depth-1)
	switch w.pick("op", "op", "op", "div", "fn", "conv", "leaf") {
	case "op":
		return "(" + x + w.pick(" + ", " - ", " * ") + y + ")"
	case "div":
		return w.pick("("+x+") / 4", "("+x+") / 3", "mod("+x+", 8)", "mod("+x+", 5)", "modulo("+x+", 6)", "modulo("+x+", 4)",
			"("+x+") / max(1, abs("+y+"))", "mod("+x+", max(1, "+y+"))", "modulo("+x+", min(-1, "+y+"))", "("+x+") / "+w.pick("q", "m", "w"))
	case "fn":
		return w.pick("abs("+x+")", "max("+x+", int("+y+"))", "min(int("+x+"), int("+y+"), 40)", "sign(int("+x+"), int("+y+"))", "iand(int("+x+"), 12)", "ieor(int("+x+"), int("+y+"))")
	case "conv":
		return w.pick("int(", "nint(", "floor(", "ceiling(") + w.real(depth-1) + ")"
	}
	return w.integer(0)
}

func (w *writer) index() string {
	return w.pick("i", "j", "i", "j", "3", "q", "i+1", "j-1", "1 + modulo(m, n)", "1 + modulo(i * j, n)", "1 + abs(mod(w, n))", "1 + modulo(big, 12_8)")
}

func (w *writer) real(depth int) string {
	if depth == 0 {
		return w.pick("mean(x, n)", "mean(x("+w.pick("2", "q", "i")+"), "+w.pick("4", "q", "j")+")", "mean(a(1, "+w.pick("2", "j")+"), n)", "pair(r, s)", "gauge(t)", "cx", "cv(1 + mod(abs(m), 5))", "0.5", "2d0", "(-3.25)", "s", "t", "r", "x("+w.index()+")", "u("+w.index()+")", "a("+w.index()+", "+w.index()+")", "c("+w.index()+", "+w.index()+")", "1e-3")
	}
	x, y := w.real(depth-1), w.real(depth-1)
	switch w.pick("op", "op", "op", "fn", "power", "conv", "leaf") {
	case "op":
		return "(" + x + w.pick(" + ", " - ", " * ", " / ") + y + ")"
	case "fn":
		return w.pick("abs("+x+")", "sqrt(abs("+x+"))", "max("+x+", dble("+y+"))", "min(dble("+x+"), "+y+")", "sign(dble("+x+"), dble("+y+"))", "aint("+x+")", "(-("+x+"))", "sin("+x+")")
	case "power":
		return "(" + x + ") ** " + w.pick("2", "3", "-1", "5", "0")
	case "conv":
		return w.pick("real(", "dble(") + w.integer(depth-1) + ")"
	}
	return w.real(0)
}

func (w *writer) truth(depth int) string {
	if depth == 0 {
		return w.pick("odd(q)", "odd(i + steps(w))", "p1", "p2", "p8", "z("+w.index()+")", "i > j", ".true.")
	}
	switch w.pick("int", "int", "real", "op", "not") {
	case "int":
		return w.integer(1) + w.pick(" == ", " /= ", " < ", " <= ", " > ", " >= ") + w.integer(1)
	case "real":
		return w.real(1) + w.pick(" == ", " /= ", " < ", " <= ", " > ", " >= ") + w.real(1)
	case "op":
		return "(" + w.truth(depth-1) + w.pick(" .and. ", " .or. ", " .eqv. ", " .neqv. ") + w.truth(depth-1) + ")"
	}
	return ".not. (" + w.truth(depth-1) + ")"
}

func (w *writer) line(format string, args ...any) { fmt.Fprintf(&w.text, format+"\n", args...) }

func (w *writer) body(depth int) {
	for range rapid.IntRange(1, 4).Draw(w.draw, "") {
		if w.left--; w.left > 0 {
			w.statement(depth)
		}
	}
}

func (w *writer) statement(depth int) {
	kind := w.pick("int", "int", "real", "real", "real", "logical", "if", "if", "loop", "leave", "call", "call", "host")
	if depth == 0 && (kind == "if" || kind == "loop") {
		kind = "int"
	}
	switch kind {
	case "int":
		w.line("%s = %s", w.pick("m", "w", "q", "cm", "cn", "big", "tiny", "small", "l("+w.index()+")", "k("+w.index()+", "+w.index()+")"), w.integer(2))
	case "real":
		w.line("%s = %s", w.pick("s", "t", "r", "cx", "cv(3)", "x("+w.index()+")", "u("+w.index()+")", "a("+w.index()+", "+w.index()+")", "c("+w.index()+", "+w.index()+")"), w.real(2))
	case "logical":
		w.line("%s = %s", w.pick("p1", "p2", "p8", "z("+w.index()+")"), w.truth(2))
	case "if":
		w.line("if (%s) then", w.truth(2))
		w.body(depth - 1)
		if w.pick("y", "n") == "y" {
			w.line("else if (%s) then", w.truth(1))
			w.body(depth - 1)
		}
		if w.pick("y", "n") == "y" {
			w.line("else")
			w.body(depth - 1)
		}
		w.line("end if")
	case "loop":
		w.loop(depth)
	case "leave":
		if w.loops > 0 {
			w.line("if (%s) %s", w.truth(1), w.pick("cycle", "exit", "cycle", "exit outer", "cycle outer"))
		}
	case "call":
		w.line("%s", w.pick("call note(m, s)", "call note(w, t)", "call spread1(x, "+w.pick("3", "q", "i", "steps(i)")+", "+w.pick("s", "t")+")", "call spread1(a(:, 2), 5, s)",
			"call touch", "call touch", "call block1(w)", "call block1(cm)", "call block1(m)", "w = bump(m) + cn", "m = m + bump(2)", "cx = gauge(s) - cx", "call note(q, cx)"))
	case "host":
		w.line("%s", w.pick("print *, m, s", "x = x + 1", "call note(w, x(3))", "if (m == -1234) stop", "select case (m)\ncase (:0)\nq = 2\ncase default\nw = w + 1\nend select"))
	}
}

func (w *writer) loop(depth int) {
	w.loops++
	switch w.pick("count", "count", "while", "endless") {
	case "count":
		v := []string{"i", "j", "i3", "i4"}[w.loops-1]
		w.line("do %s = %s", v, w.pick("1, n", "2, n - 1", "n, 1, -1", "1, 9, 2", "3, 2", "1, mod(abs(m), 9)", "q, 8, max(1, q)", "8, 3, q"))
		w.body(depth - 1)
	case "while":
		w.line("b%d = 6\ndo while (b%d > 0 .and. %s)\nb%d = b%d - 1", w.loops, w.loops, w.truth(1), w.loops, w.loops)
		w.body(depth - 1)
	case "endless":
		w.line("s%d = 5\ndo\ns%d = s%d - 1_2\nif (s%d < 0) exit", w.loops, w.loops, w.loops, w.loops)
		w.body(depth - 1)
	}
	w.line("end do")
	w.loops--
}

// asCodeAndPlain compares generated code from the first iteration, and from the third, with statements that are executed one by one.
func asCodeAndPlain(t testing.TB, text string, processors int) (difference string) {
	t.Helper()
	return unlikePlain(t, text, processors, asCode, early)
}

// unlikePlain compares the output, the error and the trace of a program that runs in some manners with those of a run that executes statements one by one. Traces of
// programs with errors are compared as generated code only: nests may compute an index before they begin.
func unlikePlain(t testing.TB, text string, processors int, manners ...manner) (difference string) {
	t.Helper()
	plainOut, plainTrace, _, plainErr := traced(t, text, processors, byStatement)
	for _, how := range manners {
		out, trace, _, err := traced(t, text, processors, how)
		if out != plainOut || fmt.Sprint(err) != fmt.Sprint(plainErr) {
			return fmt.Sprintf("on %d processors:\n%s\nin manner %d: %v\n%s\nplain: %v\n%s", processors, text, how, err, out, plainErr, plainOut)
		}
		if trace != plainTrace && (how == asCode || err == nil) {
			return fmt.Sprintf("on %d processors the trace in manner %d differs:\n%s\n%s", processors, how, text, firstDifference(trace, plainTrace))
		}
	}
	return ""
}

// inModule moves the declarations of a program to a module.
func inModule(text string) string {
	declarations, rest, _ := strings.Cut(strings.TrimPrefix(text, "program p\n"), "MAPPING\n")
	return "module variables\n" + declarations + "MAPPING\nend module\nprogram p\nuse variables\n" + rest
}

// TestGeneratedCode checks that random programs give the same values, samples, clocks, messages and errors as generated code as statement by statement.
func TestGeneratedCode(t *testing.T) {
	testenv.Sequential(t)
	rapid.Check(t, func(draw *rapid.T) {
		w := &writer{draw: draw, left: 25}
		w.loops++
		w.line("outer: do i = %s", w.pick("1, n", "2, n", "n, 2, -1"))
		w.body(3)
		w.line("end do outer")
		head := codeHead
		if rapid.Bool().Draw(draw, "module") {
			head = inModule(head)
		}
		text := strings.Replace(head, "MAPPING", rapid.SampledFrom(codeMappings).Draw(draw, ""), 1) + w.text.String() + codeTail
		processors := rapid.SampledFrom([]int{1, 1, 4}).Draw(draw, "")
		if difference := asCodeAndPlain(t, text, processors); difference != "" {
			draw.Fatal(difference)
		}
	})
}

// TestProgramsAsCode runs the programs with their loops as generated code from the first iteration.
func TestProgramsAsCode(t *testing.T) {
	testenv.Sequential(t)
	for _, name := range programs(t) {
		text, input := texts(t, name)
		for _, processors := range []int{1, 4} {
			want, _, err := run(t, name, text, input, processors, Options{})
			must.Do(t, err)
			if out, _, err := run(t, name, text, input, processors, Options{eager: true}); err != nil || out != want {
				t.Errorf("%s on %d processors: %v\n%s", name, processors, err, out)
			}
		}
	}
}

// TestZeroBelowBits compares 0 with bits of integers, which wazero 1.12 compiles wrong where they end in an and.
func TestZeroBelowBits(t *testing.T) {
	testenv.Sequential(t)
	const text = `program p
integer(8) k
m = 0
k = 0
do i = -12, 12
if (0 < modulo(i, 4)) m = m + 1
if (0 >= iand(i, 6)) m = m + 10
j = iand(i, 5)
if (0 < j) m = m + 100
if (0_8 < modulo(k, 8_8)) m = m + 1000
k = k + 3
if (modulo(i, 1) /= 0) m = -1
end do
print *, m
end
`
	if difference := asCodeAndPlain(t, text, 1); difference != "" {
		t.Error(difference)
	}
}

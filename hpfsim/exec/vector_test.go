package exec

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/testenv"
)

const vectorsHead = `program p
integer, parameter :: n = 83
real*8 a(n), b(n), s
real c(n), u(n), r
integer k(n), l(n), m
integer*2 h(n)
integer*8 w(n)
logical p1(n), p2(n), q
MAPPING
do i = 1, n
a(i) = i * 0.37d0 - 11; b(i) = 1d0 / i; c(i) = 5.3 - 0.21 * i; u(i) = 0.1 * mod(i * i, 17) - 0.7
k(i) = mod(i * 7, 23) - 9; l(i) = 40 - i; h(i) = mod(i * 5, 31) - 12; w(i) = i - 50
p1(i) = mod(i, 3) == 1; p2(i) = i > 37
end do
a(7) = -0d0; c(9) = -0.0; a(11) = a(11) / (b(11) - b(11)); c(13) = (c(13) - c(13)) / (u(13) - u(13))
s = 1.5d0; r = -0.25; m = 3; q = .true.
`

const vectorsTail = `
print '(12es12.4)', a, b, c, u
print '(24i12)', k, l, h, w
print '(80l1)', p1, p2
end
`

// A vectorProgram draws statements on whole lines of arrays of all types.
type vectorProgram struct{ draw *rapid.T }

func (v vectorProgram) pick(of ...string) string { return rapid.SampledFrom(of).Draw(v.draw, "") }

// place returns a section of an array with as many elements as all others.
func (v vectorProgram) place(names ...string) string {
	return v.pick(names...) + v.pick("(4:80)", "(4:80)", "(3:79)", "(6:82)", "(1:77)", "(80:4:-1)")
}

func (v vectorProgram) real(depth int) string {
	if depth == 0 {
		return v.pick(v.place("a", "b"), v.place("a", "b", "c", "u"), v.place("c", "u"), v.place("c", "u"), "s", "r", "0.5", "2d0")
	}
	x := func() string { return v.real(depth - 1) }
	switch v.pick("op", "op", "op", "fn", "int", "merge", "leaf") {
	case "op":
		return "(" + x() + v.pick(" + ", " - ", " * ", " / ") + x() + ")"
	case "fn":
		return v.pick("abs("+x(), "sqrt(abs("+x()+")", "(-("+x()+")", "(("+x()+")**2", "real("+x(), "max(real("+x()+"), real("+x()+")", "min(dble("+x()+"), dble("+x()+")") + ")"
	case "int":
		return v.pick("real(", "dble(") + v.integer(depth-1) + ")"
	case "merge":
		return "merge(dble(" + x() + "), dble(" + x() + "), " + v.logical(depth-1) + ")"
	}
	return v.real(0)
}

func (v vectorProgram) integer(depth int) string {
	if depth == 0 {
		return v.pick(v.place("k", "l"), v.place("k", "l"), v.place("k", "l", "h", "w"), "m", "7")
	}
	x := func() string { return v.integer(depth - 1) }
	switch v.pick("op", "op", "fn", "merge", "leaf") {
	case "op":
		return "(" + x() + v.pick(" + ", " - ", " * ") + x() + ")"
	case "fn":
		return v.pick("abs("+x(), "(-("+x()+")", "("+x()+" / 4", "mod(int("+x()+"), 8", "max(int("+x()+"), m", "min(int("+x()+"), 12") + ")"
	case "merge":
		return "merge(int(" + x() + "), int(" + x() + "), " + v.logical(depth-1) + ")"
	}
	return v.integer(0)
}

func (v vectorProgram) logical(depth int) string {
	if depth == 0 {
		return v.pick(v.place("p1", "p2"), v.place("p1", "p2"), v.real(0)+v.relation()+v.real(0), v.integer(0)+v.relation()+v.integer(0), "q")
	}
	x := func() string { return v.logical(depth - 1) }
	switch v.pick("op", "op", "not", "real", "integer") {
	case "op":
		return "(" + x() + v.pick(" .and. ", " .or. ", " .eqv. ", " .neqv. ") + x() + ")"
	case "not":
		return "(.not. " + x() + ")"
	case "real":
		return "(" + v.real(depth-1) + v.relation() + v.real(depth-1) + ")"
	}
	return "(" + v.integer(depth-1) + v.relation() + v.integer(depth-1) + ")"
}

func (v vectorProgram) relation() string {
	return v.pick(" < ", " <= ", " > ", " >= ", " == ", " /= ")
}

func (v vectorProgram) assignment() string {
	switch v.pick("real", "real", "integer", "logical") {
	case "real":
		return v.place("a", "b", "c", "u") + " = " + v.real(3)
	case "integer":
		return v.place("k", "l", "h", "w") + " = " + v.integer(3)
	}
	return v.place("p1", "p2") + " = " + v.logical(2)
}

// TestVectors checks that assignments to arrays and WHERE in generated code, with vectors of all widths, give the same as statements executed one by one.
func TestVectors(t *testing.T) {
	testenv.Sequential(t)
	rapid.Check(t, func(draw *rapid.T) {
		v := vectorProgram{draw}
		var body strings.Builder
		for range rapid.IntRange(1, 4).Draw(draw, "") {
			if v.pick("plain", "plain", "where") == "plain" {
				fmt.Fprintln(&body, v.assignment())
				continue
			}
			mask := v.place("p1", "p2") + v.pick("", " .and. "+v.logical(1))
			fmt.Fprintf(&body, "where (%s)\n%s\nelsewhere\n%s\nend where\n", mask, v.assignment(), v.assignment())
		}
		mapping := v.pick("", "!HPF$ DISTRIBUTE (BLOCK) :: a, b, c, u, k, l, h, w, p1, p2")
		text := strings.Replace(vectorsHead, "MAPPING", mapping, 1) + body.String() + vectorsTail
		processors := rapid.SampledFrom([]int{1, 3}).Draw(draw, "")
		out, trace, _, err := traced(t, text, processors, asNests)
		plainOut, plainTrace, _, plainErr := traced(t, text, processors, byStatement)
		switch {
		case out != plainOut || fmt.Sprint(err) != fmt.Sprint(plainErr):
			draw.Fatalf("%s\n%v, plain %v\n%s", text, err, plainErr, firstDifference(out, plainOut))
		case err == nil && trace != plainTrace:
			draw.Fatalf("%s\nthe trace differs: %s", text, firstDifference(trace, plainTrace))
		}
	})
}

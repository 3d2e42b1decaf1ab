package exec

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/testdata/testenv"
	"whorl/tracer"
)

// A manner is a way to run a program: with nests, a statement at a time, with instructions executed one by one, or as generated code.
type manner int

const (
	asNests manner = iota
	byStatement
	stepwise
	asCode
	early // as generated code after two iterations or calls
)

// traced runs a program to its end, and returns its output, its trace and the number of lines that were computed by
// nests.
func traced(t testing.TB, text string, processors int, how manner) (out, trace string, lines int, err error) {
	t.Helper()
	var b, dump bytes.Buffer
	mem := tracer.NewMemory()
	m := machine(t, prepared(t, "p.f90", text, processors), Options{Recorder: mem, Sample: 499, apart: true, stepwise: how == stepwise, eager: how == asCode, early: how == early, Output: &b})
	m.plain = how == byStatement
	m.leastGenerated = 0
	for more := true; more; {
		more, err = m.Advance(50)
	}
	must.Do(t, mem.Close())
	// Numbers of codes depend on the order of execution, so they are compared by name.
	code := func(id uint32) string {
		c := mem.Dict().Code(id)
		return fmt.Sprint(c.Name, c.File, c.Line, mem.Dict().Code(c.Parent).Line)
	}
	must.Do(t, mem.Scan(tracer.AllKinds, func(es []tracer.Event) error {
		for _, e := range es {
			where := code(e.Code)
			if e.Kind == tracer.Sample {
				where = code(mem.Dict().Context(uint32(e.Ref)).Code)
			}
			fmt.Fprintln(&dump, e.Kind, e.Time, e.PE, e.Peer, e.Value, where)
		}
		return nil
	}))
	return b.String(), dump.String(), m.lines, err
}

// nestsAndPlain compares the output and the trace of a program with those of a run that executes statements one by one
// and of a run that executes instructions one by one.
func nestsAndPlain(t testing.TB, text string, processors int) (lines int, difference string) {
	t.Helper()
	out, trace, lines, err := traced(t, text, processors, asNests)
	plainOut, plainTrace, _, plainErr := traced(t, text, processors, byStatement)
	if out != plainOut || fmt.Sprint(err) != fmt.Sprint(plainErr) {
		return lines, fmt.Sprintf("on %d processors:\n%s\nas nests: %v\n%s\nplain: %v\n%s", processors, text, err, out, plainErr, plainOut)
	}
	if err == nil && trace != plainTrace {
		return lines, fmt.Sprintf("on %d processors the trace differs:\n%s\n%s", processors, text, firstDifference(trace, plainTrace))
	}
	if difference := asCodeAndPlain(t, text, processors); difference != "" {
		return lines, difference
	}
	if _, stepped, _, err := traced(t, text, processors, stepwise); err == nil && trace != stepped {
		return lines, fmt.Sprintf("on %d processors the trace differs from that of a stepping machine:\n%s\n%s", processors, text, firstDifference(trace, stepped))
	}
	return lines, ""
}

func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return x[i] + "\n" + y[i]
		}
	}
	return fmt.Sprintf("%d and %d lines", len(x), len(y))
}

const nestHead = `program p
integer, parameter :: n = 14
real*8 a(n, n), b(n, n), x(n), s, t
real c(n, n), u(n), r
integer k(n, n), l(n), m, q
MAPPING
do j = 1, n
do i = 1, n
a(i, j) = i + 10 * j
b(i, j) = 1d0 / (i + j)
c(i, j) = 3.1 * i - j
k(i, j) = mod(i * 7 + j * 3, 11)
end do
x(j) = j * 0.37d0; u(j) = 1.0 / j; l(j) = 15 - j
end do
s = 0; t = 1; r = 0; m = 0; q = 3
`

const nestTail = `
print '(14f12.5)', a, b
print '(14f12.5)', c
print '(14f12.5)', x, u, s, t, r
print '(14i8)', k, l, m, q, i, j
end
`

var mappings = []string{
	"!HPF$ DISTRIBUTE (BLOCK, BLOCK) :: a, b, c, k",
	"!HPF$ DISTRIBUTE (*, CYCLIC) :: a, b, c, k\n!HPF$ DISTRIBUTE (BLOCK) :: x, u, l",
	"!HPF$ DISTRIBUTE a(BLOCK, *)\n!HPF$ ALIGN WITH a :: b, c\n!HPF$ ALIGN x(i) WITH a(i, *)",
	"",
}

func nestProgram(mapping, body string) string {
	return strings.Replace(nestHead, "MAPPING", mapping, 1) + body + nestTail
}

// TestNests checks that loops, FORALL and array assignments that run as nests give the same values, samples, clocks and messages as
// statements executed one by one.
func TestNests(t *testing.T) {
	testenv.Sequential(t)
	type on struct{ mapping, processors int }
	runs := []on{{0, 1}, {0, 4}, {1, 6}, {2, 4}, {3, 4}}
	heads := map[on]int{} // lines of the program around the tested statements
	for _, on := range runs {
		_, _, n, err := traced(t, nestProgram(mappings[on.mapping], ""), on.processors, asNests)
		if err != nil {
			t.Fatal(err)
		}
		heads[on] = n
	}
	nests, all := 0, 0
	for _, body := range []string{
		"do j = 2, n - 1\ndo i = 2, n - 1\na(i, j) = 0.25d0 * (b(i-1, j) + b(i+1, j) + b(i, j-1) + b(i, j+1))\nend do\nend do",
		"do j = 1, n\ndo i = 1, n\na(i, j) = b(i, j) * 2 + a(i, j)\nc(i, j) = c(i, j) - 0.3 * u(i)\nend do\nend do",
		"do j = 1, n\ndo i = 2, n\na(i, j) = a(i-1, j) + 1\nend do\nend do",
		"do j = 1, n\ndo i = 1, n - 1\na(i, j) = a(i+1, j) + 1\nend do\nend do",
		"do j = 2, n\ndo i = 1, n\na(i, j) = a(i, j-1) * 1.5d0\nend do\nend do",
		"do j = 1, n\ndo i = 2, n - 1\na(i, j) = b(i, j) + 1\nb(i-1, j) = a(i, j)\nend do\nend do",
		"do j = 1, n\ndo i = 2, n - 1\na(i, j) = b(i, j) + 1\nb(i+1, j) = a(i, j)\nend do\nend do",
		"do i = 1, n - 2, 2\nx(i) = x(i+1) + x(i) / 3\nend do",
		"do i = n, 2, -1\nx(i) = x(i-1) + u(i)\nend do",
		"do k1 = 1, n - 1\ndo i = k1 + 1, n\na(i, k1) = a(i, k1) / a(k1, k1)\nend do\ndo j = k1 + 1, n\ndo i = k1 + 1, n\na(i, j) = a(i, j) - a(i, k1) * a(k1, j)\nend do\nend do\nend do",
		"do j = 1, n\ndo i = 1, n\ns = s + a(i, j) * b(i, j)\nr = r + c(i, j)\nm = m + k(i, j)\nend do\nend do",
		"do i = 1, n\nx(i) = 0\ndo j = 1, n\nx(i) = x(i) + a(i, j) * b(j, i)\nend do\nend do",
		"do j = 1, n\ndo i = 1, n\ndo k1 = 1, n\nc(i, j) = c(i, j) + a(i, k1) * b(k1, j)\nend do\nend do\nend do",
		"do j = 1, n\ndo k1 = 1, n\ndo i = 1, n\nc(i, j) = c(i, j) + a(i, k1) * b(k1, j)\nend do\nend do\nend do",
		"do j = 1, n\ndo i = 1, n\nt = a(i, j) * 3\nm = k(i, j) + i\nb(i, j) = t - m * t\nend do\nend do",
		"do i = 1, n\ns = max(s, abs(a(i, 3) - b(3, i)))\nt = min(t, x(i))\nend do",
		"do j = 1, n\ndo i = 1, n\nk(i, j) = k(i, j) * 3 - mod(i + j, 4) + l(i) / 2 - abs(k(j, i))\nend do\nend do",
		"do i = 1, n\nl(i) = l(n + 1 - i)\nend do",
		"do i = 1, n\nx(l(i)) = u(i)\nend do",
		"do i = 1, n\nx(i) = x(l(i)) * 2\nend do",
		"do i = 1, n\nx(i) = sqrt(abs(a(i, 2))) ** 3 + exp(-x(i)) - x(i) ** 2\nu(i) = sin(u(i)) / 1.7\nend do",
		"do i = 1, n\nx(i) = real(k(i, 1)) + u(i)\nl(i) = int(x(i) * 2.5d0)\nend do",
		"forall (i = 2:n-1, j = 2:n-1) a(i, j) = a(i-1, j) + a(i+1, j)",
		"forall (i = 1:n, j = 1:n:2) b(i, j) = a(j, i)",
		"forall (i = 1:n:3) a(i, i) = b(i, 1)",
		"forall (i = 1:n-1) x(i+1) = x(i) * 2",
		"forall (i = 1:n, j = 1:n, i > j) a(i, j) = b(j, i)",
		"forall (i = 1:n, j = 1:n, i > j) a(i, j) = a(j, i)",
		"forall (i = 2:n-1, k(i, i) > 4) x(i) = x(i-1) + x(i+1)",
		"forall (i = 2:n-1, j = 1:n:3, k(j, i) > 4 .and. a(i, j) < 90) k(i, j) = k(i-1, j) + j",
		"forall (i = n:1:-2, x(i) > 2) x(i) = u(i) - i",
		"forall (j = 1:n, i = 1:n, mod(i + j, 3) == 1) c(i, j) = c(i, j) / 3 + 1.0",
		"forall (i = 1:n, q > 3) x(i) = 0",
		"forall (i = 1:n, q /= 3) l(i) = 10 / (q - 3)",
		"forall (i = 1:n, q /= 3) x(i) = x(q + 20)",
		"forall (i = 1:n, i > 1) x(i) = x(i - 1)",
		"forall (i = 1:n, i > 7) a(3, i) = b(i, 3) * s",
		"forall (i = 1:n, l(i) > 7) l(i) = l(n + 1 - i)",
		"do j = 1, n\nforall (i = 1:n, i > j) a(i, j) = b(i, j) + a(j, i)\nend do",
		"a(2:n-1, 2:n-1) = 0.25d0 * (a(1:n-2, 2:n-1) + a(3:n, 2:n-1) + a(2:n-1, 1:n-2) + a(2:n-1, 3:n))",
		"a = b * 2 + a\nc = (c + 1) * c\nk = k - 2 * k\na(:, 3) = x\nx = a(4, :)\nb(n:1:-1, :) = b",
		"c = c / 3 + real(k) ** 2\nu = u * u(3)\nx(2:n) = x(1:n-1)",
		"do j = 1, n\ndo i = 1, n\na(i, j) = sin(x(j)) * cos(0.1 * j) + exp(-u(i)) * mod(j, q)\nend do\nend do",
		"do j = 1, n\ndo i = 1, n\nr = tan(c(i, j))\ns = s + r / 3\nb(i, j) = sin(b(i, j) + r) + log(real(j))\nend do\nend do",
		"forall (i = 1:n, j = 1:n) c(i, j) = sin(u(i)) + cos(u(j))\nforall (i = 1:n, j = 1:n, k(i, j) > j) a(i, j) = atan(a(j, i))",
		"where (k > 3) c = sin(c)\na(:, 2:n) = exp(-0.1d0 * sin(a(:, 1:n-1)))",
		"do j = 1, n\ndo i = 1, n + 1\na(i, j) = j\nend do\nend do",
		"do j = 1, n\ndo i = 1, n\na(i, j) = x(i + j)\nend do\nend do",
		"do i = 1, n\nl(i) = k(i, 2) / (q - 3)\nend do",
		"do i = 5, 4\nx(i) = 1\nend do\ndo j = 1, 3\ndo i = 5, 4\nx(i) = 1\nend do\nend do",
		"!HPF$ INDEPENDENT\ndo i = 2, n - 1\nx(i) = a(i, i) + a(i, 1)\nx(i + 1) = u(i)\nend do",
		"where (a > b * 90 .and. k /= 3)\na = b\nk = k * 2 + l(3)\nelsewhere (c <= a .or. .not. k >= q)\nc = c - a\nelsewhere\nb(:, :) = 0.5d0\nend where",
		"where (x(2:n) > 1) x(2:n) = x(1:n-1) * 2\nwhere (l(n:1:-1) == 3 .eqv. u < 0.3) u = -u",
		"s = sum(a * b) + maxval(abs(a - b)) + dot_product(x + 1, u * 2)\nm = count(k > 3 .neqv. a < b) + sum(k * 2 - l(1))\nt = minval(-x, u > 0.2)",
		"x = sum(a + b, 1)\nu(1:3) = x(1:5:2) * (/ 1.0, 2.0, 3.0 /)\nl = merge(l, 2 * l, x > 3)",
		"do j = 1, n - 1\ndo i = 1, n - 1\na(i + 1, j) = b(i, j)\nb(i, j + 1) = c(i, j)\nc(i, j) = i * u(j)\nend do\nend do",
	} {
		for _, on := range runs {
			n, difference := nestsAndPlain(t, nestProgram(mappings[on.mapping], body), on.processors)
			if difference != "" {
				t.Error(difference)
			}
			all++
			if n > heads[on] {
				nests++
			}
		}
	}
	if nests < all*2/5 { // loops with messages inside and dependent loops are no nests
		t.Errorf("only %d of %d run as nests", nests, all)
	}
}

// TestLongNests checks lines that are longer than a chunk.
func TestLongNests(t *testing.T) {
	testenv.Sequential(t)
	const head = "program p\nreal*8 a(5000), b(5000), s\ninteger l(5000)\n!HPF$ DISTRIBUTE (BLOCK) :: a, b\ndo i = 1, 5000\na(i) = i; b(i) = 1d0 / i; l(i) = mod(i, 7)\nend do\ns = 0\n"
	const tail = "\nprint '(5f14.6)', a, b\nprint *, l, s, t\nend\n"
	for _, body := range []string{
		"do i = 1, 5000\ns = s + a(i) * b(i)\nt = a(i)\nb(i) = t + i\nend do",
		"do i = 1, 3000\na(i + 2000) = a(i) + 1\nend do",
		"do i = 1, 4000\na(i) = a(i + 1000) + 1\nend do",
		"do i = 1, 4999\na(i) = a(i + 1) * 2\nend do",
		"a(2:5000) = a(1:4999) + b(2:5000)\nb(1:4999) = b(2:5000) - 1",
		"forall (i = 1:2500) a(2 * i) = a(2 * i - 1) + l(i)",
		"do i = 1, 5000\nt = sin(a(i))\nb(i) = exp(-cos(t)) + t * log(a(i))\ns = s + sqrt(b(i)) * tan(t)\nend do",
		"do i = 1, 3000\na(i + 2000) = sin(a(i)) + l(i)\nend do",
		"a(2:5000) = atan(a(1:4999)) + log(exp(b(2:5000)))\nb(1:4999) = sin(b(2:5000)) - 1",
		"where (l > 3) a = sin(a) + tanh(b)\nwhere (a(2:5000) > 0) a(2:5000) = cos(a(1:4999))",
		"forall (i = 1:5000, l(i) > 2) a(i) = cosh(b(i)) - l(i)",
		"s = sum(sin(a) * b)\nt = maxval(cos(a + b))",
	} {
		if _, difference := nestsAndPlain(t, head+body+tail, 4); difference != "" {
			t.Error(difference[:min(len(difference), 2000)])
		}
	}
}

// TestLayouts checks nests whose arrays have other steps and distances each time.
func TestLayouts(t *testing.T) {
	testenv.Sequential(t)
	const text = "program p\nreal*8 x(40), y(40), z(40), w(1), s\nx = (/ (i, i = 1, 40) /); y = 1 / x; z = 2 - y; s = 0; w = 0\n" +
		"do m = 1, 2\ndo k1 = 0, 2\ndo k2 = 1, 3\ndo k3 = 1, 2\ncall update(x(1:1+9*k1:max(k1, 1)), y(1:10*k2:k2), z(k1+1:k1+10*k3:k3), 1 + 9 * min(k1, 1))\n" +
		"x(k3:30+k3) = (x(k3:30+k3) + x(4+k1:34+k1)) / 2\nend do\nend do\nend do\nend do\nprint *, x, y, z, s, w\ncontains\n" +
		"subroutine update(a, b, c, n)\nreal*8 a(:), b(:), c(:)\ndo i = 1, n\nb(i) = a(i) * 0.5d0 + c(i)\ns = s + b(i)\nw(1) = w(1) + a(i)\nend do\nend subroutine\nend\n"
	for _, processors := range []int{1, 4} {
		if _, difference := nestsAndPlain(t, text, processors); difference != "" {
			t.Error(difference)
		}
	}
}

// TestAnyNests checks that loops of random statements give the same as nests as iteration by iteration.
func TestAnyNests(t *testing.T) {
	testenv.Sequential(t)
	rapid.Check(t, func(draw *rapid.T) {
		pick := func(of ...string) string { return rapid.SampledFrom(of).Draw(draw, "") }
		index := func() string { return pick("i", "j", "i+1", "i-1", "j-1", "j+1", "3", "q", "2*i-5", "16-i", "i+j-7") }
		element := func() string {
			switch pick("2", "2", "2", "1") {
			case "2":
				return pick("a", "a", "b", "c", "k") + "(" + index() + ", " + index() + ")"
			}
			return pick("x", "u", "l") + "(" + index() + ")"
		}
		var expr func(depth int) string
		expr = func(depth int) string {
			if depth == 0 {
				return pick(element(), element(), element(), "0.5", "2", "s", "t", "i", "j", "q", "m", "r")
			}
			switch pick("op", "op", "op", "fn", "leaf") {
			case "op":
				return "(" + expr(depth-1) + pick(" + ", " - ", " * ") + expr(depth-1) + ")"
			case "fn":
				open := pick("abs(", "(-", "(", "sin(0.1 * ", "exp(-0.01 * abs(0.1d0 * ", "sin(0.1d0 * cos(0.2 * ")
				return open + expr(depth-1) + strings.Repeat(")", strings.Count(open, "("))
			}
			return expr(0)
		}
		var body strings.Builder
		lo, hi := pick("5", "6"), pick("8", "9", "10")
		loops := []string{"do j = " + lo + ", " + hi, "do i = " + pick("5, 9", "5, 10, 2", "9, 5, -1", "6, 6", "8, 7")}
		if pick("ji", "ij") == "ij" {
			loops[0], loops[1] = loops[1], loops[0]
		}
		fmt.Fprintln(&body, strings.Join(loops, "\n"))
		for range rapid.IntRange(1, 3).Draw(draw, "") {
			left := pick(element(), element(), element(), "s", "t", "m", "r")
			right := expr(2)
			if pick("y", "n", "n") == "y" {
				right = left + pick(" + ", " - ", " * ") + "(" + right + ")"
			}
			fmt.Fprintf(&body, "%s = %s\n", left, right)
		}
		fmt.Fprintln(&body, "end do\nend do")
		text, processors := nestProgram(rapid.SampledFrom(mappings).Draw(draw, ""), body.String()), rapid.SampledFrom([]int{1, 4, 6}).Draw(draw, "")
		if _, difference := nestsAndPlain(t, text, processors); difference != "" {
			draw.Fatal(difference)
		}
	})
}

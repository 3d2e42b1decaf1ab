package exec

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/testdata/testenv"
	"whorl/tracer"
)

// TestLive compares the output of live and simulated runs. On odd numbers of processors all loops of the live runs are generated code.
func TestLive(t *testing.T) {
	for _, name := range programs(t) {
		text, input := texts(t, name)
		want, _, err := run(t, name, text, input, 4, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, processors := range []int{1, 2, 4, 7} {
			if testenv.Race && processors != 2 && processors != 7 {
				continue
			}
			_, other, _ := run(t, name, text, input, processors, Options{})
			mem := tracer.NewMemory()
			got, m, err := run(t, name, text, input, processors, Options{Live: true, Recorder: mem, Sample: 100_000, eager: processors%2 == 1})
			if err != nil || got != want {
				t.Errorf("%s on %d live processors: %v\n%s", name, processors, err, got)
			}
			must.Do(t, mem.Close())
			if n := mem.Counts(); n[tracer.Exit] != int64(processors) || n[tracer.Send] != n[tracer.Recv] || m.Now() <= 0 || m.Totals().Messages != other.Totals().Messages || m.Totals().Bytes != other.Totals().Bytes {
				t.Errorf("%s on %d live processors: %v after %d ns; %d messages, and %d when simulated", name, processors, n, m.Now(), m.Totals().Messages, other.Totals().Messages)
			}
		}
	}
}

// TestLiveReadsBefore checks that an assignment reads the values from before it, although live processors do not wait for
// each other within it.
func TestLiveReadsBefore(t *testing.T) {
	for _, body := range []string{
		"a(1:n-1) = a(2:n) + b(2:n)", "forall (i = 1:n-1) a(i) = a(i+1) + b(i+1)", "where (b(2:n) > 2) a(1:n-1) = a(2:n) + b(2:n)",
		"where (b(2:n) > 2)\na(1:n-1) = a(2:n) + 1\nelsewhere\na(1:n-1) = a(2:n) - 1\nend where", "a(2:n) = a(1:n-1) + b(1:n-1)",
		"c(:, 1:n/8) = c(:, 2:n/8+1) + 1", "c(1:n/8, :) = c(2:n/8+1, :) + 1",
	} {
		text := "program p\ninteger, parameter :: n = 400\ninteger :: a(n), b(n), c(n/8+1, n/8+1), k\n!HPF$ DISTRIBUTE (CYCLIC(3)) :: a, b\n!HPF$ DISTRIBUTE c(CYCLIC, BLOCK)\n" +
			"do i = 1, n\na(i) = i\nb(i) = mod(i, 7)\nend do\nforall (i = 1:n/8+1, j = 1:n/8+1) c(i, j) = 100 * i + j\n" +
			"do k = 1, 20\n" + body + "\na(1) = mod(a(1), 1000)\nend do\nprint *, sum(a), sum(c), a(1:20), c(1, 1:20)\nend\n"
		want, _, err := run(t, "p.f90", text, "", 1, Options{})
		if err != nil {
			t.Fatal(body, err)
		}
		for _, processors := range []int{2, 6} {
			if got, _, err := run(t, "p.f90", text, "", processors, Options{Live: true, leastShared: 8}); err != nil || got != want {
				t.Errorf("%s on %d live processors: %v\n%s, want\n%s", body, processors, err, got, want)
			}
		}
	}
}

// TestLiveParts checks the results of distributed work: sections with any step, alignment and distribution, arrays
// assigned to themselves, private scalars, loops with branches.
func TestLiveParts(t *testing.T) {
	const head = `program p
integer, parameter :: n = 30
real*8 a(n), b(n), c(n, n), d(n, n), t, u
integer k(n)
!HPF$ PROCESSORS line(4), square(2, 2)
!HPF$ DISTRIBUTE (FORMAT) ONTO line :: a
!HPF$ ALIGN (i) WITH a(31-i) :: b
!HPF$ DISTRIBUTE (FORMAT, BLOCK) ONTO square :: c, d
do i = 1, n
a(i) = i; b(i) = i * i; k(i) = mod(7 * i, n) + 1
do j = 1, n
c(i, j) = i + 100 * j; d(i, j) = i - j
end do
end do
`
	const tail = "\nprint *, a, b, c, d, t, u, i, j\ncontains\npure real*8 function smooth(x, k)\nreal*8, intent(in) :: x\ninteger, intent(in) :: k\n" +
		"real*8, parameter :: weights(3) = (/ 0.5d0, 0.25d0, 2d0 /)\nreal*8 w\nw = x * weights(mod(k, 3) + 1)\nsmooth = w\nif (k > 25) smooth = w + deeper(x, k)\nend function\n" +
		"recursive pure function deeper(x, k) result(r)\nreal*8, intent(in) :: x\ninteger, intent(in) :: k\nreal*8 r\nr = x\nif (k > 0) r = deeper(x, k - 1) + 1\nend function\n" +
		"pure subroutine relax(x, y, z)\nreal*8, intent(inout) :: x(:)\nreal*8, intent(in) :: y\nreal*8, intent(out) :: z\nreal*8 w(size(x))\nw = x * y\nx = w(size(x):1:-1)\nz = sum(w)\nend subroutine\n" +
		"real*8 function noisy(x)\nreal*8 x\nt = x\nnoisy = x\nend function\nend\n"
	_, m, _ := run(t, "p.f90", strings.ReplaceAll(head, "FORMAT", "BLOCK")+tail, "", 4, Options{Live: true})
	rounds := m.crew.rounds
	for n, body := range []string{
		"a = 2 * a + 1", "a(2:30) = a(1:29) + b(30:2:-1)", "a(30:1:-3) = a(1:30:3)", "c = transpose(d) * c", "c(2:29, 3:30:2) = c(1:28, 1:28:2) + d(5, 2)",
		"forall (i = 1:n, j = 1:n) c(j, i) = d(j, i) * i", "forall (i = n:1:-2) a(i) = b(i) + a(31-i)",
		"do j = 1, n\ndo i = 1, n\nt = c(i, j) * 2\nc(i, j) = t + d(i, j) + i * j\nend do\nend do",
		"do i = 2, n, 3\nu = a(i)\na(i) = u + 1\nend do",
		"!HPF$ INDEPENDENT, NEW(t, j)\ndo i = 1, n\nt = 0\ndo j = 1, n\nif (d(i, j) > 0) then\nt = t + d(i, j)\nelse if (j == 3) then\ncycle\nend if\nend do\na(i) = t\nend do",
		"!HPF$ INDEPENDENT, NEW(i)\ndo j = 1, n\ndo i = 1, n\nselect case (mod(i + j, 3))\ncase (0)\nc(i, j) = 0\ncase default\nc(i, j) = c(i, j) / 2\nend select\nend do\nend do",
		"do i = 1, n\na(i) = smooth(b(i), k(i)) + smooth(a(i), i)\nend do", "do i = 1, n\ncall relax(c(i, :), b(i), a(i))\nend do",
		"!HPF$ INDEPENDENT, NEW(u)\ndo j = 1, n\nu = smooth(c(3, j), 28)\ndo i = 2, n\nc(i, j) = u + smooth(d(i, j), i)\nend do\nend do",
		"do i = 1, n\na(i) = noisy(b(i))\nend do",
		"do i = 1, n\na(i) = b(k(i))\nend do", "t = sum(a)\nu = maxval(c)", "do i = 1, n\nt = t + a(i)\nend do", "where (a > 5) a = -a", "a = cshift(a, 3) + b",
		"do k2 = 1, 5\ndo i = 2, n - 1\na(i) = (b(i - 1) + b(i + 1)) / 2\nend do\nb(2:n-1) = a(2:n-1)\nend do",
	} {
		for k, format := range []string{"BLOCK", "CYCLIC", "CYCLIC(4)"} {
			if testenv.Race && k != n%3 { // a sample
				continue
			}
			text := strings.ReplaceAll(head, "FORMAT", format) + body + tail
			want, _, err := run(t, "p.f90", text, "", 4, Options{})
			if err != nil {
				t.Fatalf("%s: %v", body, err)
			}
			got, m, err := run(t, "p.f90", text, "", 4, Options{Live: true})
			if err != nil || got != want {
				t.Errorf("%s, %s: %v\n%s\nwant\n%s", body, format, err, got, want)
			}
			if alone := strings.Contains(body, "t + a") || strings.Contains(body, "sum") || strings.Contains(body, "noisy"); alone == (m.crew.rounds > rounds) {
				t.Errorf("%s, %s: %d rounds of parts, %d before", body, format, m.crew.rounds, rounds)
			}
		}
	}
}

// TestLiveTransformations checks that large transformations, reductions and expressions are distributed. The sums of
// blocks are added in the same order on one processor and on many.
func TestLiveTransformations(t *testing.T) {
	const head = `program p
integer, parameter :: n = 30, many = 200000
real*8 a(n), b(n), c(n, n), d(n, n), u
real long(many)
integer e(n, n), place(2)
logical f(n, n)
!HPF$ DISTRIBUTE (BLOCK) :: a, b, long
!HPF$ DISTRIBUTE (BLOCK, CYCLIC) :: c, d, e, f
do i = 1, n
a(i) = i; b(i) = i * i
do j = 1, n
c(i, j) = i + 100 * j; d(i, j) = sin(i * j * 1d0); e(i, j) = mod(i * j, 7); f(i, j) = mod(i + j, 3) == 0
end do
end do
do i = 1, many
long(i) = 1.0 / i
end do
place = 0; u = 0
`
	const tail = "\nprint *, a, b, sum(c), sum(d), e(:, 3), f(2, :), u, place, long(1:5)\ncontains\n" +
		"pure real*8 function smooth(x, k)\nreal*8, intent(in) :: x\ninteger, intent(in) :: k\nreal*8, parameter :: weights(3) = (/ 0.5d0, 0.25d0, 2d0 /)\n" +
		"smooth = x * weights(mod(k, 3) + 1)\nend function\nrecursive pure function deeper(x, k) result(r)\nreal*8, intent(in) :: x\ninteger, intent(in) :: k\nreal*8 r\nr = x\n" +
		"if (k > 0) r = deeper(x, k - 1) + 1\nend function\nend\n"
	_, m, err := run(t, "p.f90", head+tail, "", 4, Options{Live: true, leastShared: 1})
	if err != nil {
		t.Fatal(err)
	}
	rounds := m.crew.rounds
	for _, body := range []string{
		"a = cshift(a, 3) + b", "c = cshift(c, -2, 2)", "b = eoshift(a, 4, 7d0)", "e = eoshift(e, -1, dim = 2)", "e = cshift(e, e(:, 1))",
		"c = matmul(c, d)", "a = matmul(c, b)", "b = matmul(a, d)", "e = matmul(e, transpose(e))", "c = transpose(d) * c + spread(a, 2, n)",
		"a = sum(c, 1)", "b = maxval(d, 2, mask = c > 900)", "e(:, 3) = maxloc(d, 1)", "a = product(d, dim = 2)", "e(1, :) = count(f, 1)", "f(2, :) = any(f, 2)",
		"u = sum(long)", "u = sum(long, mask = long < 0.001)", "u = dot_product(long, long)", "place(1:1) = maxloc(mod(long * 1e6, 17.0))", "place(1) = count(long < 1e-4)",
		"u = maxval(abs(long - 0.3)) + minval(long)", "forall (i = 1:n) a(i) = smooth(b(i), i) + c(i, 3)",
		"forall (i = 2:n, j = 1:n, smooth(d(i, j), 3) > 0.1) c(i, j) = smooth(c(i - 1, j), j)", "forall (i = 1:n) a(e(i, 3) + i/7 + 1) = deeper(b(i), e(i, 2))",
		"b = reshape(c(3:7, 1:6), (/ n /))", "c = reshape(a, (/ n, n /), pad = b, order = (/ 2, 1 /))", "d = reshape(c, (/ n, n /))", "long(1:4) = reshape(a(2:3), (/ 4 /), (/ 7d0 /))",
		"a = pack(c(:, 1:2), f(:, 1:2), b)", "e(1:20, 3) = pack(e(:, 1:2), f(:, 1:2))", "u = sum(pack(long, long < 1e-3))", "u = size(pack(c, .true.)) + sum(pack(c, c > 1e9))", "long = 2 * cshift(long, 77)", "where (c > d) c = 1", "where (d > 0.5)\nc = d\nelsewhere (f)\nd = c\nelsewhere\nc = 0\nend where",
	} {
		want, _, err := run(t, "p.f90", head+body+tail, "", 4, Options{})
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		got, m, err := run(t, "p.f90", head+body+tail, "", 4, Options{Live: true, leastShared: 1})
		if err != nil || got != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", body, err, got, want)
		}
		if m.crew.rounds <= rounds {
			t.Errorf("%s: the work is not distributed", body)
		}
	}
}

// TestLiveSamples checks that all live processors are sampled at a line with blocks of a large array, and that a loop with
// three times the work has three quarters of the samples. If other programs use the cores, the times differ, so the test
// repeats the run.
func TestLiveSamples(t *testing.T) {
	const text = `program p
integer, parameter :: n = 20000
real*8 a(n)
!HPF$ DISTRIBUTE a(BLOCK)
do k = 1, 200
do i = 1, n
a(i) = sqrt(a(i) + i)
end do
do i = 1, n
a(i) = sqrt(a(i) + i) + sqrt(a(i) * i) + sqrt(a(i) + 2 * i)
end do
end do
end
`
	seen := ""
	for range 40 {
		mem := tracer.NewMemory()
		if _, _, err := run(t, "p.f90", text, "", 2, Options{Live: true, Recorder: mem, Sample: 200_000}); err != nil {
			t.Fatal(err)
		}
		must.Do(t, mem.Close())
		lines, pes := map[int32]float64{}, map[int32]bool{}
		d := mem.Dict()
		total := 0.0
		must.Do(t, mem.Scan(tracer.Kinds(tracer.Sample), func(es []tracer.Event) error {
			for _, e := range es {
				if line := d.Code(d.Code(d.Context(uint32(e.Ref)).Code).Parent).Line; line == 7 || line == 10 {
					lines[line]++
					pes[e.PE] = true
					total++
				}
			}
			return nil
		}))
		// One square root against three: other costs and chance change the share.
		share, chance := lines[10]/total, 5*math.Sqrt(0.25*0.75/total)
		if len(pes) == 2 && total >= 100 && share > 0.65-chance && share < 0.8+chance {
			return
		}
		seen += fmt.Sprintf("the second loop has %.3f of %v samples, on processors %v\n", share, total, pes)
	}
	t.Error(seen)
}

// TestLiveErrors checks that an error of a crew member is an error of the program and ends the run.
func TestLiveErrors(t *testing.T) {
	const text = "program p\nreal a(40)\ninteger k(40)\n!HPF$ DISTRIBUTE a(CYCLIC)\nk = 3\nk(7) = 99\ndo i = 1, 40\nif (i > 2) then\na(i) = k(k(i))\nend if\nend do\nend\n"
	_, _, err := run(t, "p.f90", text, "", 4, Options{Live: true})
	if err == nil || !strings.Contains(err.Error(), "p.f90:9:8: index 99 is outside of dimension 1 of K") {
		t.Error(err)
	}
}

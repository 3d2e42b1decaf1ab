package loops

import (
	"fmt"
	"strings"
	"testing"
)

// texts are programs with the expected loops in the first column: the number of the innermost loop of a line, "." for none.
var texts = []struct{ name, text string }{
	{"free.f90", `
. program p
0 do i = 1, 10
1   outer: do while (x < 3)
2     do
2       exit
2     end do
1   enddo outer
0   a(i) = 'do i = 1, 2' ! do j = 1, 3
0 end do
. do = 3
. do10i = 1.5
. forall (i = 1:n) a(i) = i
3 forall (i = 1:n, &
3         j = 1:n)
3   b(i,j) = 0
3 end forall
4 do concurrent (i = 1:n)
4 end do; x = 1
. end program
5 do k = 1, 3
5 end
. subroutine s
6 do i = 1, &
6
6   n
6 end &
6   do
`},
	{"old.f", `
. C     do i = 1, 3
0       DO 10 I = 1, N
1       DO10J=1,N
1    10 A(I,J) = 0
2       do 020 k = 1,
2      1  n
2 C hidden
2          x = x + 1
2    20 continue
.       DO 30 I = 1.5
3       do i = 1, 2
3       enddo
.       end
`},
	{"form.hpf", `
. !HPF$ PROCESSORS P(4)
. program p
0 do i = 1, 2
0 end do
. end
`},
	{"a.c", `
. int main(void) { // for (;;) {
0   for (int i = 0; i < 3; i++)
0     x[i] = "for {"[0];
1   while (a) {
1     if (b) {
2       do {
2         c();
2       } while (d);
1     }
1   }
. /* for (;;) {
. }*/ int format; format = 1; struct { int a; };
. }
`},
	{"a.go", `
. func f() {
0 	for i := 0; i < 3; i++ {
1 		for range 4 {
1 			g('{', "\"{")
1 		}
0 	}
. 	s := ` + "`" + `
. for {
. ` + "`" + `
2 	for {
2 	}
. }
`},
	{"a.py", `
0 for i in range(3):
0   # comment
0   x = 1
1   while x:
1     y()
0   z()
. 
. def f():
2   for i in x: print(i)
.   w()
`},
	{"a.fghc", `
. for(I, N) :- true | do(I).
`},
	{"short.c", `
0 while (a) {
0   b();
`},
	{"same.f90", `
0 do i = 1, 2; do j = 1, 2; x = 1; end do; end do
. end
`},
}

func TestFind(t *testing.T) {
	for _, c := range texts {
		var lines, want []string
		for s := range strings.SplitSeq(strings.Trim(c.text, "\n"), "\n") {
			number, text, _ := strings.Cut(s, " ")
			lines, want = append(lines, text), append(want, number)
		}
		loops := Find(c.name, lines)
		for i := range lines {
			got := "."
			if k := Around(loops, int32(i+1)); k >= 0 {
				got = fmt.Sprint(k)
			}
			if got != want[i] {
				t.Errorf("%s:%d is in loop %s, want %s: %q\n%+v", c.name, i+1, got, want[i], lines[i], loops)
			}
		}
	}
}

// FuzzFind checks that the loops of any text are within the text and properly nested.
func FuzzFind(f *testing.F) {
	for _, c := range texts {
		f.Add(c.name, c.text)
	}
	f.Add("a.f", "      do 1 i=1,2\n      do 2 j=1,2\n    1 continue\n    2 continue\n")
	f.Fuzz(func(t *testing.T, name, text string) {
		lines := strings.Split(text, "\n")
		loops := Find(name, lines)
		for i, l := range loops {
			if l.First < 1 || l.Last < l.First || int(l.Last) > len(lines) || int(l.Parent) >= i || l.Parent < -1 {
				t.Fatalf("loop %d of %d lines: %+v", i, len(lines), l)
			}
			if l.Parent >= 0 && (l.First < loops[l.Parent].First || l.Last > loops[l.Parent].Last) {
				t.Fatalf("%+v is not in %+v", l, loops[l.Parent])
			}
		}
		for line := int32(0); line <= int32(len(lines))+1; line++ {
			innermost := int32(-1)
			for i, l := range loops {
				if l.First <= line && line <= l.Last {
					innermost = int32(i)
				}
			}
			if got := Around(loops, line); got != innermost {
				t.Fatalf("line %d is in loop %d, want %d: %+v", line, got, innermost, loops)
			}
		}
	})
}

package spike

import "fmt"

// libraryName returns the name of library procedure k, from 1.
func libraryName(k int) string { return fmt.Sprintf("lib%05d", k) }

// library writes procedures that are never called, until the program has the given number of lines.
func (w *writer) library(lines int) {
	const shortest = 20
	for w.lines < lines {
		size := shortest + w.rand.IntN(120)
		if lines-w.lines < size+shortest {
			size = lines - w.lines
		}
		w.libraryProcedure(size)
	}
}

// libraryProcedure writes a library procedure with the given number of lines.
func (w *writer) libraryProcedure(lines int) {
	end := w.lines + lines
	for w.lines+13 > end && w.lines < end { // too few lines for a procedure
		w.line("")
	}
	if w.lines == end {
		return
	}
	w.procedures++
	name := libraryName(w.procedures)
	w.line("")
	w.line("! %s is one of the library's.", name)
	w.line("recursive subroutine %s(level, x)", name)
	w.line("  implicit none")
	w.line("  integer, intent(in) :: level")
	w.line("  double precision, intent(inout) :: x")
	w.line("  double precision :: work(100), s, t")
	w.line("  integer :: i, k")
	w.line("")
	w.line("  s = x")
	for w.lines < end-2 {
		text := w.idle(end - 2 - w.lines)
		for _, line := range text {
			w.line("  %s", line)
		}
	}
	w.line("  x = s")
	w.line("end subroutine %s", name)
}

// idle returns random statements for a library procedure, of at most the given number of lines.
func (w *writer) idle(most int) []string {
	n := w.rand.IntN(90) + 10
	var text []string
	switch w.rand.IntN(7) {
	case 0:
		text = []string{
			fmt.Sprintf("do i = 1, %d", n), fmt.Sprintf("  t = work(i) + %d * s", n), fmt.Sprintf("  work(i) = t / (%d + abs(t))", n), "end do",
		}
	case 1:
		text = []string{
			fmt.Sprintf("if (level > %d) then", n), fmt.Sprintf("  call %s(level - 1, s)", libraryName(1+w.rand.IntN(w.procedures))), "else",
			"  s = s + t", "end if",
		}
	case 2:
		text = []string{
			"select case (level)", "case (:0)", "  k = 0", fmt.Sprintf("case (1:%d)", n), fmt.Sprintf("  k = level * %d", n), "case default", "  k = -1", "end select",
		}
	case 3:
		text = []string{fmt.Sprintf("work(1:%d) = work(%d:1:-1) + s", n, n), fmt.Sprintf("t = maxval(work(1:%d))", n)}
	case 4:
		text = []string{fmt.Sprintf("! step %d", n)}
	case 5:
		text = []string{fmt.Sprintf("t = sqrt(abs(s)) + %d.5d0 * sin(t)", n)}
	default:
		text = []string{""}
	}
	if len(text) > most {
		return []string{"s = s + t"}
	}
	return text
}

package exec

import (
	"strings"
	"testing"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// TestConstantErrors checks that an expression that is not constant or has no value is reported once, at its position.
func TestConstantErrors(t *testing.T) {
	for _, c := range []struct{ declaration, want string }{
		{"integer, parameter :: s = sum((/ 1, 2 /) + k)", "4:27: the value of S is not constant"},
		{"integer, parameter :: s = (/ 1, 2 /)", "4:27: the value of S is not constant"},
		{"integer, parameter :: s = w(4)", "4:27: index 4 is outside of dimension 1 of W"},
		{"integer, parameter :: s(2) = w(2:4)", "4:30: section 2:4 is outside of dimension 1 of W"},
		{"integer, parameter :: s(2) = w", "4:30: S has 2 elements, but 3 values are given"},
		{"integer, parameter :: s(3, 2) = reshape((/ w, w /), (/ 2, 3 /))", "4:33: S has the shape [3 2], but its values have the shape [2 3]"},
		{"integer, parameter :: s(3, 1) = w", "4:33: S has the shape [3 1], but its values have the shape [3]"},
		{"integer, parameter :: s(3) = w // 'a'", "4:32: the operands of // are an array of type integer and rank 1 and character"},
		{"integer, parameter :: s(3) = (/ 'a', 'b', 'c' /)", "4:30: S is integer, but its value is character"},
		{"integer, parameter :: s = sum(w / (w - 1))", "4:31: division of an integer by zero"},
		{"integer, parameter :: s = sum(spread(1, 1, 2000000000))", "a constant with too many elements"},
		{"integer, parameter :: s = size(spread(spread(w, 1, 100000), 1, 100000))", "a constant with too many elements"},
		{"integer, parameter :: s = size(later)", "the value of S is not constant"},
		{"integer :: a(sum(w)) = (/ w, 4 /)", "4:24: A has 6 elements, but 4 values are given"},
	} {
		text := "program p\ninteger, parameter :: w(3) = (/ 1, 2, 3 /)\ninteger :: k = 1\n" + c.declaration + "\ninteger, allocatable :: later(:)\nend\n"
		file, errs := syntax.Parse("p.f90", text, syntax.Options{})
		if errs.Failed() {
			t.Fatalf("%s: %v", c.declaration, errs)
		}
		_, errs = lower.Lower(file, 4, Constant)
		if len(errs) != 1 || !strings.Contains(file.Locate(errs).Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.declaration, file.Locate(errs), c.want)
		}
	}
}

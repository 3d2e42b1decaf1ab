package lower

import "strings"

// services says what the arguments of intrinsic subroutines may be, one word each: i, r, c, l or n for integers, reals, characters, logicals or
// any number; [] for an array, * for both; > for what is given a value, which must be a variable.
var services = map[string]string{
	"SYSTEM_CLOCK":         ">i >n >i",
	"CPU_TIME":             ">r",
	"DATE_AND_TIME":        ">c >c >c >[]i",
	"RANDOM_NUMBER":        ">*r",
	"RANDOM_SEED":          ">i []i >[]i",
	"MVBITS":               "*i *i *i >*i *i",
	"EXIT":                 "i",
	"FLUSH":                "i",
	"GET_COMMAND":          ">c >i >i",
	"GET_COMMAND_ARGUMENT": "i >c >i >i",
	"GETARG":               "i >c",
}

// serves holds the arguments of an intrinsic subroutine against what they may be.
func (l *lowerer) serves(fn *Intrinsic, args []Expr) bool {
	for i, want := range fields(services[fn.Name]) {
		if i >= len(args) || args[i] == nil {
			continue
		}
		x := args[i]
		mark, out := strings.CutPrefix(want, ">")
		letter := mark[len(mark)-1]
		takes := map[byte]Kinds{'i': ints, 'r': floats, 'c': chars, 'n': reals}[letter]
		shape := strings.TrimSuffix(mark, string(letter))
		switch {
		case out && !definable(x):
			l.fail(x.Pos(), "a variable", "%s changes its argument %s, which is no variable here", fn.Name, name(fn, i))
		case !takes.Has(x.Type().Base), shape == "" && x.Rank() > 0, shape == "[]" && x.Rank() != 1:
			expected := map[byte]string{'i': "an integer", 'r': "a real", 'c': "characters", 'n': "a number"}[letter]
			if shape == "[]" {
				expected = "a vector of integers"
			}
			l.fail(x.Pos(), expected, "argument %s of %s is %s", name(fn, i), fn.Name, described(x))
		default:
			continue
		}
		return false
	}
	return true
}

// name is that of the i-th argument of an intrinsic procedure.
func name(fn *Intrinsic, i int) string {
	for _, a := range fn.Args {
		if a == "?" {
			continue
		}
		if i == 0 {
			return a
		}
		i--
	}
	return ""
}

package builtin_test

import (
	"math/big"
	"testing"

	"whorl/fghc/builtin"
	"whorl/fghc/term"
)

// Boxes are alike by their values: vectors and strings in any representation, numbers by their words.
func TestCompareBoxes(t *testing.T) {
	a := newArena()
	vector := func(elements ...int64) term.Word {
		words := make([]term.Word, len(elements))
		for k, v := range elements {
			words[k] = term.MakeInt(v)
		}
		return builtin.NewVector(a, words)
	}
	replaced := func(name string, args ...term.Word) term.Word {
		v, out := a.do("", name, append(args, term.Nil)...)
		if v != builtin.Yes {
			t.Fatalf("%s: %v, %s", name, v, a.fault)
		}
		return out[len(out)-1]
	}
	number := func(s string) term.Word {
		v, _ := new(big.Int).SetString(s, 10)
		return builtin.NewInteger(a, v)
	}
	two := a.Alloc(3)
	a.m[two], a.m[two+1], a.m[two+2] = term.MakeInt(int64(a.symbols.FunctorOf(term.Vector, 2))), term.Nil, term.Nil
	long := "a string of more than eight bytes"
	text := replaced("set_string_element", builtin.NewString(a, long), term.MakeInt(0), term.MakeInt('b'))
	for _, c := range []struct {
		name string
		x, y term.Word
		want builtin.Likeness
	}{
		{"vectors of one length", vector(1, 2), vector(3, 4), builtin.Inside},
		{"a vector and a structure {A,B}", vector(1, 2), term.MakeStr(two), builtin.Inside},
		{"a new version of a vector", vector(1, 2), replaced("set_vector_element", vector(1, 2), term.MakeInt(0), term.Nil), builtin.Inside},
		{"vectors of two lengths", vector(1, 2), vector(1), builtin.Different},
		{"a vector and an atom", vector(1, 2), term.Nil, builtin.Different},
		{"a vector and a string", vector(1), builtin.NewString(a, "a"), builtin.Different},
		{"equal strings", builtin.NewString(a, long), builtin.NewString(a, long), builtin.Alike},
		{"an equal version of a string", text, builtin.NewString(a, "b"+long[1:]), builtin.Alike},
		{"another version of a string", text, builtin.NewString(a, long), builtin.Different},
		{"strings of two lengths", builtin.NewString(a, "ab"), builtin.NewString(a, "abc"), builtin.Different},
		{"a string and a number", builtin.NewString(a, "ab"), number("12345678901234567890123"), builtin.Different},
		{"a number and a string", number("12345678901234567890123"), builtin.NewString(a, "ab"), builtin.Different},
		{"equal numbers", number("12345678901234567890123"), number("12345678901234567890123"), builtin.Alike},
		{"two numbers", number("12345678901234567890123"), number("12345678901234567890124"), builtin.Different},
		{"numbers of two signs", number("12345678901234567890123"), number("-12345678901234567890123"), builtin.Different},
		{"numbers of two lengths", number("4611686018427387904"), number("12345678901234567890123"), builtin.Different},
		{"equal floats", builtin.NewFloat(a, 1.5), builtin.NewFloat(a, 1.5), builtin.Alike},
		{"a float and an integer", builtin.NewFloat(a, 1), term.MakeInt(1), builtin.Different},
	} {
		if got := builtin.CompareBoxes(a, c.x, c.y); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if got := builtin.CompareBoxes(a, c.y, c.x); got != c.want {
			t.Errorf("%s, exchanged: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestIsInteger(t *testing.T) {
	a := newArena()
	huge, _ := new(big.Int).SetString("12345678901234567890123", 10)
	for _, c := range []struct {
		name string
		w    term.Word
		want bool
	}{
		{"0", term.MakeInt(0), true},
		{"1<<62", builtin.NewSmall(a, 1<<62), true},
		{"an integer of three words", builtin.NewInteger(a, huge), true},
		{"a float", builtin.NewFloat(a, 1), false},
		{"a string", builtin.NewString(a, "1"), false},
		{"[]", term.Nil, false},
	} {
		if got := builtin.IsInteger(a, c.w); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

func TestNodeOf(t *testing.T) {
	for _, c := range []struct {
		w    term.Word
		want int32
	}{
		{term.MakeInt(0), 0}, {term.MakeInt(1<<31 - 1), 1<<31 - 1}, {term.MakeInt(1 << 31), -1}, {term.MakeInt(-1), -1}, {term.Nil, -1},
	} {
		if got := builtin.NodeOf(c.w); got != c.want {
			t.Errorf("%#x names PE %d, want %d", uint64(c.w), got, c.want)
		}
	}
}

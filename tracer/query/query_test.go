package query

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"whorl/tracer"
)

// dictionary returns codes: 1 big/2, 2 its clause, 3 small/1, 4 a line of lu.hpf, 5 bigger/0, 6 an instruction of that line.
func dictionary() *tracer.Dict {
	d := new(tracer.Dict)
	d.Add(tracer.Code{Type: tracer.Procedure, Name: "big/2", File: "a/p.fghc", Line: 1})
	d.Add(tracer.Code{Type: tracer.Clause, File: "a/p.fghc", Line: 2, Parent: 1})
	d.Add(tracer.Code{Type: tracer.Procedure, Name: "small/1", File: "a/p.fghc", Line: 7})
	d.Add(tracer.Code{Type: tracer.Line, File: "lu.hpf", Line: 12})
	d.Add(tracer.Code{Type: tracer.Procedure, Name: "bigger/0", File: "a/p.fghc", Line: 9})
	d.Add(tracer.Code{Type: tracer.Instruction, Name: "add", Parent: 4})
	return d
}

var events = []tracer.Event{
	{Kind: tracer.Reduce, PE: 3, Task: 17, Ref: 2, Time: 1_000_000, Value: 3_000_000, Code: 2},
	{Kind: tracer.Reduce, PE: 8, Task: 18, Ref: 17, Time: 2_000_000, Value: 1_000_000, Code: 3},
	{Kind: tracer.Send, PE: 5, Peer: 1, Time: 2_500_000, Value: 4096, Code: 4},
	{Kind: tracer.Suspend, PE: 7, Task: 1<<60 + 1, Ref: 1 << 60, Time: 1_500, Value: 500, Code: 5},
	{Kind: tracer.Sample, PE: 0, Value: 1, Code: 6},
	{Kind: tracer.Idle, PE: 1, Code: 99},
}

// TestWhere: conditions select events by number.
func TestWhere(t *testing.T) {
	s := Events(dictionary())
	for i := range s.Fields {
		if s.Fields[i].Name == "task" {
			s.Fields[i].Subtree = func(root int64) func(int64) bool {
				if root != 17 {
					return nil
				}
				return func(task int64) bool { return task == 17 || task == 18 }
			}
		}
	}
	for _, c := range []struct{ text, want string }{
		{"pe in 3..7 and procedure ~ /^big/ and time > 2ms", "0"},
		{`task = 17 or line = "lu.hpf":12`, "0 2 4"},
		{"not pe in 3..7", "1 4 5"},
		{"pe in {0, 7..8, 3}", "0 1 3 4"},
		{"pe in {7..8, 3..7}", "0 1 2 3"},
		{"pe in 7..3", ""},
		{"procedure = big", "0"},
		{"procedure = big or procedure = bigger", "0 3"},
		{`procedure in {"big/2", small}`, "0 1"},
		{"procedure != big", "1 2 3 4"},
		{`procedure ~ /^big\/2$/`, "0"},
		{"kind = Reduce", "0 1"},
		{"kind in {Send, Sample}", "2 4"},
		{"kind ~ /^S/", "2 3 4"},
		{"line = 12", "2 4"},
		{`line in "p.fghc":1..8`, "0 1"},
		{`line in {"lu.hpf":12, 9}`, "2 3 4"},
		{"line > 8", "2 3 4"},
		{`line != "lu.hpf":12`, "0 1 3"},
		{"file = p.fghc", "0 1 3"},
		{`line ~ /hpf/`, "2 4"},
		{"task = 1152921504606846977", "3"},
		{"task > parent", "0 1 3"},
		{"task in 1152921504606846976..1152921504606846977", "3"},
		{"task = 0x1000000000000001", "3"},
		{"task in {subtree(17), 0}", "0 1 2 4 5"},
		{"begin in 1.5us..2ms", "0 1 3"},
		{"end = 4ms", "0"},
		{"time > 0", "0 1 3"},
		{"time / 2 > 1ms", "0"},
		{"begin + time * 2 >= 7ms", "0"},
		{"time / begin = 3", "0"},
		{"value in 0.5..1.5", "4"},
		{"value - 1 = 0", "4"},
		{"-pe < -6", "1 3"},
		{"peer = 1", "2"},
		{"pe != 3 and pe <= 5 and pe < 5", "4 5"},
		{"(pe = 3 or pe = 8) and not (time = 1ms)", "0"},
		{"pe\n= 3", "0"},
		{"1.5 > pe", "4 5"},
		{"value * 0.5 != value and 2 <= pe", "0 1 2 3"},
		{"value / 2 <= 0.5", "4 5"},
	} {
		e, err := Parse(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		match, err := Where(s, e)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		var got []string
		for i := range events {
			if match(&events[i]) {
				got = append(got, fmt.Sprint(i))
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s selects %v, want %s", c.text, got, c.want)
		}
	}
}

// TestMeasure: numeric expressions have a value and a dimension.
func TestMeasure(t *testing.T) {
	s := Schema[float64]{Rows: "rows", Fields: []Field[float64]{
		{Name: "x", Real: func(r float64) float64 { return r }},
		{Name: "time", Type: Time, Int: func(r float64) int64 { return int64(r) * 1000 }},
	}}
	for _, c := range []struct {
		text      string
		want      float64
		dimension int
	}{
		{"time / x", 1000, 1},
		{"x + 1.5 * 2", 7, 0},
		{"(x + 1) * 2", 10, 0},
		{"x - 1 - 1", 2, 0},
		{"x / 2 / 2", 1, 0},
		{"-x", -4, 0},
		{"--2", 2, 0},
		{"1 / time", 0.00025, -1},
		{"time * time", 16e6, 2},
		{"0 + time", 4000, 1},
		{"2us + time", 6000, 1},
		{"1e3 - 2.5e-1", 999.75, 0},
		{"x / 0", math.Inf(1), 0},
	} {
		e, err := Parse(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		f, dimension, err := Measure(s, e)
		if err != nil || f(4) != c.want || dimension != c.dimension {
			t.Errorf("%s is %v, dimension %d, %v; want %v, %d", c.text, f(4), dimension, err, c.want, c.dimension)
		}
	}
}

// TestErrors: each error has its place, a caret, and what was expected or which names are near.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "expression:1:1: the expression is empty\nexpected a condition such as pe in 3..7"},
		{"proc = big", "expression:1:1: there is no field of events \"proc\"; did you mean procedure?\n    proc = big\n    ^"},
		{"pe = 3 and proc ~ /big/", "expression:1:12: there is no field of events \"proc\"; did you mean procedure?\n    pe = 3 and proc ~ /big/\n               ^"},
		{"procedure = bgi", "expression:1:13: there is no procedure \"bgi\"; did you mean big?\n    procedure = bgi\n                ^"},
		{"time > 2", "expression:1:6: a time and a plain number cannot be combined\n    time > 2\n         ^\nexpected a time, with one of the units ns, us, ms, s"},
		{"pe = 3 pe", "expression:1:8: unexpected pe\n    pe = 3 pe\n           ^\nexpected an operator such as and, or, =, <, in or ~, or the end"},
		{"pe = 3\nand pe =", "expression:2:9: unexpected end of the expression\n    and pe =\n            ^\nexpected a field, a number, a text in double quotes or a parenthesis"},
		{"pe in {1, 2", "expression:1:12: unexpected end of the expression\n    pe in {1, 2\n               ^\nexpected } or a comma and another member"},
		{"procedure ~ /a(b/", "expression:1:15: missing closing )\n    procedure ~ /a(b/\n                  ^"},
		{"procedure ~ /µ[z-a]/", "expression:1:16: invalid character class range: z-a\n    procedure ~ /µ[z-a]/\n                   ^"},
		{"procedure ~ big", "expression:1:13: a regular expression follows ~\n    procedure ~ big\n                ^\nexpected a regular expression between slashes, such as /^sum/"},
		{"procedure ~ /big", "expression:1:13: the regular expression has no closing slash\n    procedure ~ /big\n                ^\nexpected a slash at its end"},
		{"pe ~ /3/", "expression:1:1: a number has no text to match\n    pe ~ /3/\n    ^\nexpected a field of texts before ~: kind, procedure, line, file, name"},
		{"procedure < big", "expression:1:11: procedure is a text, which has no order\n    procedure < big\n              ^\nexpected one of =, !=, in and ~"},
		{"procedure = 3", "expression:1:13: procedure is a text\n    procedure = 3\n                ^\nexpected a name, or a text in double quotes"},
		{"pe", "expression:1:1: this is a value, not a condition\n    pe\n    ^\nexpected a comparison such as pe = 3 or procedure ~ /^sum/"},
		{"(pe = 3) + 1 > 2", "expression:1:5: this is a condition, not a number\n    (pe = 3) + 1 > 2\n        ^\nexpected a number"},
		{`line = "lu.hp":3`, "expression:1:8: there is no file \"lu.hp\"; did you mean lu.hpf?\n    line = \"lu.hp\":3\n           ^"},
		{"line = 2ms", "expression:1:8: this is no line\n    line = 2ms\n           ^\nexpected a line such as 12 or \"lu.hpf\":12, or a range of lines such as \"lu.hpf\":12..20"},
		{"line + 1 > 3", "expression:1:1: line is a place, not a number\n    line + 1 > 3\n    ^\nexpected a number, or a comparison that begins with line"},
		{`"a":1.5 = line`, "expression:1:5: 1.5 is no line\n    \"a\":1.5 = line\n        ^\nexpected the number of a line"},
		{`pe = "a`, "expression:1:6: the text has no closing quote or an invalid escape\n    pe = \"a\n         ^\nexpected a text such as \"lu.hpf\""},
		{`pe = "a"`, "expression:1:6: a text is compared with a field of texts at its left\n    pe = \"a\"\n         ^\nexpected a number"},
		{"pe = 3m", "expression:1:6: unexpected 3m\n    pe = 3m\n         ^\nexpected a number, with or without one of the units ns, us, ms, s"},
		{"pe ? 3", "expression:1:4: unexpected character '?'\n    pe ? 3\n       ^"},
		{"pe in {peer}", "expression:1:8: a member of a set is a constant\n    pe in {peer}\n           ^\nexpected a number or a range of numbers"},
		{"pe in {1ms}", "expression:1:8: a plain number and a time cannot be combined\n    pe in {1ms}\n           ^\nexpected two numbers of one kind"},
		{"pe in subtree(3)", "expression:1:7: only a field with a tree has subtrees\n    pe in subtree(3)\n          ^\nexpected numbers or ranges of numbers"},
		{"pe = subtree(3)", "expression:1:6: a subtree is a member of a set\n    pe = subtree(3)\n         ^\nexpected a number; subtrees follow in, as in task in subtree(17)"},
		{"1/time + 1 > 0", "expression:1:8: a rate and a plain number cannot be combined\n    1/time + 1 > 0\n           ^\nexpected two numbers of one kind"},
		{"time*time = time", "expression:1:11: a time to the power of 2 and a time cannot be combined\n    time*time = time\n              ^\nexpected two numbers of one kind"},
		{"pe in {1} = 3", "expression:1:11: unexpected =\n    pe in {1} = 3\n              ^\nexpected an operator such as and, or, =, <, in or ~, or the end"},
	} {
		e, err := Parse(c.text)
		if err == nil {
			_, err = Where(Events(dictionary()), e)
		}
		if err == nil || err.Error() != c.want {
			t.Errorf("%q:\n%v\nwant\n%s", c.text, err, c.want)
		}
	}
	e, err := Parse("pe = 3")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err = Measure(Events(dictionary()), e); err == nil || !strings.Contains(err.Error(), "not a number") {
		t.Errorf("a condition is no measure: %v", err)
	}
}

// TestLimits: long and deep expressions from a file end in errors.
func TestLimits(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("(", 1000) + "pe", strings.Repeat("not ", 1000) + "pe", strings.Repeat("-", 1000) + "pe",
		strings.Repeat("x", mostText+1), "\xff", "1e999", "1" + strings.Repeat("0", 400), "pe = 0x1ffffffffffffffffff", "pe = 1.2.3", "pe = 12e99999",
	} {
		if _, err := Parse(text); err == nil {
			t.Errorf("%.20q ... has no error", text)
		}
	}
	deep := Schema[int]{Rows: "rows", Fields: []Field[int]{{Name: "t", Type: Time, Int: func(int) int64 { return 1 }}}}
	e, err := Parse("t*t*t*t*t*t*t*t*t*t > 0")
	if err == nil {
		_, err = Where(deep, e)
	}
	if err == nil {
		t.Error("a time to the power of 10 has no error")
	}
}

// FuzzParse: no text panics, and what parses prints as something that parses to the same.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"pe in 3..7 and procedure ~ /^big/ and time > 2ms", `task = 17 or line = "lu.hpf":12`, "-time / (pe + 1) >= 1e-3us", "task in {subtree(3), 4..0xff}"} {
		f.Add(text)
	}
	s := Events(dictionary())
	f.Fuzz(func(t *testing.T, text string) {
		e, err := Parse(text)
		if err != nil {
			_ = err.Error()
			return
		}
		again, err := Parse(e.String())
		if err != nil || again.String() != e.String() {
			t.Fatalf("%q prints as %q, which parses as %v, %v", text, e, again, err)
		}
		if match, err := Where(s, e); err == nil {
			for i := range events {
				match(&events[i])
			}
		}
		if measure, _, err := Measure(s, e); err == nil {
			measure(&events[0])
		}
	})
}

// TestFormatTime: a time is written without rounding.
func TestFormatTime(t *testing.T) {
	for _, c := range []struct {
		ns   int64
		want string
	}{{0, "0ns"}, {999, "999ns"}, {1500, "1.5us"}, {2e6, "2ms"}, {1_234_567, "1.234567ms"}, {3e9 + 1, "3.000000001s"}, {-2e6, "-2ms"}, {math.MaxInt64, "9223372036.854775807s"}} {
		if got := FormatTime(c.ns); got != c.want {
			t.Errorf("%d ns: %s, want %s", c.ns, got, c.want)
		}
		if v, ok := parseNumber(strings.TrimPrefix(FormatTime(c.ns), "-")); !ok || !v.whole || v.integer != c.ns && v.integer != -c.ns {
			t.Errorf("%s is read as %+v", FormatTime(c.ns), v)
		}
	}
}

func BenchmarkWhere(b *testing.B) {
	s := Events(dictionary())
	for _, text := range []string{"pe in 3..7", "pe in 3..7 and procedure ~ /^big/ and time > 2ms", "time / 2 > 1ms"} {
		e, err := Parse(text)
		if err != nil {
			b.Fatal(err)
		}
		match, err := Where(s, e)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(text, func(b *testing.B) {
			n := 0
			for i := range b.N {
				if match(&events[i%len(events)]) {
					n++
				}
			}
		})
	}
}

// TestSearch: a search without capitals ignores case, and a wrong one says where.
func TestSearch(t *testing.T) {
	for _, c := range []struct {
		text, in string
		matches  bool
	}{{"^part", "PART/4", true}, {"^Part", "PART/4", false}, {"p.rt$", "a part", true}} {
		if re, err := Search(c.text); err != nil || re.MatchString(c.in) != c.matches {
			t.Errorf("%s: %v", c.text, err)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"a(b", `"a(b" is not a regular expression: missing closing ) at character 2`},
		{"a)b", `"a)b" is not a regular expression: unexpected ) at character 1`},
		{"x[a", `"x[a" is not a regular expression: missing closing ]: [a at character 2`},
		{"ab**", `"ab**" is not a regular expression: invalid nested repetition operator: ** at character 3`},
		{`[](](`, `"[](](" is not a regular expression: missing closing ) at character 5`},
		{`\(\`, `"\\(\\" is not a regular expression: trailing backslash at end of expression at character 1`},
	} {
		if _, err := Search(c.text); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
}

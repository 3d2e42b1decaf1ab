package goal

import (
	"fmt"
	"strings"
	"testing"

	"whorl/replay/schedule"
)

// program reads a schedule and makes its program.
func program(text string) (*schedule.Schedule, error) {
	s, _, err := Read("x.goal", strings.NewReader(text))
	if err == nil {
		_, _, err = s.Program()
	}
	return s, err
}

const good = `/* a comment
   of two lines */ num_ranks 2

rank 0 { // the first one
a: calc 5 cpu 1
b: send 10b to 1 tag 7 nic 0
b requires a
	recv 3 b from 1
}
rank 1 {
r: recv 10b from -1 tag -1
c: calc 9
c irequires r }`

func TestRead(t *testing.T) {
	s, elsewhere, err := Read("x.goal", strings.NewReader(good))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i, o := range s.Ops {
		fmt.Fprintf(&b, "%s %+v\n", s.Where(i), o)
	}
	want := `x.goal:5 {Size:5 Tag:0 Rank:0 Peer:0 Name:0 Kind:2}
x.goal:6 {Size:10 Tag:7 Rank:0 Peer:1 Name:1 Kind:0}
x.goal:8 {Size:3 Tag:0 Rank:0 Peer:1 Name:2 Kind:1}
x.goal:11 {Size:10 Tag:-1 Rank:1 Peer:-1 Name:2 Kind:1}
x.goal:12 {Size:9 Tag:0 Rank:1 Peer:0 Name:0 Kind:2}
`
	if b.String() != want || s.Ranks != 2 || elsewhere != 1 {
		t.Errorf("%d ranks, %d operations elsewhere:\n%s", s.Ranks, elsewhere, &b)
	}
}

// Faults name their places and what was expected.
func TestFaults(t *testing.T) {
	ring := "num_ranks 3\n"
	for r := range 3 {
		ring += fmt.Sprintf("rank %d {\na: recv 1b from %d\nb: send 1b to %d\nb requires a\n}\n", r, (r+2)%3, (r+1)%3)
	}
	for _, c := range []struct{ text, want string }{
		{"", "x.goal:1:1: the file ends\nexpected num_ranks"},
		{"rank 0 {", "x.goal:1:1: found \"rank\""},
		{"num_ranks 0", "x.goal:1:11: found \"0\"\n    num_ranks 0\n              ^\nexpected the number of ranks: a whole number from 1 to 1,048,576"},
		{"num_ranks 99999999999999999999999", "expected the number of ranks"},
		{"num_ranks 2\nrank 2 {", "x.goal:2:6: found \"2\"\n    rank 2 {\n         ^\nexpected a rank: a whole number from 0 to 1"},
		{"num_ranks 2\nrank 0 {\n}\nrank 0 {", "x.goal:4:6: rank 0 has its operations in line 2"},
		{"num_ranks 2\nrank 0 {\nl1: calc 5\n", "x.goal:3:11: the file ends\n    l1: calc 5\n              ^\nexpected an operation (calc, send, recv), a label, or }"},
		{"num_ranks 1\nrank 0 {\n/* calc 5 }\n", "x.goal:3:1: the comment does not end"},
		{"num_ranks 1\nrank 0 {\ncalc \x00 }", "x.goal:3:6: found \"\\x00\""},
		{"num_ranks 1\nrank 0 {\ncalc 1 2", "x.goal:3:8: found \"2\"\n    calc 1 2\n           ^\nexpected cpu, nic or the end of the line"},
		{"num_ranks 1\nrank 0 {\ncalc\n5 }", "x.goal:4:1: found \"5\""},
		{"num_ranks 1\nrank 0 {\ncalc -5 }", "expected a duration in ns: a whole number from 0 to "},
		{"num_ranks 2\nrank 0 {\nsend 5 to 1 }", "x.goal:3:8: found \"to\"\n    send 5 to 1 }\n           ^\nexpected b"},
		{"num_ranks 2\nrank 0 {\nsend 5b to -1 }", "expected a rank: a whole number from 0 to 1"},
		{"num_ranks 2\nrank 0 {\nsend 5b from 1 }", "expected to"},
		{"num_ranks 2\nrank 0 {\nsend 5b to 1 tag 4294967295 }", "expected a tag: a whole number from -1 to 4,294,967,294"},
		{"num_ranks 1\nrank 0 {\ncalc 1 cpu 256 }", "expected the number of the cpu: a whole number from 0 to 255"},
		{"num_ranks 1\nrank 0 {\na: calc 1\na requires\nb }", "x.goal:5:1: found \"b\"\n    b }\n    ^\nexpected the label of an operation"},
		{"num_ranks 1\nrank 0 {\na: calc 1\na requires 5 }", "x.goal:4:12: found \"5\""},
		{"num_ranks 1\nrank 0 {\na: calc 1\na: calc 2 }", "x.goal:4:2: the label a is that of line 3"},
		{"num_ranks 1\nrank 0 {\nab: calc 1\nab requires ac }", "x.goal:4:13: rank 0 has no operation with the label \"ac\"; did you mean ab?"},
		{"num_ranks 1\nrank 0 {\na: calc 1\na needs a }", "expected :, requires or irequires"},
		{"num_ranks 1\nrank 0 {\n" + strings.Repeat("a", maxLine+1), "x.goal:3:1: the line is longer"},
		{"num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\nc: calc 1\na requires b\nb irequires c\nc requires a }", "x.goal:3: the operations require each other: x.goal:3 requires x.goal:4 requires x.goal:5 requires x.goal:3"},
		{"num_ranks 1\nrank 0 {\na: calc 1\na requires a }", "x.goal:3: the operations require each other: x.goal:3 requires x.goal:3"},
		{"num_ranks 2\nrank 0 {\nsend 1b to 1 tag 3 }", "x.goal:3: no recv of rank 1 takes this message"},
		{"num_ranks 2\nrank 1 {\nrecv 1b from 0 tag 3 }\nrank 0 {\nsend 1b to 1 tag 4 }", "x.goal:3: no send matches this recv of rank 1"},
		{ring, "x.goal:3: deadlock: x.goal:3 waits for x.goal:14 waits for x.goal:13 waits for x.goal:9 waits for x.goal:8 waits for x.goal:4 waits for x.goal:3"},
		{"num_ranks 1", "the schedule has no operations"},
	} {
		_, err := program(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.80q: error\n%v\nwant\n%s", c.text, err, c.want)
		}
	}
}

// A schedule begins with the word num_ranks, also behind comments.
func TestKnown(t *testing.T) {
	for head, want := range map[string]bool{
		"num_ranks 2\n": true, "// a\n/* b\n */ num_ranks": true, "": false, "rank 0 {": false, "num_ranks2": false, "/* num_ranks": false,
	} {
		if Known([]byte(head)) != want {
			t.Errorf("%q is known: %v, want %v", head, !want, want)
		}
	}
}

// Messages go to the receives of their source and tag in order, and to those that take any as they come.
func TestMatching(t *testing.T) {
	text := `num_ranks 3
rank 0 {
a: send 1b to 2 tag 1
b: send 2b to 2 tag 2
b requires a
}
rank 1 {
send 4b to 2 tag 1
}
rank 2 {
x: recv 9b from 0 tag 2
y: recv 9b from -1 tag 1
y requires x
z: recv 9b from 1 tag -1
z requires y
}
`
	if _, err := program(text); err != nil {
		t.Error(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{"from 1 tag -1", "from 0 tag -1", "x.goal:14: no send matches this recv of rank 2"},
		{"from -1 tag 1", "from -1 tag 2", "x.goal:12: no send matches this recv of rank 2"},
		{"2b to 2 tag 2", "2b to 2 tag 3", "x.goal:11: no send matches this recv of rank 2"},
		{"y requires x", "y requires z", "x.goal:12: the operations require each other"},
	} {
		if _, err := program(strings.Replace(text, c.old, c.new, 1)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s instead of %s: %v, want %s", c.new, c.old, err, c.want)
		}
	}
}

// Any text gives a program or an error.
func FuzzRead(f *testing.F) {
	f.Add(good)
	f.Add(goalText(4, dissemination(4, 1)))
	f.Add(goalText(5, binomial(5, 3)))
	f.Add("num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\nc: calc 1\na requires b\nb irequires c\nc requires a }")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := program(text)
		if err != nil && err.Error() == "" {
			t.Error("an error without a text")
		}
		if err == nil && !Known([]byte(text)) {
			t.Errorf("not known as a schedule, but read: %d ranks", s.Ranks)
		}
	})
}

package solve_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"whorl/lesson"
	"whorl/lesson/script"
	"whorl/lesson/script/solve"
	"whorl/testdata/must"
)

// numbers is a lesson with values of all kinds. Its text shows them.
const numbers = `+++
title = "Numbers"
minutes = 5
summary = "Values of all kinds."

[[parameter]]
name = "pes"
default = 2
min = 1
max = 8

[[parameter]]
name = "policy"
default = "steal"
choices = ["steal", "random"]

[[run]]
name = "dead"
program = "dead.fghc"
goal = "main(X)"
ends = "failed"

[[run]]
name = "fib"
program = "fghc/fibonacci"
args = ["{4 * pes}"]
pes = "{pes}"
policy = "{policy}"

[[run]]
name = "lu"
program = "hpf/lu"
args = ["16"]
pes = 4

[[series]]
name = "scaled"
run = "fib"
over = "pes"
at = [1, 2]
with = { args = ["{4 + x}"] }
y = "each.reductions"

[[value]]
name = "count"
run = "fib"
of = "tasks"
count = true
where = "depth in {0, 1..2}"

[[value]]
name = "half"
is = "fib.reductions / 2"

[[value]]
name = "deep"
run = "fib"
of = "tasks"
count = true
where = "depth > {height - 1}"

[[value]]
name = "height"
is = "fib.height"

[[value]]
name = "deepest"
run = "fib"
of = "tasks"
count = true
where = "depth > {height - 1}"

[[value]]
name = "busiest"
run = "lu"
of = "functions"
first = "procedure"
by = "time"

[[value]]
name = "line"
run = "lu"
of = "lines"
first = "line"
by = "share"

[[value]]
name = "sends"
run = "lu"
of = "events"
count = true
where = "kind = Send"

[[value]]
name = "pe"
run = "lu"
of = "pes"
first = "pe"
by = "idle"

[[value]]
name = "all"
run = "lu"
of = "pes"
sum = "work"
+++

{{ dead.error }}, {{ dead.outcome }}; {{ scaled.1 }} {{ scaled.2 }} {{ scaled.max }} {{ scaled.best }} {{ scaled.lowest }}; {{ fib.policy }};
{{ count }} {{ deepest }}; {{ sends - lu.messages }} {{ all - lu.work }}; {{ busiest }} {{ lu.top_procedure }}; {{ 1 / 4 | share }}
`

// TestValues computes values of all kinds and compares them with each other and with figures that follow from the programs.
func TestValues(t *testing.T) {
	text := strings.Replace(numbers, `[[value]]
name = "deep"
run = "fib"
of = "tasks"
count = true
where = "depth > {height - 1}"

`, "", 1)
	files := fstest.MapFS{
		"lesson.md": {Data: []byte(text)},
		"dead.fghc": {Data: []byte("main(X) :- p(A, B), q(B, A), X := A + B.\np(A, B) :- A > 0 | B = 1.\nq(B, A) :- B > 0 | A = 1.\n")},
	}
	s, err := script.Load(files, "numbers", "numbers", script.English)
	must.Do(t, err)
	var cache solve.Cache
	got := must.Get(cache.Solve(context.Background(), s, "", must.Get(solve.Values(s, "", nil))(t)))(t)
	want := "deadlock: 3 goals wait forever, failed; "
	line := lesson.Inline(got.Lesson.Blocks[0].Spans)
	if !strings.HasPrefix(line, want) || !strings.Contains(line, "; steal; ") || !strings.HasSuffix(line, "; 25.0 %") || !strings.Contains(line, "; 0 0 ns; ") {
		t.Errorf("%q", line)
	}
	parts := strings.Split(line, "; ")
	scaled, counts, busiest := strings.Fields(parts[1]), strings.Fields(parts[3]), strings.Fields(parts[5])
	if scaled[1] != scaled[2] || scaled[3] != "2" || scaled[4] != "1" || scaled[0] == scaled[1] {
		t.Errorf("a series of reductions that grow with x: %q", scaled)
	}
	if counts[0] == "0" || counts[1] == "0" || busiest[0] != busiest[1] {
		t.Errorf("tasks %q, procedures %q", counts, busiest)
	}
}

// TestForwardValue checks that a value does not use one that follows it.
func TestForwardValue(t *testing.T) {
	files := fstest.MapFS{"lesson.md": {Data: []byte(numbers)}, "dead.fghc": {Data: []byte("main(X) :- p(X).\np(X) :- X > 0 | true.\n")}}
	list := must.Get(solve.Check(context.Background(), files, "numbers", "lesson.md"))(t)
	if len(list) == 0 || !strings.Contains(list[0].Error(), "value deep") {
		t.Errorf("%v", list)
	}
}

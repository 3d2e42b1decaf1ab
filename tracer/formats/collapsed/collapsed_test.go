package collapsed

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/callingcontext"
	"whorl/tracer/formats/profile"
	"whorl/tracer/testdata/profiletest"
)

func read(o profile.Options, texts ...string) (*tracer.Memory, error) {
	return profiletest.Read(Read, "rank%d.collapsed", o, texts...)
}

func TestRead(t *testing.T) {
	const want = `whorl 1
meta substrate="collapsed" clock="aligned" pes=2
extra key="missing" value="1 line without a count in rank0.collapsed"
pe 0 process="rank0"
pe 1 process="rank1"
stream 0 name="rank0"
stream 1 name="rank1"
code 1 type="metric" name="samples" unit="samples" scale=1
code 2 type="function" name="main"
code 3 type="function" name="solve mesh"
code 4 type="function" name="[unknown]"
code 5 type="function" name="σ()"
context 1 code=2
context 2 parent=1 code=3
context 3 parent=1 code=4
context 4 parent=3 code=5
0 Init pe=0
0 Sample pe=0 ref=2 code=1 value=12
0 Sample pe=0 ref=1 code=1 value=3
0 Init pe=1
0 Sample pe=1 ref=4 code=1 value=-2
`
	m := must.Get(read(profile.Options{}, "main;solve mesh 12\r\n\nmain 3\nno stack\nmain 0\n", "# of rank 1\nmain;;σ() -2"))(t)
	got := strings.NewReplacer(" # samples", "", " stream=1", "").Replace(profiletest.Text(t, m))
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestProcessors checks that processes and threads become processors if every stack begins with one, and that Merge merges them.
func TestProcessors(t *testing.T) {
	const threads = "heat-10/12;main;sweep 5\nheat-10/9;main 2\nsh-?/7;main 1\n"
	for _, c := range []struct {
		by, merge string
		texts     []string
		want      string
	}{
		{"", "", []string{threads}, "heat 10|heat 9 heat 10|heat 12 sh|sh 7"},
		{"process", "", []string{threads}, "heat 10| sh|"},
		{"process", "", []string{threads, threads}, "rank0 heat 10| rank0 sh| rank1 heat 10| rank1 sh|"},
		{"", "process", []string{threads}, "heat 10| sh|"},
		{"", "host", []string{threads, threads}, "|"},
		{"", "thread", []string{threads, threads}, "rank0 heat 10|heat 9 rank0 heat 10|heat 12 rank0 sh|sh 7 rank1 heat 10|heat 9 rank1 heat 10|heat 12 rank1 sh|sh 7"},
		{"file", "", []string{threads}, "rank0|"},
		{"", "", []string{threads + "main;sweep 1\n"}, "rank0|"},
		{"", "", []string{"heat-10;main 1\nheat-9;main 1\n"}, "heat 9| heat 10|"},
	} {
		m := must.Get(read(profile.Options{Processor: c.by, Merge: c.merge}, c.texts...))(t)
		var got []string
		for _, p := range m.Meta().PEInfo {
			got = append(got, p.Process+"|"+p.Thread)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q merged to %q: %s, want %s", c.by, c.merge, s, c.want)
		}
	}
}

// TestNamelessBegin checks that an empty function name is a function, also at the beginning of a stack.
func TestNamelessBegin(t *testing.T) {
	m := must.Get(read(profile.Options{}, ";solve 12\nmain;solve 3\n; 4\n"))(t)
	tree := must.Get(callingcontext.Grow(m, nil, nil, nil))(t)
	var got []string
	for v := int32(1); int(v) < tree.Nodes(); v++ {
		got = append(got, fmt.Sprintf("%s %s %d", m.Dict().Code(tree.Code[tree.Parent[v]]).Name, m.Dict().Code(tree.Code[v]).Name, tree.Total(v, 0, false)))
	}
	const want = " [unknown] 0, [unknown] solve 12, [unknown] [unknown] 4,  main 0, main solve 3"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("%s, want %s", s, want)
	}
}

// TestTwice checks files with two counts, of two runs, and names that end in a number.
func TestTwice(t *testing.T) {
	m := must.Get(read(profile.Options{}, "main;f 5 7\nmain;g 3 0\nmain 0 2\n"))(t)
	tree := must.Get(callingcontext.Grow(m, nil, nil, nil))(t)
	if got := tree.Values(callingcontext.Root, 0, true, nil); !slices.Equal(got, []int64{8, 9}) {
		t.Errorf("runs of %d samples", got)
	}
	if pes := m.Meta().PEInfo; pes[0].Process != "rank0 run 1" || pes[1].Process != "rank0 run 2" {
		t.Errorf("%+v", pes)
	}
	for _, text := range []string{"pool;worker 1 30\npool;worker 2 40\n", "pool;worker 1 30\n", "a;f 5 7\na;g 3\n"} {
		if m := must.Get(read(profile.Options{}, text))(t); m.Meta().PEs != 1 {
			t.Errorf("%q: %d processors", text, m.Meta().PEs)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, by, want string }{
		{"what is this\n", "", "rank0.collapsed: no collapsed stacks: expected lines that end with a count, such as main;solve 12"},
		{"a;b 1\n", "thred", `unknown processor of collapsed stacks "thred"; did you mean thread?`},
	} {
		if _, err := read(profile.Options{Processor: c.by}, c.text); err == nil || err.Error() != c.want {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
	m, err := read(profile.Options{}, "", "a;b 1")
	if err != nil || m.Meta().Extra[0].Value != "rank0.collapsed has no stacks" {
		t.Errorf("with an empty file: %v, %v", err, m.Meta().Extra)
	}
}

func TestDetect(t *testing.T) {
	deep := strings.Repeat("recurse;", 10_000)
	for _, c := range []struct {
		text string
		want bool
	}{
		{"main;solve 12\n", true},
		{"\nmain;solve 12\r\nmain 0.5\nmain;a", true},
		{deep[:4096], true},
		{"main 12\n", false},
		{"main;solve 12\nhello\nmain 1\n", true},
		{"main;solve 12\nhello\n", false},
		{"1 2 3 4 5 6\n", false},
		{"{\"a;b\": 12\n", false},
		{"a;b\x00 12\n", false},
		{"a;b", false},
	} {
		if Detect([]byte(c.text)) != c.want {
			t.Errorf("%.40q: %v", c.text, !c.want)
		}
	}
}

// TestTotals compares the tree of any stacks with counts made by splitting the text.
func TestTotals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scale := rapid.SampledFrom([]float64{1, 0.25}).Draw(t, "scale")
		want := map[string]float64{}
		total := 0.0
		var b strings.Builder
		for range rapid.IntRange(1, 30).Draw(t, "lines") {
			stack := rapid.SliceOfN(rapid.SampledFrom([]string{"main", "a", "b b", "f(int, long)", "наука", "x-1/2"}), 1, 8).Draw(t, "stack")
			n := float64(rapid.IntRange(-3, 1000).Draw(t, "count")) * scale
			fmt.Fprintf(&b, "%s %v\n", strings.Join(stack, ";"), n)
			total += n
			want[stack[len(stack)-1]] += n
		}
		m := must.Get(read(profile.Options{Processor: "file"}, b.String()))(t)
		tree := must.Get(callingcontext.Grow(m, nil, nil, nil))(t)
		if len(tree.Metrics) == 0 {
			return
		}
		got := float64(tree.Total(callingcontext.Root, 0, true)) * tree.Metrics[0].Scale
		if diff := got - total; diff > 1e-3 || diff < -1e-3 {
			t.Errorf("%v of %v\n%s", got, total, b.String())
		}
		for _, f := range tree.Flat(callingcontext.Root, func(node int32, inclusive bool) int64 { return tree.Total(node, 0, inclusive) }) {
			name := m.Dict().Code(f.Code).Name
			if diff := float64(f.Exclusive)*tree.Metrics[0].Scale - want[name]; diff > 1e-3 || diff < -1e-3 {
				t.Errorf("%s: %v, want %v", name, f.Exclusive, want[name])
			}
		}
	})
}

// TestVertx reads a recorded file and checks the sum of its lines and its threads.
func TestVertx(t *testing.T) {
	data := must.Get(os.ReadFile("../../../testdata/profiles/vertx.collapsed"))(t)
	m := must.Get(read(profile.Options{}, string(data)))(t)
	tree := must.Get(callingcontext.Grow(m, nil, nil, nil))(t)
	if got := tree.Total(callingcontext.Root, 0, true); got != 38 || m.Meta().PEs != 15 {
		t.Errorf("%d samples of %d threads", got, m.Meta().PEs)
	}
}

func TestDeep(t *testing.T) {
	m := must.Get(read(profile.Options{}, strings.Repeat("recurse;", 9_999)+"recurse 7\n"+strings.Repeat("a;", mostFrames)+"a 1\n"))(t)
	if n := len(m.Dict().Contexts()); n != 10_000+mostFrames+1 {
		t.Errorf("%d contexts", n)
	}
	if got := m.Meta().Extra[0].Value; got != "1 frame beyond the stack depth limit" {
		t.Error(got)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("main;solve 12\nmain 1.5\n")
	f.Add("a-1/2;b 3\na-1/?;b;; -3\n")
	f.Add("a;b 1e400\na 9223372036854775807\nInf inf\n")
	f.Fuzz(func(t *testing.T, s string) {
		Detect([]byte(s))
		for _, by := range processors {
			m, err := read(profile.Options{Processor: by}, s)
			if err != nil {
				continue
			}
			if n, lines := m.Counts()[tracer.Sample], strings.Count(s, "\n")+1; n > int64(lines) {
				t.Errorf("%d samples in %d lines", n, lines)
			}
			profiletest.Text(t, m)
		}
	})
}

// TestPlain checks which files may be stacks of one function.
func TestPlain(t *testing.T) {
	for _, c := range []struct {
		head string
		want bool
	}{
		{"main 5\nidle 3\n", true},
		{"main 5", true},
		{"\ufeffmain 5\r\n\r\n", true},
		{"# comment\nf(int) 7\n", true},
		{"", false},
		{"hello world 5\n", false},
		{"operator new(unsigned long) 5\n", true},
		{"main\n", false},
		{"main 5\nidle\n", false},
		{"p(X) :- X = 1.\n", false},
		{"1 2\n3 4\n", false},
		{"f -3\n", false},
		{"f 1.5\n", false},
		{"{\"a\": 3\n", false},
	} {
		if got := Plain([]byte(c.head)); got != c.want {
			t.Errorf("%q: %v, want %v", c.head, got, c.want)
		}
	}
}

// TestFirstFrames checks that frames such as <module> and {closure} begin stacks, and that markup does not.
func TestFirstFrames(t *testing.T) {
	for _, c := range []struct {
		head string
		want bool
	}{
		{"<module> (a.py:1);f 12\n", true},
		{"{closure};f 3\n", true},
		{"{main};g 4", true},
		{"main;f 5", true},
		{"\ufeffmain;f 5\n", true},
		{"a;b 3\nx;", true},
		{"<!DOCTYPE html>;x 3\n", false},
		{"<?xml;b 3\n", false},
		{"{\"a;b\": 3\n", false},
		{"{\n  \"a;b 3\n", false},
		{"[{\"a;b\": 3\n", false},
		{"main;f", false},
	} {
		if got := Detect([]byte(c.head)); got != c.want {
			t.Errorf("%q: %v, want %v", c.head, got, c.want)
		}
	}
}

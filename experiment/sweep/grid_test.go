package sweep

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"whorl/experiment"
	"whorl/sim/machines"
	"whorl/testdata/must"
)

const small = `programs = ["fghc/pascal 5", ["fghc/queens", "4"]]
pes      = [1, 2]
policies = ["on-demand", "steal"]
latency  = ["1us", "10us"]
seed     = 7
seeds    = 2
`

func TestRuns(t *testing.T) {
	g := must.Get(Read("small.toml", small))(t)
	if g.Runs() != 32 {
		t.Fatalf("%d runs", g.Runs())
	}
	var lines []string
	for i := range g.Runs() {
		r := g.Run(i)
		lines = append(lines, r.Command("run.whorl"))
	}
	for i, want := range map[int]string{
		0:  "whorl run fghc/pascal 5 --pes 1 --policy on-demand --seed 7 --machine symmetry:latency=1us -o run.whorl",
		1:  "whorl run fghc/pascal 5 --pes 1 --policy on-demand --seed 8 --machine symmetry:latency=1us -o run.whorl",
		2:  "whorl run fghc/pascal 5 --pes 2 --policy on-demand --seed 7 --machine symmetry:latency=1us -o run.whorl",
		4:  "whorl run fghc/pascal 5 --pes 1 --policy steal --seed 7 --machine symmetry:latency=1us -o run.whorl",
		8:  "whorl run fghc/pascal 5 --pes 1 --policy on-demand --seed 7 --machine symmetry:latency=10us -o run.whorl",
		16: "whorl run fghc/queens 4 --pes 1 --policy on-demand --seed 7 --machine symmetry:latency=1us -o run.whorl",
		31: "whorl run fghc/queens 4 --pes 2 --policy steal --seed 8 --machine symmetry:latency=10us -o run.whorl",
	} {
		if lines[i] != want {
			t.Errorf("run %d is\n%s, want\n%s", i, lines[i], want)
		}
	}
	slices.Sort(lines)
	if n := len(slices.Compact(lines)); n != 32 {
		t.Errorf("%d different runs", n)
	}
}

// The command of a run on real cores names no machine.
func TestCommandOfLiveRuns(t *testing.T) {
	r := must.Get(Read("g.toml", "programs = [\"pascal 5\"]\nmode = \"live\"\n"))(t).Run(0)
	if got, want := r.Command("run.whorl"), "whorl run pascal 5 --mode live --pes 4 --policy on-demand --seed 1 -o run.whorl"; got != want {
		t.Errorf("the run is\n%s, want\n%s", got, want)
	}
}

// Policies and seeds do not touch programs in HPF, arguments are added to each program, and blanks in names are quoted.
func TestRunsOfPrograms(t *testing.T) {
	g := must.Get(Read("g.toml", `programs = ["hpf/lu 20", ["my file.fghc"]]
arguments = ["a.fghc", "b.fghc"]
goal = "main(X)"
networks = ["", "mesh2d"]
policies = ["on-demand", "steal"]
seeds = 3
max_time = "10s"
max_reductions = 1000
mode = "sim"`))(t)
	if g.Runs() != 2*2+2*2*2*3 {
		t.Errorf("%d runs", g.Runs())
	}
	r, last := g.Run(0), g.Run(g.Runs()-1)
	if got, want := r.Command("run.whorl"), "whorl run hpf/lu 20 a.fghc --goal 'main(X)' --mode sim --pes 4 --machine symmetry --max-time 10s --max-reductions 1000 -o run.whorl"; got != want {
		t.Errorf("the first run is\n%s, want\n%s", got, want)
	}
	if got, want := last.Command("run.whorl"), "whorl run 'my file.fghc' b.fghc --goal 'main(X)' --mode sim --pes 4 --policy steal --seed 3 --machine symmetry --net mesh2d --max-time 10s --max-reductions 1000 -o run.whorl"; got != want {
		t.Errorf("the last run is\n%s, want\n%s", got, want)
	}
}

// TestTimes checks that a grid has a key for each time of a machine, which changes that time.
func TestTimes(t *testing.T) {
	for _, o := range machines.Options {
		r := must.Get(Read("g.toml", "programs = [\"pascal\"]\n"+o.Name+" = [\"7ns\"]\n"))(t).Run(0)
		if m := must.Get(experiment.Machine(r.Machine))(t); o.Ns(m.Model) != 7 {
			t.Errorf("%s: machine %s has %g ns", o.Name, r.Machine, o.Ns(m.Model))
		}
	}
}

func TestWrongGrids(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `g.toml:1: programs: a sweep needs a program, as in programs = ["fghc/pascal 35"]`},
		{"programs = []\n", "a sweep needs a program"},
		{"programs = [\"fghc/pascal\"\n", "g.toml:"},
		{"programs = [\"fghc/pascla\"]\n", "did you mean fghc/pascal"},
		{"programs = [7]\n", "g.toml:1: programs: 7: expected a quoted text or a list of texts"},
		{"programs = [[7]]\n", "7: expected a quoted text"},
		{"programs = [\"\"]\n", "a program has no name"},
		{"programs = [\"pascal\"]\npolicys = [\"steal\"]\n", `g.toml:2: policys: unknown key "policys"; did you mean policies?`},
		{"programs = [\"pascal\"]\nPes = [1, 2]\n", `g.toml:2: Pes: unknown key "Pes"; did you mean pes?`},
		{"programs = [\"pascal\"]\npolicies = [\"stela\"]\n", `g.toml:2: policies: unknown policy "stela"; did you mean steal?`},
		{"programs = [\"pascal\"]\npolicies = [\"steal\", \"steal\"]\n", "g.toml:2: policies: \"steal\" is listed twice"},
		{"programs = [\"pascal\"]\npes = [0]\n", "g.toml:2: pes: 0 PEs: a machine has 1 to 1,048,576"},
		{"programs = [\"pascal\"]\npes = [4, 4]\n", "g.toml:2: pes: 4 is listed twice"},
		{"programs = [\"pascal\"]\npes = \"four\"\n", "g.toml:2: pes: expected a list of whole numbers"},
		{"programs = \"pascal\"\n", "g.toml:1: programs: expected a list of quoted texts"},
		{"programs = [\"pascal\"]\nmax_time = 10\n", "g.toml:2: max_time: expected a quoted text"},
		{"programs = [\"pascal\"]\nseeds = 2.5\n", "g.toml:2: seeds: expected a whole number"},
		{"programs = [\"pascal\"]\nseed = -3\n", "g.toml:2: seed: -3: expected a whole number of at least 0"},
		{"programs = [\"pascal\"]\nnetworks = [\"\", \"\"]\n", `g.toml:2: networks: "" is listed twice`},
		{"programs = [\"pascal 5\", [\"pascal\", \"5\"]]\n", `g.toml:1: programs: "pascal 5" is listed twice`},
		{"programs = [\"pascal\"]\narguments = [\"5\", \"5\"]\n", `g.toml:2: arguments: "5" is listed twice`},
		{"programs = [\"pascal\"]\nlatency = [\"10\"]\n", "g.toml:2: latency: machine symmetry:latency=10: latency=10: expected a time"},
		{"programs = [\"pascal\"]\nmachines = [\"symmetri\"]\n", "did you mean symmetry?"},
		{"programs = [\"pascal\"]\nmachines = [\"modern\", \"cluster:gap=0ns\"]\ngap = [\"1us\"]\n", "g.toml:3: gap: machine cluster:gap=0ns:gap=1us: the option gap is given twice"},
		{"programs = [\"pascal\"]\nnetworks = [\"mesh\"]\n", "unknown network"},
		{"programs = [\"pascal\"]\nseeds = 0\n", "g.toml:2: seeds: 0: expected the number of seeds from 1 on, 1 to 1,000,000"},
		{"programs = [\"pascal\"]\nmax_time = \"10\"\n", `g.toml:2: max_time: "10": expected a duration`},
		{"programs = [\"pascal\"]\nmax_reductions = -1\n", "max_reductions: -1"},
		{"programs = [\"pascal\"]\ntraces = -1\n", "traces: -1"},
		{"programs = [\"pascal\"]\nmode = \"life\"\n", `unknown mode "life"`},
		{"programs = [\"pascal\"]\nmode = \"live\"\nmachines = [\"cluster\"]\n", "g.toml:3: machines: simulated machines alone have it"},
		{"programs = [\"pascal\"]\nmode = \"live\"\ngap = [\"1us\"]\n", "g.toml:3: gap: simulated machines alone have it"},
		{"programs = [\"pascal\"]\narguments = [7]\n", "arguments: 7: expected"},
		{"programs = [\"pascal\", \"queens\"]\nseeds = 1000000\n", "g.toml: the grid has 2,000,000 runs; a sweep has at most 1,000,000"},
		{"programs = [\"pascal\"]\npes = []\npolicies = []\n", "g.toml:2: pes: the list is empty: without the key it has its default\ng.toml:3: policies: the list is empty: without the key it has its default"},
		{"programs = [\"pascal\"]\nseeds = 1000000\npes = [1, 2]\n", "the grid has 2,000,000 runs"},
		{"programs = [\"pascal\"]\nseeds = 1000000\ninstruction = [\"1ns\", \"2ns\"]\npes = [1, 2]\n", "the grid has 4,000,000 runs"},
		{"a = " + strings.Repeat("[", 100), "nested tables"},
		{strings.Repeat("# long\n", 200_000), "g.toml: longer than"},
	} {
		if g, err := Read("g.toml", c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: grid %v, error %v, want %s", c.text[:min(len(c.text), 80)], g, err, c.want)
		}
	}
}

// FuzzRead checks that no text of a grid panics, and that the first and the last run of a valid one exist.
func FuzzRead(f *testing.F) {
	f.Add(small)
	f.Add("programs = [[\"a\", 7]]\nseeds = -1\nlatency = []\n")
	f.Fuzz(func(t *testing.T, text string) {
		g, err := Read("g.toml", text)
		if err != nil {
			return
		}
		if n := g.Runs(); n < 1 || n > MaxRuns || g.Run(0).Program == "" || g.Run(n-1).Program == "" {
			t.Errorf("%d runs", n)
		}
	})
}

func TestKeysFollowFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "own.fghc")
	must.Do(t, os.WriteFile(path, []byte("main(X) :- true | X = 1.\n"), 0o600))
	g := must.Get(Read("g.toml", "programs = [[\""+path+"\"]]\ngoal = \"main(X)\"\n"))(t)
	r := g.Run(0)
	first := must.Get(keyOf(&r, map[string]string{}))(t)
	must.Do(t, os.WriteFile(path, []byte("main(X) :- true | X = 2.\n"), 0o600))
	if second := must.Get(keyOf(&r, map[string]string{}))(t); first == second {
		t.Error("a changed program has the same key")
	}
}

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/program"
	"whorl/cmd/whorl/internal/testdata/scopes"
	"whorl/testdata/must"
)

// TestFlagsHaveScopes: the flags of commands without a table of scopes have an effect in all uses. Those of the others are checked beside their tables.
func TestFlagsHaveScopes(t *testing.T) {
	reading := []string{"processor", "merge", "binary", "source", "program"}
	tables := []struct {
		command string
		flags   []string
	}{
		{"build", []string{"goal", "output", "define", "inline"}},
		{"trace", []string{"goal", "depth", "length", "spy", "pes", "policy", "machine", "net", "seed", program.AnyHost, "max-time", "max-reductions", "max-memory"}},
		{"repl", []string{"mode", "pes", "policy", "machine", "net", "seed", program.AnyHost}},
		{"fmt", []string{"write", "diff"}},
		{"dts", []string{"grain", "output", "write"}},
		{"hpf", []string{"listing", "report", "pes", "define"}},
		{"stats", append([]string{"format"}, reading...)},
		{"top", append([]string{"by", "rows", "cum", "format", "metric", "processes", "focus", "ignore", "show", "hide", "tagfocus", "tagignore", "tagroot", "tagleaf", "against"}, reading...)},
		{"tree", append([]string{"by", "rows", "cum", "format", "metric", "processes", "focus", "ignore", "show", "hide", "tagfocus", "tagignore", "tagroot", "tagleaf", "peek"}, reading...)},
		{"annotate", append([]string{"rows", "cum", "format", "metric", "processes", "focus", "ignore", "show", "hide", "tagfocus", "tagignore", "tagroot", "tagleaf"}, reading...)},
		{"report", append([]string{"output", "view", "max-memory"}, reading...)},
		{"sonify", append([]string{"output", "view", "measure", "fast", "length", "speed", "turn", "tilt", "zoom", "set"}, reading...)},
		{"film", append([]string{"output", "view", "size", "lasts", "rate", "plays", "background", "legend", "camera", "color", "palette", "detail", "filter", "select", "window", "set"}, reading...)},
		{"node", []string{"join", "creds", "ca", "cert", "key", "cluster", "placement", "pes", "policy", "name", "trace"}},
		{"calibrate", []string{"output", "max-time", "format"}},
		{"whatif", append([]string{"pes", "policy", "machine", "net", "seed", "speed", "zero", "map", "max-time", "max-memory", "anyway", "collectives", "functions", "format"}, reading...)},
		{"list", nil},
		{"man", nil},
	}
	scoped := []string{"record", "run", "view", "serve", "compare", "replay", "sweep", "render", "convert", "dump", "check", "lesson"}
	for _, cmd := range newRoot().Commands() {
		if slices.Contains(scoped, cmd.Name()) {
			continue
		}
		i := 0
		for i < len(tables) && tables[i].command != cmd.Name() {
			i++
		}
		if i == len(tables) {
			t.Errorf("%s has no table", cmd.Name())
			continue
		}
		scopes.CheckFlags(t, cmd, tables[i].flags...)
	}
}

// An outcome is all that a command leaves.
type outcome struct {
	status         int
	out, err, file string
}

// execute runs whorl in a folder. file is a file that the command may write.
func execute(t *testing.T, file string, args ...string) outcome {
	t.Helper()
	_ = os.Remove(file)
	var out, err strings.Builder
	status := Main(args, strings.NewReader(""), &out, &err)
	text, _ := os.ReadFile(file) // there may be none
	return outcome{status, out.String(), err.String(), string(text)}
}

// TestScopesOfRun sets each flag of run in each use. A flag that is refused is named in the error; any other changes something.
func TestScopesOfRun(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		must.Do(t, os.WriteFile(path, []byte(text), 0o666))
		return path
	}
	logic := write("p.fghc", `main :- true | p(40,X), q(X,Y,_Unused).
p(0,X) :- true | X = [].
p(N,X) :- N > 0 | X = [N|Y], M := N-1, p(M,Y).
q([],Y,_) :- true | Y = done.
q([_|X],Y,Once) :- true | q(X,Y,_).
`)
	fortran := write("p.HPF", `#ifndef M
#define M 50
#endif
program p
integer a(64), i, n
!hpf$ distribute a(block)
a = 0
!hpf$ task_region
do n = 1, M
!hpf$ independent
  do i = 2, 64
    a(i) = a(i-1+mod(i,2)) + i
  end do
end do
print *, sum(a)
end
`)
	trace := filepath.Join(folder, "trace.whorl")
	values := []struct{ flag, value string }{
		{"goal", "p(3,X)"},
		{"slice", "3"},
		{program.AnyHost, ""},
		{"all", ""},
		{"break", "p.HPF:12"},
		{"check-independent", ""},
		{"define", "M=3"},
		{"sample", "3us"},
		{program.Files, "none"},
		{"policy", "steal"},
		{"seed", "7"},
		{"max-reductions", "5"},
		{"machine", "cluster"},
		{"net", "ring"},
		{"max-memory", "1M"},
		{"open", ""},
		{"pes", "3"},
		{"max-time", "1ns"},
		{"stats", ""},
		{"mode", "live"},
		{"store", "kept"},
		{"sync", ""},
		{"job", "j"},
		{"placement", "random"},
		{"cluster", "c"},
		{"creds", "c"},
		{"ca", "c"},
		{"cert", "c"},
		{"key", "c"},
	}
	later := []string{"open", program.AnyHost, "max-time", "max-memory"} // need a display, another host or a longer run
	ofNodes := []string{"store", "sync", "job", "placement", "cluster", "creds", "ca", "cert", "key"}
	for _, c := range []struct {
		use     string
		args    []string
		refused []string
		tried   bool // flags that are not refused are tried
	}{
		{"FGHC", []string{logic, "--policy", "random"}, append([]string{"slice", "break", "check-independent", "define", "sample", program.Files}, ofNodes...), true},
		{"threads", []string{"dts/fibonacci", "9", "--policy", "random"}, append([]string{"goal", program.AnyHost, "all", "slice", "break", "check-independent", "define", "sample", program.Files}, ofNodes...), true},
		{"HPF", []string{fortran}, append([]string{"goal", "slice", program.AnyHost, "policy", "seed", "max-reductions"}, ofNodes...), true},
		{"FGHC live", []string{logic, "--mode", "live"}, append([]string{"break", "check-independent", "define", "sample", program.Files}, ofNodes...), false},
		{"threads live", []string{"dts/fibonacci", "9", "--mode", "live"}, append([]string{"goal", program.AnyHost, "all", "slice", "break", "check-independent", "define", "sample", program.Files}, ofNodes...), false},
		{"folder", []string{folder}, append([]string{"goal", program.AnyHost, "all", "slice", "break", "check-independent", "define", "sample", program.Files}, ofNodes...), false},
		{
			"nodes",
			[]string{"dts/fibonacci", "9", "--nodes", "2"},
			[]string{
				"goal", program.AnyHost, "all", "slice", "break", "check-independent", "define", "sample", program.Files, "machine", "net", "max-reductions", "max-memory", "open",
				"sync", "job", "cluster", "creds", "ca", "cert", "key",
			},
			false,
		},
		{
			"HPF without a trace", []string{fortran}, []string{"sample"}, false,
		},
	} {
		args := append([]string{"run"}, c.args...)
		if c.use != "HPF without a trace" {
			args = append(args, "-o", trace)
		}
		var plain outcome
		if c.tried {
			if plain = execute(t, trace, args...); plain.status != 0 || plain.file == "" {
				t.Fatalf("%s: %+v", c.use, plain)
			}
		}
		for _, v := range values {
			refused := slices.Contains(c.refused, v.flag)
			if !refused && (!c.tried || slices.Contains(later, v.flag)) {
				continue
			}
			set := "--" + v.flag
			if v.value != "" {
				set += "=" + v.value
			}
			got := execute(t, trace, append(slices.Clone(args), set)...)
			named := got.status == command.ExitUsage && strings.HasPrefix(got.err, "whorl: --"+v.flag+" ") && got.out == ""
			switch {
			case refused && !named:
				t.Errorf("%s: %s is not refused: %+v", c.use, set, got)
			case !refused && (named || got == plain):
				t.Errorf("%s: %s changes nothing: %d %s%s", c.use, set, got.status, got.out, got.err)
			}
		}
	}
}

// TestScopes sets flags of other commands where they have no effect.
func TestScopes(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	must.Do(t, os.WriteFile("p.fghc", []byte("p(X) :- true | X = 1.\n"), 0o666))
	if got := execute(t, "", "run", "pascal", "5", "-o", "t.whorl"); got.status != 0 {
		t.Fatalf("%+v", got)
	}
	const traces, runs = "is for comparing traces", "is for comparing runs of a program"
	for _, c := range []struct{ args, flag, want string }{
		{"compare pascal 5", "--processes 1", traces},
		{"compare pascal 5", "--metric ticks", traces},
		{"compare pascal 5", "--processor thread", traces},
		{"compare pascal 5", "--program p.fghc", traces},
		{"compare pascal 5", "--view timeline", "is for a picture"},
		{"compare hpf/jacobi", "--seed 3", "is for programs in FGHC and of threads"},
		{"compare hpf/jacobi", "--seeds 3", "is for programs in FGHC and of threads"},
		{"compare dts/fibonacci", "--goal p(X)", "is for programs in FGHC"},
		{"compare t.whorl t.whorl", "--seeds 3", runs},
		{"compare t.whorl t.whorl", "--view timeline", runs},
		{"compare t.whorl t.whorl", "--scale own", runs},
		{"compare t.whorl t.whorl", "--processes 1", "compares processes of a single trace"},
		{"render t.whorl --view measures -o x.svg", "--until 1us", "is for views that show the run until a time: kaleidoscope, "},
		{"render t.whorl --view efficiency -o x.svg", "--until 1us", "is for views that show the run until a time: kaleidoscope, "},
		{"render t.whorl --view kaleidoscope --against t.whorl -o x.svg", "--legend none", "is for the picture of one run: "},
		{"render t.whorl --view timeline -o x.svg", "--notes x.toml", "is for views that show notes: kaleidoscope"},
		{"convert t.whorl x.txt", "--keys 9", "is for worlds: gltf, vrml, x3d"},
		{"dump t.whorl", "--output x.whorl", "is for dump --read"},
		{"dump --read t.txt -o x.whorl", "--program p.fghc", "is for traces"},
		{"check p.fghc --format json", "--all", "is for --format text"},
	} {
		got := execute(t, "", strings.Fields(c.args+" "+c.flag)...)
		flag, _, _ := strings.Cut(c.flag, " ")
		if want := fmt.Sprintf("whorl: %s %s", flag, c.want); got.status != command.ExitUsage || !strings.HasPrefix(got.err, want) {
			t.Errorf("%s %s: status %d, %q, want %q", c.args, c.flag, got.status, got.err, want)
		}
	}
}

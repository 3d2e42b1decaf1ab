package parallelize

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/store"
)

// Programs print the same as they are and rewritten: live under several policies, and simulated. Their traces have
// threads.
func TestAnswers(t *testing.T) {
	names := []string{"functions", "golden", "hazards", "inplace"}
	dir := t.TempDir()
	overlay := map[string]map[string]string{"Replace": {}}
	for _, name := range names {
		source := must.Get(filepath.Abs(filepath.Join("testdata", name, "main.go")))(t)
		replacement := filepath.Join(dir, name+".go")
		must.Do(t, os.WriteFile(replacement, rewritten(t, name).Text, 0o644))
		overlay["Replace"][source] = replacement
	}
	text := must.Get(json.Marshal(overlay))(t)
	replace := filepath.Join(dir, "overlay.json")
	must.Do(t, os.WriteFile(replace, text, 0o644))
	before, after := filepath.Join(dir, "before")+"/", filepath.Join(dir, "after")+"/"
	programs := make([]string, len(names))
	for i, name := range names {
		programs[i] = "./testdata/" + name
	}
	build(t, []string{"-o", before}, programs...)
	build(t, []string{"-o", after, "-overlay", replace}, programs...)
	for _, name := range names {
		want := execute(t, before+name)
		if want == "" {
			t.Fatalf("%s prints nothing", name)
		}
		for i, env := range [][]string{
			{"WHORL_MODE=live", "WHORL_PES=1"},
			{"WHORL_MODE=live", "WHORL_PES=4"},
			{"WHORL_MODE=live", "WHORL_PES=3", "WHORL_POLICY=breadth-first"},
			{"WHORL_MODE=sim", "WHORL_PES=16", "WHORL_POLICY=random"},
		} {
			trace := filepath.Join(dir, name+string(rune('0'+i))+".whorl")
			if got := execute(t, after+name, append(env, "WHORL_TRACE="+trace)...); got != want {
				t.Errorf("%s, %v:\n%s\nnot as sequentially:\n%s", name, env, got, want)
			}
			f := must.Get(store.Open(trace))(t)
			forks := f.Counts()[tracer.Fork]
			f.Close()
			if forks < 10 {
				t.Errorf("%s, %v: %d threads", name, env, forks)
			}
		}
	}
}

func build(t *testing.T, flags []string, programs ...string) {
	t.Helper()
	args := slices.Concat([]string{"build", "-ldflags=-s -w"}, flags, programs)
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func execute(t *testing.T, program string, env ...string) string {
	t.Helper()
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), env...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s, %v: %v\n%s", filepath.Base(program), env, err, &stderr)
	}
	return string(out)
}

package open

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whorl/internal/files"
	"whorl/testdata/must"
)

// TestOnlyMetric converts one of two metrics to collapsed stacks.
func TestOnlyMetric(t *testing.T) {
	trace := must.Get(Files([]string{"../../testdata/profiles/go.pb.gz"}, "", Options{Sealed: true}))(t)
	defer trace.Close()
	written := map[string]string{}
	for _, metric := range []string{"samples", "cpu"} {
		src := must.Get(OnlyMetric(trace, metric))(t)
		path := filepath.Join(t.TempDir(), "x.collapsed")
		var w files.Writer
		must.Do(t, Export(&w, src, path, "collapsed"))
		written[metric] = string(must.Get(os.ReadFile(path))(t))
		if left := must.Get(LeftOut(src, "collapsed"))(t); strings.Contains(left, "metrics") {
			t.Errorf("%s: %s is left out", metric, left)
		}
	}
	if one, other := lines(written["samples"]), lines(written["cpu"]); one == 0 || one != other || written["samples"] == written["cpu"] {
		t.Errorf("%d and %d lines", one, other)
	}
	if _, err := OnlyMetric(trace, "cpv"); err == nil || !strings.Contains(err.Error(), `unknown metric "cpv"`) {
		t.Error(err)
	}
	if !HoldsOneMetric("collapsed") || HoldsOneMetric("pprof") {
		t.Error("pprof holds all metrics, collapsed stacks one")
	}
}

func lines(text string) int { return strings.Count(text, "\n") }

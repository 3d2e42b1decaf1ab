package report_test

import (
	"fmt"
	"math/rand/v2"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/labels"
	"whorl/tracer/report"
)

// label gives a sample some labels. All samples have a job, and two thirds a host, a size and a delay.
func label(r *rand.Rand, s *profile.Sample) {
	s.Label = map[string][]string{"job": {[]string{"build", "test", "check"}[r.IntN(3)]}}
	if r.IntN(3) == 0 {
		return
	}
	s.Label["host"] = []string{fmt.Sprintf("node%d", r.IntN(3))}
	s.NumLabel = map[string][]int64{"size": {int64(r.IntN(5)) * 1024}, "delay": {int64(r.IntN(4))}, "rank": {int64(r.IntN(4))}}
	s.NumUnit = map[string][]string{"size": {"bytes"}, "delay": {"milliseconds"}}
}

// TestLabelsAreThoseOfPprof checks what expressions for labels choose, and labels as frames, against go tool pprof.
func TestLabelsAreThoseOfPprof(t *testing.T) {
	if _, err := osexec.LookPath("go"); err != nil {
		t.Skip("the go command is not installed")
	}
	path := randomProfile(t, 6)
	src := opened(t, path)
	last := func(row string) string { return row[strings.LastIndex(row, ":")+1:] }
	for _, c := range []struct {
		args  string
		query labels.Query
	}{
		{"-tagfocus=job=build", labels.Query{Focus: "job=build"}},
		{"-tagfocus=job:t", labels.Query{Focus: "job:t"}},
		{"-tagfocus=job:test,host:node[12]", labels.Query{Focus: "job:test,host:node[12]"}},
		{"-tagfocus=job=test,^build$", labels.Query{Focus: "job=test,^build$"}},
		{"-tagfocus=2kb:", labels.Query{Focus: "2kb:"}},
		{"-tagfocus=size=1kb:2048b", labels.Query{Focus: "size=1kb:2048b"}},
		{"-tagfocus=delay=:2000us", labels.Query{Focus: "delay=:2000us"}},
		{"-tagfocus=delay=3ms", labels.Query{Focus: "delay=3ms"}},
		{"-tagfocus=rank=2:3", labels.Query{Focus: "rank=2:3"}},
		{"-tagignore=host=node0", labels.Query{Ignore: "host=node0"}},
		{"-tagignore=node", labels.Query{Ignore: "node"}},
		{"-tagfocus=job=test -tagignore=node1", labels.Query{Focus: "job=test", Ignore: "node1"}},
		{"-tagroot=job", labels.Query{Root: "job"}},
		{"-tagleaf=job", labels.Query{Leaf: "job"}},
		{"-tagroot=job,host -tagfocus=node", labels.Query{Root: "job,host", Focus: "node"}},
	} {
		q := report.ProfileQuery{By: "function", Metric: "cpu", Labels: c.query}
		top := must.Get(report.TopOf([]string{path}, []tracer.Source{src}, q, false))(t)
		want := pprofTop(t, path, append(strings.Fields(c.args), "-sample_index=cpu", "-unit=ns")...)
		sameRows(t, filepath.Base(path)+" "+c.args, top, want, last)
		if whole := must.Get(report.TopOf([]string{path}, []tracer.Source{src}, report.ProfileQuery{By: "function", Metric: "cpu"}, false))(t); top.Runs[0].Total != whole.Runs[0].Total {
			t.Errorf("%s: the total is %v, want that of all samples, %v", c.args, top.Runs[0].Total, whole.Runs[0].Total)
		}
	}
}

// TestWrongLabels checks the errors for expressions and keys.
func TestWrongLabels(t *testing.T) {
	src := opened(t, randomProfile(t, 6))
	for _, c := range []struct {
		query labels.Query
		want  string
	}{
		{labels.Query{Focus: "job=("}, `tagfocus "(" is not a regular expression`},
		{labels.Query{Ignore: "jo=b"}, `unknown label "jo"; did you mean job?`},
		{labels.Query{Root: "hosts"}, `unknown label "hosts"; did you mean host?`},
	} {
		if _, err := report.TopOf([]string{"p"}, []tracer.Source{src}, report.ProfileQuery{By: "function", Labels: c.query}, false); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.query, err)
		}
	}
	none := report.Sampled(t, "ticks", [3]int64{1, 10, 0})
	if _, err := report.TopOf([]string{"p"}, []tracer.Source{none}, report.ProfileQuery{By: "function", Labels: labels.Query{Focus: "a"}}, false); err == nil || !strings.Contains(err.Error(), "have no labels") {
		t.Error(err)
	}
}

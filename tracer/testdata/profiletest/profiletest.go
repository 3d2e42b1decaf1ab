// Package profiletest reads texts as profiles, for tests of profile formats.
package profiletest

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"whorl/tracer"
	"whorl/tracer/derive/callingcontext"
	"whorl/tracer/formats/profile"
)

// Read reads texts with the Read function of a format. The files are named by a pattern with the number of the file,
// such as rank%d.json. The name without its extension is the process.
func Read(read func([]profile.File, tracer.Recorder, profile.Options) error, pattern string, o profile.Options, texts ...string) (*tracer.Memory, error) {
	m := tracer.NewMemory()
	var files []profile.File
	for i, s := range texts {
		name := fmt.Sprintf(pattern, i)
		files = append(files, profile.File{Name: name, Process: strings.TrimSuffix(name, path.Ext(name)), R: strings.NewReader(s)})
	}
	err := read(files, m, o)
	_ = m.Close()
	return m, err
}

// Text returns the text form of a trace.
func Text(t testing.TB, m *tracer.Memory) string {
	t.Helper()
	var b strings.Builder
	if err := tracer.WriteText(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Linear reads an input of a length, such as the number of its records. Under WHORL_SOAK it also checks that the time of read grows in proportion to the
// length: it compares with 16 times the length, for which a quadratic reader takes 256 times as long. One of several comparisons has to succeed, because
// other programs may slow each of them. Less than 10 ms counts as 10 ms.
func Linear(t testing.TB, length int, read func(length int)) {
	t.Helper()
	if os.Getenv("WHORL_SOAK") == "" {
		read(length)
		return
	}
	timed := func(length int) time.Duration {
		begun := time.Now()
		read(length)
		return max(time.Since(begun), 10*time.Millisecond)
	}
	var short, long time.Duration
	for range 8 {
		if short, long = timed(length), timed(16*length); long <= 64*short {
			return
		}
	}
	t.Errorf("length %d takes %v, length %d takes %v", length, short, 16*length, long)
}

// Functions returns the functions of a trace with most of a metric as text: first the total, then a line for each of at most most functions with the
// exclusive and the inclusive value, as recorded, and the name. Functions of equal values are in the order of their names.
func Functions(t testing.TB, src tracer.Source, metric string, most int) string {
	t.Helper()
	tree, err := callingcontext.BuildBy(src, callingcontext.ByFunction, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := tree.Metric(metric)
	if m < 0 {
		t.Fatalf("no metric %s: %+v", metric, tree.Metrics)
	}
	total := func(node int32, inclusive bool) int64 { return tree.Total(node, m, inclusive) }
	flat := tree.Flat(callingcontext.Root, total)
	name := func(f callingcontext.Function) string { return src.Dict().Code(f.Code).Name }
	slices.SortStableFunc(flat, func(a, b callingcontext.Function) int {
		return cmp.Or(cmp.Compare(b.Exclusive, a.Exclusive), cmp.Compare(b.Inclusive, a.Inclusive), cmp.Compare(name(a), name(b)))
	})
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s\n", total(callingcontext.Root, true), tree.Metrics[m].Unit)
	for _, f := range flat[:min(len(flat), most)] {
		fmt.Fprintf(&b, "%d %d %s\n", f.Exclusive, f.Inclusive, name(f))
	}
	return b.String()
}

// Fuzz checks that a reader neither panics nor loops on any text, and that two readings give the same trace.
func Fuzz(f *testing.F, read func([]profile.File, tracer.Recorder, profile.Options) error, detect func([]byte) bool, seeds ...string) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		detect([]byte(s[:min(len(s), 4096)]))
		a, errA := Read(read, "rank%d.file", profile.Options{}, s)
		b, errB := Read(read, "rank%d.file", profile.Options{}, s)
		if (errA == nil) != (errB == nil) || errA != nil && errA.Error() != errB.Error() {
			t.Fatalf("%v, then %v", errA, errB)
		}
		if errA == nil && Text(t, a) != Text(t, b) {
			t.Error("two readings differ")
		}
	})
}

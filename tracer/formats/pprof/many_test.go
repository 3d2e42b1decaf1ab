package pprof

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	library "github.com/google/pprof/profile"
	"go.uber.org/goleak"

	"whorl/testdata/must"
	"whorl/testdata/testenv"
	"whorl/tracer"
	"whorl/tracer/derive/callingcontext"
	"whorl/tracer/formats/profile"
	"whorl/tracer/store"
	"whorl/tracer/testdata/tracertest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestMerged compares the totals of functions over many processes with the profile that the library merges.
func TestMerged(t *testing.T) {
	stacks := 1000
	if testenv.Race { // the stacks of a file are read by one goroutine
		stacks = 100
	}
	p := large(stacks)
	var packed [][]byte
	for i := range 10 {
		packed = append(packed, packedProfile(t, p.process(uint64(i))))
	}
	sum := merged(t, packed)
	m := tracer.NewMemory()
	must.Do(t, Read(named(packed), m, profile.Options{}))
	tree := must.Get(callingcontext.Grow(m, nil, nil, nil))(t)
	if len(tree.Processes) != len(packed) {
		t.Errorf("%d processes", len(tree.Processes))
	}
	for k, kind := range sum.SampleType {
		exclusive, inclusive := map[string]int64{}, map[string]int64{}
		for _, s := range sum.Sample {
			once := map[string]bool{}
			for i, l := range s.Location {
				name := l.Line[0].Function.Name
				if i == 0 {
					exclusive[name] += s.Value[k]
				}
				if !once[name] {
					once[name] = true
					inclusive[name] += s.Value[k]
				}
			}
		}
		functions := flat(tree, kind.Type)
		for _, f := range functions {
			name := m.Dict().Code(f.Code).Name
			if f.Exclusive != exclusive[name] || f.Inclusive != inclusive[name] {
				t.Errorf("%s of %s: %d and %d, the library has %d and %d", kind.Type, name, f.Exclusive, f.Inclusive, exclusive[name], inclusive[name])
			}
		}
		if len(functions) != len(inclusive) {
			t.Errorf("%d functions, the library has %d", len(functions), len(inclusive))
		}
		// The values of one more process are added to the functions that ran in it.
		more := p.process(99)
		more.Sample = more.Sample[:1]
		packed := append(packed[:len(packed):len(packed)], packedProfile(t, more))
		again := tracer.NewMemory()
		must.Do(t, Read(named(packed), again, profile.Options{}))
		other := must.Get(callingcontext.Grow(again, nil, nil, nil))(t)
		leaf := more.Sample[0].Location[0].Line[0].Function.Name
		for _, f := range flat(other, kind.Type) {
			want := exclusive[again.Dict().Code(f.Code).Name]
			if again.Dict().Code(f.Code).Name == leaf {
				want += more.Sample[0].Value[k]
			}
			if f.Exclusive != want {
				t.Errorf("with one more: %d, want %d", f.Exclusive, want)
			}
		}
	}
}

// flat returns the flat profile of a metric.
func flat(t *callingcontext.Tree, metric string) []callingcontext.Function {
	m := t.Metric(metric)
	return t.Flat(callingcontext.Root, func(node int32, inclusive bool) int64 { return t.Total(node, m, inclusive) })
}

// TestSameBytes checks that the trace does not depend on the number of files unpacked concurrently.
func TestSameBytes(t *testing.T) {
	stacks := 200
	if testenv.Race {
		stacks = 50
	}
	p := large(stacks)
	var packed [][]byte
	for i := range 9 {
		packed = append(packed, packedProfile(t, p.process(uint64(i))))
	}
	var first []byte
	for _, procs := range []int{1, 2, 8} {
		before := runtime.GOMAXPROCS(procs)
		var b bytes.Buffer
		w := store.New(&b)
		err := errors.Join(Read(named(packed), w, profile.Options{}), w.Close())
		runtime.GOMAXPROCS(before)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = b.Bytes()
		}
		if !bytes.Equal(first, b.Bytes()) {
			t.Errorf("with %d at a time the trace differs", procs)
		}
	}
}

// TestFirstError checks that Read stops at the first bad file and has recorded the files before it.
func TestFirstError(t *testing.T) {
	p := large(50)
	var packed [][]byte
	for i := range 12 {
		packed = append(packed, packedProfile(t, p.process(uint64(i))))
	}
	packed[5], packed[6] = []byte("no profile\n"), nil
	m := tracer.NewMemory()
	err := Read(named(packed), m, profile.Options{})
	if err == nil || !strings.HasPrefix(err.Error(), "rank5: ") {
		t.Errorf("error %v", err)
	}
	if m.Meta().PEs != 5 || len(m.Streams()) != 5 {
		t.Errorf("%d processes, %d streams", m.Meta().PEs, len(m.Streams()))
	}
}

// TestStacksAgain checks that equal stacks share a context, in one file or several, with and without labels.
func TestStacksAgain(t *testing.T) {
	p := small()
	p.Sample = append(p.Sample, p.Sample...)
	data := packedProfile(t, p)
	for _, by := range []string{"", "worker"} {
		m := must.Get(read(profile.Options{Processor: by}, data, data))(t)
		sums := map[string]int64{}
		for _, e := range tracertest.Events(t, m, tracer.Kinds(tracer.Sample)) {
			sums[fmt.Sprint(e.PE, " ", e.Ref, " ", e.Code)] += e.Value
		}
		want := map[string]int64{"0 4 2": 6, "0 4 1": 60, "0 6 2": 4, "0 2 2": -2, "0 2 1": 20, "1 4 2": 6, "1 4 1": 60, "1 6 2": 4, "1 2 2": -2, "1 2 1": 20}
		if by != "" {
			want = map[string]int64{"2 4 2": 6, "2 4 1": 60, "1 6 2": 4, "0 2 2": -2, "0 2 1": 20, "5 4 2": 6, "5 4 1": 60, "4 6 2": 4, "3 2 2": -2, "3 2 1": 20}
		}
		if fmt.Sprint(sums) != fmt.Sprint(want) {
			t.Errorf("by %q: %v, want %v", by, sums, want)
		}
	}
}

// TestSparse compares a program with many modules and sparse location ids with the library.
func TestSparse(t *testing.T) {
	p := small()
	for i, l := range p.Location {
		l.ID = uint64(i+1) << 40
	}
	var b bytes.Buffer
	must.Do(t, p.WriteUncompressed(&b))
	q := must.Get(library.ParseData(b.Bytes()))(t)
	same(t, q, b.Bytes())
}

package pprof

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/formats/profile"
	"whorl/tracer/testdata/tracertest"
)

// long is a file that claims to be too long to be held.
type long struct {
	io.Reader
	data []byte
}

func (l *long) Reopen() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(l.data)), nil }
func (l *long) Size() (int64, error)           { return mostPacked + 1, nil }

// text returns a trace or an error as text.
func text(t *testing.T, m *tracer.Memory, err error) string {
	if err != nil {
		return err.Error()
	}
	var b bytes.Buffer
	must.Do(t, tracer.WriteText(&b, m))
	return b.String()
}

// TestLong checks that a file that is read twice becomes the same trace as one that is held: packed or not, in an older form, cut, damaged, with the
// samples first or last, and no profile at all.
func TestLong(t *testing.T) {
	whole := plain(t, small())
	files := map[string][]byte{
		"packed": packedProfile(t, small()), "plain": whole, "cut": whole[:len(whole)-10], "cut sample": without(t, small(), 6)[:60],
		"packed and cut": packedProfile(t, small())[:150], "no profile": []byte("hello, world\n"), "damaged gzip": []byte("\x1f\x8b\x08\xff"), "empty": nil,
		"large": packedProfile(t, large(300).process(1)), "no strings": without(t, small(), 6),
		"old": must.Get(os.ReadFile("../../../testdata/profiles/gobench.cpu"))(t),
	}
	for name, data := range files {
		m := tracer.NewMemory()
		err := Read([]File{{Name: "rank0", R: &long{bytes.NewReader(data), data}}}, m, profile.Options{})
		must.Do(t, m.Close())
		got := text(t, m, err)
		held, err := read(profile.Options{}, data)
		if want := text(t, held, err); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
}

// TestLeaves checks that samples have the same values at the same innermost codes without their callers.
func TestLeaves(t *testing.T) {
	for k, data := range [][]byte{packedProfile(t, large(300).process(1)), packedProfile(t, small()), without(t, small(), 4), without(t, small(), 5)} {
		var all [2]string
		var sizes [2]int
		for i := range all {
			m := must.Get(read(profile.Options{Leaves: i > 0}, data, data))(t)
			contexts := m.Dict().Contexts()
			for _, e := range tracertest.Events(t, m, tracer.Kinds(tracer.Sample)) {
				all[i] += fmt.Sprintln(e.PE, m.Dict().Code(contexts[e.Ref].Code), m.Dict().Code(e.Code).Name, e.Value)
			}
			meta := m.Meta()
			all[i] += meta.Missing()
			sizes[i] = len(contexts)
		}
		if all[0] != all[1] || k == 0 && sizes[1] >= sizes[0] {
			t.Errorf("%d and %d contexts, with callers\n%swithout\n%s", sizes[0], sizes[1], all[0], all[1])
		}
	}
}

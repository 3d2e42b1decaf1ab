//go:build !js

package hpctoolkit

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer/derive/callingcontext"
	"whorl/tracer/formats/profile"
)

// pingPong is a recorded experiment.xml with made metric-db files of two ranks: context n spent n us on the first rank and 2n us on the second.
func pingPong(t testing.TB) map[string][]byte {
	text := must.Get(os.ReadFile("../../../testdata/profiles/ping-pong/experiment.xml"))(t)
	files := map[string][]byte{"pp/experiment.xml": text}
	for rank := range 2 {
		f := &bytes.Buffer{}
		f.WriteString(metricMagic + "00.10b")
		const rows = 130
		_ = binary.Write(f, binary.BigEndian, []uint32{rows, 2})
		for row := range rows {
			// Columns of exclusive and inclusive values, in seconds.
			_ = binary.Write(f, binary.BigEndian, []float64{0, float64(row+1) * float64(rank+1) * 1e-6})
		}
		files[fmt.Sprintf("pp/ping-pong-%06d-000-a8c0-4711-0.metric-db", rank)] = f.Bytes()
	}
	return files
}

func TestOld(t *testing.T) {
	m := must.Get(read(profile.Options{}, pingPong(t)))(t)
	var who []string
	for _, p := range m.Meta().PEInfo {
		who = append(who, p.Host+"/"+p.Process+"/"+p.Thread)
	}
	if want := []string{"node a8c0/rank 0/", "node a8c0/rank 1/"}; !slices.Equal(who, want) {
		t.Errorf("processors %q, want %q", who, want)
	}
	tree := must.Get(callingcontext.Grow(m, nil, nil, nil))(t)
	// Contexts 1 and 2 are the roots, so their inclusive values are the total.
	total := tree.Values(callingcontext.Root, 0, true, nil)
	if !slices.Equal(total, []int64{3000, 6000}) {
		t.Errorf("totals %d ns", total)
	}
	// The exclusive value of a function is its context number minus the numbers of the contexts it calls; its loops and lines cancel out. main is
	// context 3 and calls 96 and 70; 96 calls 99.
	got := values(t, m, "CPUTIME")
	for _, c := range []struct {
		path string
		n    int
	}{{"", 2 - 3}, {"/main", 3 - 96 - 70}, {"/main/PMPI_Send", 96 - 99}, {"/main/PMPI_Recv/MPID_Recv", 73}} {
		if want := fmt.Sprintf("<program root>%s [%d %d]", c.path, 1000*c.n, 2000*c.n); !slices.Contains(got, want) {
			t.Errorf("there is no %q in\n%s", want, strings.Join(got, "\n"))
		}
	}
	if s := m.Meta().Extra; len(s) != 1 || !strings.Contains(s[0].Value, "values of contexts missing from experiment.xml") {
		t.Errorf("missing %v", s)
	}
}

// TestRootOfOld checks that the total of a thread, in the row of the root, which is not in experiment.xml, is not taken for a lost value, and that
// another value of the row is.
func TestRootOfOld(t *testing.T) {
	for _, c := range []struct {
		share float64 // of the total
		want  string
	}{{1, ""}, {0.5, "1 value of contexts missing from experiment.xml"}} {
		files := pingPong(t)
		delete(files, "pp/ping-pong-000001-000-a8c0-4711-0.metric-db")
		data := files["pp/ping-pong-000000-000-a8c0-4711-0.metric-db"]
		rest := c.share * 3e-6
		for at := len(data) - 8; at > len(data)-130*16; at -= 16 { // the inclusive values
			row := (at - len(data) + 130*16) / 16
			if !regexp.MustCompile(fmt.Sprintf(`<(PF|Pr|P|L|C|S) [^>]*\bi="%d"`, row+1)).Match(files["pp/experiment.xml"]) {
				binary.BigEndian.PutUint64(data[at:], math.Float64bits(rest))
				rest = 0
			}
		}
		m := must.Get(read(profile.Options{}, files))(t)
		if meta := m.Meta(); meta.Missing() != c.want {
			t.Errorf("%v of the total: %q, want %q", c.share, meta.Missing(), c.want)
		}
	}
}

// TestSums checks that the sums in the tree are used if there are no metric-db files.
func TestSums(t *testing.T) {
	text := must.Get(os.ReadFile("../../../testdata/profiles/heat-experiment.xml"))(t)
	m := must.Get(read(profile.Options{}, map[string][]byte{"experiment.xml": text}))(t)
	if got, want := values(t, m, "CPUTIME"), []string{"main [100000]", "main/sweep [1000000]", "main/sweep/std::sqrt<double> [400000]"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func FuzzOld(f *testing.F) {
	files := pingPong(f)
	text := files["pp/experiment.xml"]
	f.Add(text, files["pp/ping-pong-000000-000-a8c0-4711-0.metric-db"])
	if b, err := os.ReadFile("../../../testdata/profiles/heat-experiment.xml"); err == nil {
		f.Add(b, []byte{})
	}
	f.Fuzz(func(t *testing.T, text, values []byte) {
		Detect(text)
		_, _ = read(profile.Options{}, map[string][]byte{"experiment.xml": text, "a-000001-000-0-0-0.metric-db": values})
		_, _ = read(profile.Options{}, map[string][]byte{"experiment.xml": text})
	})
}

package radial

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whorl/testdata/must"
)

var update = flag.Bool("update", false, "write the golden files anew")

// quickSort is the tree of Figure 8: query, qsort/3, and below it C (a chain of part), D (qsort of [1]) and E (qsort of [4,5,3]).
const quickSort = "A(B(C(C1(C2(C3(C4)))) D(D1 D2 D3) E(J(J1(J2)) K(K1 K2 K3) L(L1 L2 L3))))"

// dump returns a layout as text.
func dump(l *Layout, names []string, distance float64) string {
	w := Weights(l.Tree, l.Height)
	var b strings.Builder
	fmt.Fprintf(&b, "%-4s %5s %6s %8s %8s %8s %8s\n", "node", "level", "weight", "start", "sweep", "x", "y")
	for i := range l.Len() {
		s, a := l.Sector(int32(i))
		x, y := l.Position(int32(i), distance)
		fmt.Fprintf(&b, "%-4s %5d %6d %8.3f %8.3f %8.2f %8.2f\n", names[i], l.Level.At(i), w[i], s, a, clean(x), clean(y))
	}
	return b.String()
}

// clean maps -0.00 to 0.00.
func clean(f float64) float64 {
	if math.Abs(f) < 0.005 {
		return 0
	}
	return f
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		must.Do(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want := must.Get(os.ReadFile(path))(t)
	if got != string(want) {
		t.Errorf("%s: got\n%swant\n%s", name, got, want)
	}
}

func find(t *testing.T, names []string, name string) int32 {
	t.Helper()
	for i, n := range names {
		if n == name {
			return int32(i)
		}
	}
	t.Fatalf("no node %s", name)
	return -1
}

func TestQuickSort(t *testing.T) {
	tree, names := plant(quickSort)
	l := New(tree)
	if tree.Len() != 23 || l.Height != 6 || l.Center != 0 {
		t.Fatalf("%d nodes, height %d, center %d; want 23, 6 and 0", tree.Len(), l.Height, l.Center)
	}
	for _, c := range []struct {
		name         string
		weight       int64
		start, sweep float64
	}{
		{"B", 78, 0, 360},
		{"C", 15, 0, 75},
		{"D", 17, 75, 85},
		{"E", 40, 160, 200},
		{"J", 9, 160, 9.0 / 35 * 200},
		{"K", 13, 160 + 9.0/35*200, 13.0 / 35 * 200},
		{"L", 13, 160 + 22.0/35*200, 13.0 / 35 * 200},
	} {
		i := find(t, names, c.name)
		s, a := l.Sector(i)
		w := l.Weight(i)
		if w != c.weight || math.Abs(s-c.start) > 1e-6 || math.Abs(a-c.sweep) > 1e-6 {
			t.Errorf("%s: weight %d start %v sweep %v; want %d %v %v", c.name, w, s, a, c.weight, c.start, c.sweep)
		}
	}
	if _, a := l.Sector(find(t, names, "J")); fmt.Sprintf("%.2f", a) != "51.43" {
		t.Errorf("sweep of J is %.2f, want 51.43", a)
	}
	golden(t, "quicksort.txt", dump(l, names, 10))
}

// TestQuickSortPerturbed checks that exchanging the first two children, or adding a node, changes the sectors.
func TestQuickSortPerturbed(t *testing.T) {
	tree, names := plant("A(B(D(D1 D2 D3) C(C1(C2(C3(C4)))) E(J(J1(J2)) K(K1 K2 K3) L(L1 L2 L3))))")
	l := New(tree)
	if s, a := l.Sector(find(t, names, "C")); math.Abs(s-85) > 1e-6 || math.Abs(a-75) > 1e-6 {
		t.Errorf("C after D: start %v sweep %v, want 85 and 75", s, a)
	}
	tree, names = plant("A(B(C(C1(C2(C3(C4(C5))))) D(D1 D2 D3) E(J(J1(J2)) K(K1 K2 K3) L(L1 L2 L3))))")
	w := Weights(tree, tree.Height())
	// Height 7: C 6+5+4+3+2+1 = 21, D 6+3*5 = 21, J 5+4+3 = 12, K 5+3*4 = 17, E 6+12+17+17 = 52, B 7+21+21+52 = 101.
	for _, c := range []struct {
		name string
		want int64
	}{{"B", 101}, {"C", 21}, {"D", 21}, {"E", 52}, {"J", 12}, {"K", 17}} {
		if got := w[find(t, names, c.name)]; got != c.want {
			t.Errorf("with a node more, %s weighs %d, want %d", c.name, got, c.want)
		}
	}
}

func TestQuickSortCondensed(t *testing.T) {
	tree, names := plant(quickSort)
	c := Fit(24, 4, tree.Height(), tree.Center()) // h_max 3, so c = 2 throughout
	if c.C0 != 2 || c.Threshold < 6 || !c.Needed() {
		t.Fatalf("%+v: want the ratio 2 at every level", c)
	}
	got := Condense(tree, c)
	if got.Len() != 13 {
		t.Errorf("%d nodes left, want 13", got.Len())
	}
	left := make([]string, got.Len())
	for i := range got.Len() {
		f := got.Original(int32(i))
		left[i] = names[f]
		if tree.Level.At(int(f))%2 != 0 {
			t.Errorf("%s of level %d is left", names[f], tree.Level.At(int(f)))
		}
	}
	if err := got.Check(); err != nil {
		t.Error(err)
	}
	golden(t, "quicksort-condensed.txt", dump(New(got.Tree), left, 10))
	// Figure 9: M, reduction (0,5), hangs from C.
	if p := got.Parent[find(t, left, "C2")]; left[p] != "C" {
		t.Errorf("C2 hangs from %s, want C", left[p])
	}
	if i := got.Find(tree, find(t, names, "K")); left[i] != "E" {
		t.Errorf("%s stands for K, want E", left[i])
	}
}

func TestForestGolden(t *testing.T) {
	tree, names := plant("A(a b(c)) B C(d(e f))")
	golden(t, "forest.txt", dump(New(tree), names, 10))
}

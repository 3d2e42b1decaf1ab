package sim

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
)

// Distances computed by hand: row a, column b.
var matrices = []struct {
	network string
	rows    []string
}{
	{"bus", []string{"011", "101", "110"}},
	{"all", []string{"0111", "1011", "1101", "1110"}},
	{"ring", []string{"01221", "10122", "21012", "22101", "12210"}},
	{"ring", []string{"012321", "101232", "210123", "321012", "232101", "123210"}},
	// 0 1 2
	// 3 4 5
	{"mesh2d", []string{"012123", "101212", "210321", "123012", "212101", "321210"}},
	// 0 1 2
	// 3 4 .   5 is a prime: a square of 3, its last row not full
	{"mesh2d", []string{"01212", "10121", "21032", "12301", "21210"}},
	// 0 1    4 5
	// 2 3    6 7   behind
	{"mesh3d", []string{"01121223", "10212132", "12012312", "21103221", "12230112", "21321021", "23121201", "32212110"}},
	// 0 1 2
	// 3 4 5
	// 6 7 8   any two in a row or column are neighbours
	{"torus2d", []string{"011122122", "101212212", "110221221", "122011122", "212101212", "221110221", "122122011", "212212101", "221221110"}},
	// 0 1 2 3
	// 4 5 6 7
	{"torus2d", []string{"01211232", "10122123", "21013212", "12102321", "12320121", "21231012", "32122101", "23211210"}},
	// 0 1    4 .
	// 2 3    . .   5 PEs in a cube of 2
	{"torus3d", []string{"01121", "10212", "12012", "21103", "12230"}},
	{"hypercube", []string{"01121223", "10212132", "12012312", "21103221", "12230112", "21321021", "23121201", "32212110"}},
	// the first 6 corners of the same cube
	{"hypercube", []string{"011212", "102121", "120123", "211032", "122301", "213210"}},
	// 0 1 2 3 at one switch
	{"fattree", []string{"0111", "1011", "1101", "1110"}},
	// 0 1 2 | 3 4 at two switches under a third
	{"fattree", []string{"01133", "10133", "11033", "33301", "33310"}},
}

func TestDistancesByHand(t *testing.T) {
	for _, c := range matrices {
		rows := c.rows
		n := must.Get(NetworkNamed(c.network, len(rows)))(t)
		for a, row := range rows {
			for b := range row {
				if got, want := n.Distance(a, b), int(row[b]-'0'); got != want {
					t.Errorf("%s of %d: from %d to %d %d hops, want %d", c.network, len(rows), a, b, got, want)
				}
			}
		}
	}
}

func TestNetworksAreMetrics(t *testing.T) {
	for _, kind := range Networks {
		t.Run(kind.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				pes := rapid.OneOf(rapid.IntRange(1, 70), rapid.IntRange(71, MaxPEs)).Draw(t, "PEs")
				n := kind.New(pes)
				one := rapid.IntRange(0, pes-1)
				a, b, c := one.Draw(t, "a"), one.Draw(t, "b"), one.Draw(t, "c")
				ab := n.Distance(a, b)
				if ab != n.Distance(b, a) {
					t.Fatalf("from %d to %d %d hops, back %d", a, b, ab, n.Distance(b, a))
				}
				if (ab == 0) != (a == b) || ab < 0 {
					t.Fatalf("from %d to %d %d hops", a, b, ab)
				}
				if ac, cb := n.Distance(a, c), n.Distance(c, b); ab > ac+cb {
					t.Fatalf("from %d to %d %d hops, by %d only %d + %d", a, b, ab, c, ac, cb)
				}
				s := &Self{PE: int32(a), Rand: NewRand(1, 1)}
				k := 0
				for ; ; k++ {
					q := n.Near(s, k)
					if q < 0 {
						break
					}
					if q >= pes || n.Distance(a, q) != 1 {
						t.Fatalf("neighbour %d of %d is %d hops away", q, a, n.Distance(a, q))
					}
				}
				if k == 0 && pes > 1 {
					t.Fatalf("PE %d of %d has no neighbour", a, pes)
				}
			})
		})
	}
}

// Outward visits every other PE once, nearest first, and the neighbours are the PEs at distance 1.
func TestOutward(t *testing.T) {
	for _, kind := range Networks {
		for _, pes := range []int{1, 2, 3, 5, 6, 7, 8, 9, 12, 16, 17, 27, 30, 61, 64, 100, 125, 343} {
			n := kind.New(pes)
			for pe := 0; pe < pes; pe += 1 + pes/16 {
				seen := make([]bool, pes)
				var near []int
				var cursor uint64
				last, count := 0, 0
				for q := n.Outward(pe, &cursor); q >= 0; q = n.Outward(pe, &cursor) {
					d := n.Distance(pe, q)
					if d < last || q == pe || seen[q] {
						t.Fatalf("%s of %d: from %d, %d at distance %d after %d (seen %v)", kind.Name, pes, pe, q, d, last, seen[q])
					}
					last, seen[q] = d, true
					if d == 1 {
						near = append(near, q)
					}
					count++
				}
				if count != pes-1 {
					t.Fatalf("%s of %d: from %d visits %d others", kind.Name, pes, pe, count)
				}
				if n.Outward(pe, &cursor) != -1 {
					t.Fatalf("%s of %d: the iteration continues after its end", kind.Name, pes)
				}
				if kind.Name == "bus" || kind.Name == "all" {
					continue
				}
				for k, want := range near {
					if got := n.Near(&Self{PE: int32(pe)}, k); got != want {
						t.Fatalf("%s of %d: neighbour %d of %d is %d, want %d", kind.Name, pes, k, pe, got, want)
					}
				}
			}
		}
	}
}

func TestShapes(t *testing.T) {
	for _, c := range []struct{ pes, w, h, bw, bh, bd int }{
		{1, 1, 1, 1, 1, 1},
		{2, 2, 1, 2, 1, 1},
		{5, 3, 2, 2, 2, 2},
		{8, 4, 2, 2, 2, 2},
		{12, 4, 3, 3, 2, 2},
		{16, 4, 4, 4, 2, 2},
		{17, 5, 4, 3, 3, 2},
		{27, 6, 5, 3, 3, 3},
		{64, 8, 8, 4, 4, 4},
		{4096, 64, 64, 16, 16, 16},
		{1 << 20, 1024, 1024, 128, 128, 64},
	} {
		if w, h := rectangle(c.pes); w != c.w || h != c.h {
			t.Errorf("rectangle of %d is %d x %d, want %d x %d", c.pes, w, h, c.w, c.h)
		}
		if w, h, d := box(c.pes); w != c.bw || h != c.bh || d != c.bd {
			t.Errorf("box of %d is %d x %d x %d, want %d x %d x %d", c.pes, w, h, d, c.bw, c.bh, c.bd)
		}
	}
	for pes := 1; pes < 3000; pes++ {
		if w, h := rectangle(pes); w*h < pes || w*(h-1) >= pes || w > 2*h && pes > 2 || h > 2*w {
			t.Errorf("rectangle of %d is %d x %d", pes, w, h)
		}
		if w, h, d := box(pes); w*h*d < pes || w*h*(d-1) >= pes || max(w, h, d) > 3*min(w, h, d) {
			t.Errorf("box of %d is %d x %d x %d", pes, w, h, d)
		}
	}
}

func TestCoords(t *testing.T) {
	for _, c := range []struct {
		network string
		pes, pe int
		want    []int32
	}{
		{"bus", 4, 3, nil},
		{"all", 4, 3, nil},
		{"ring", 5, 3, []int32{3}},
		{"mesh2d", 6, 4, []int32{1, 1}},
		{"torus3d", 27, 14, []int32{2, 1, 1}},
		{"hypercube", 8, 6, []int32{0, 1, 1}},
		{"fattree", 5, 4, []int32{1, 1}},
	} {
		n := must.Get(NetworkNamed(c.network, c.pes))(t)
		if got := n.Coords(c.pe); !slices.Equal(got, c.want) {
			t.Errorf("%s of %d: PE %d is at %v, want %v", c.network, c.pes, c.pe, got, c.want)
		}
	}
}

func TestUnknownNetwork(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"torus", `did you mean torus2d or torus3d?`},
		{"hypercub", `did you mean hypercube?`},
		{"mseh2d", `did you mean mesh2d or mesh3d?`},
		{"butterfly", `known are bus, all, ring, mesh2d, mesh3d, torus2d, torus3d, hypercube, fattree`},
	} {
		if _, err := NetworkNamed(c.name, 4); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("network %q: error %v, want %s", c.name, err, c.want)
		}
	}
	for _, pes := range []int{0, -1, MaxPEs + 1} {
		if _, err := NetworkNamed("ring", pes); err == nil {
			t.Errorf("a ring of %d PEs", pes)
		}
	}
}

package kinds

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer/derive/callingcontext"
)

// tree returns the tree of processes with values in sibling contexts: values[process][context].
func tree(values [][]int64) *callingcontext.Tree {
	m := callingcontext.NewMerger()
	metric := m.Metric(callingcontext.Metric{Name: "ticks", Unit: "ticks", Scale: 1})
	for _, row := range values {
		p := m.Process(callingcontext.Process{})
		for c, v := range row {
			m.Add(p, m.Call(callingcontext.Root, uint32(c+1)), metric, v)
		}
	}
	return m.Tree()
}

func find(t testing.TB, values [][]int64, kinds int) *Kinds {
	t.Helper()
	return must.Get(Find(tree(values), 0, kinds, nil))(t)
}

// members formats the members of all kinds.
func members(k *Kinds) string {
	var out [][]int32
	for _, x := range k.All {
		out = append(out, x.Members)
	}
	return fmt.Sprint(out)
}

func TestKinds(t *testing.T) {
	for _, c := range []struct {
		name   string
		values [][]int64
		kinds  int
		want   string
	}{
		{"no processes", nil, 0, "[]"},
		{"one", [][]int64{{5}}, 0, "[[0]]"},
		{"no values", [][]int64{{0}, {0}}, 0, "[[0 1]]"},
		{"equal", [][]int64{{5, 5}, {5, 5}, {5, 5}}, 3, "[[0 1 2]]"},
		{"noise", [][]int64{{500, 500}, {501, 500}, {500, 500}, {501, 500}}, 0, "[[0 1 2 3]]"},
		{"two kinds", [][]int64{{500, 500}, {900, 100}, {501, 499}, {899, 101}, {500, 500}}, 0, "[[0 2 4] [1 3]]"},
		{"a continuum", [][]int64{{10, 90}, {20, 80}, {30, 70}, {40, 60}, {50, 50}, {60, 40}, {70, 30}, {80, 20}}, 0, "[[0 1 2 3 4 5 6 7]]"},
		{"a continuum in two kinds", [][]int64{{20, 80}, {30, 70}, {40, 60}, {50, 50}, {60, 40}, {70, 30}}, 2, "[[0 1 2] [3 4 5]]"},
		{"an outlier", [][]int64{{10, 90}, {10, 90}, {11, 89}, {10, 91}, {90, 10}}, 0, "[[0 1 2 3] [4]]"},
	} {
		if got := members(find(t, c.values, c.kinds)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// apart returns the Euclidean distance of two processes by their values.
func apart(values [][]int64, a, b int32) float64 {
	all := 0.0
	for _, row := range values {
		for _, v := range row {
			all += math.Abs(float64(v)) / float64(len(values))
		}
	}
	sum := 0.0
	for c := range values[a] {
		d := float64(values[a][c]-values[b][c]) / all
		sum += d * d
	}
	return math.Sqrt(sum)
}

// TestMedoids checks that each process is in the kind of the nearest medoid, that no exchange of one medoid reduces the sum of distances, and
// that the silhouette follows its definition.
func TestMedoids(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, dims := rapid.IntRange(1, 12).Draw(t, "processes"), rapid.IntRange(1, 3).Draw(t, "contexts")
		values := make([][]int64, n)
		for p := range values {
			for range dims {
				values[p] = append(values[p], int64(rapid.IntRange(1, 50).Draw(t, "value")))
			}
		}
		k := must.Get(Find(tree(values), 0, rapid.IntRange(1, 4).Draw(t, "kinds"), nil))(t)
		cost := func(at []int32) (sum float64) {
			for p := range int32(n) {
				least := math.Inf(1)
				for _, m := range at {
					least = min(least, apart(values, p, m))
				}
				sum += least
			}
			return sum
		}
		var at []int32
		total := 0
		for i, x := range k.All {
			at = append(at, x.Medoid)
			total += len(x.Members)
			if !slices.Contains(x.Members, x.Medoid) || i > 0 && len(x.Members) > len(k.All[i-1].Members) {
				t.Fatalf("%+v", k.All)
			}
			for _, p := range x.Members {
				if k.KindOf[p] != int32(i) {
					t.Fatalf("process %d has kind %d and is a member of kind %d", p, k.KindOf[p], i)
				}
			}
		}
		if total != n {
			t.Fatalf("%d of %d processes", total, n)
		}
		for p := range int32(n) {
			for _, m := range at {
				if apart(values, p, m) < apart(values, p, k.All[k.KindOf[p]].Medoid)-1e-9 {
					t.Fatalf("process %d is nearer to %d", p, m)
				}
			}
		}
		for i, was := range at {
			for p := range int32(n) {
				at[i] = p
				if cost(at) < cost(medoidsOf(k))-1e-6 {
					t.Fatalf("%d instead of %d is better", p, was)
				}
			}
			at[i] = was
		}
		if got, want := k.Silhouette, silhouette(values, k); math.Abs(got-want) > 1e-9 {
			t.Fatalf("silhouette %v, want %v", got, want)
		}
	})
}

func medoidsOf(k *Kinds) (at []int32) {
	for _, x := range k.All {
		at = append(at, x.Medoid)
	}
	return at
}

func silhouette(values [][]int64, k *Kinds) (sum float64) {
	if len(k.All) < 2 {
		return 0
	}
	for p := range int32(len(values)) {
		own, next := 0.0, math.Inf(1)
		for i, x := range k.All {
			far := 0.0
			for _, q := range x.Members {
				far += apart(values, p, q)
			}
			if int32(i) != k.KindOf[p] {
				next = min(next, far/float64(len(x.Members)))
			} else if len(x.Members) > 1 {
				own = far / float64(len(x.Members)-1)
			} else {
				own = math.Inf(1)
			}
		}
		if !math.IsInf(own, 1) && max(own, next) > 0 {
			sum += (next - own) / max(own, next) / float64(len(values))
		}
	}
	return sum
}

// planted returns n processes of three kinds and an outlier, in any order, and the kind of each.
func planted(n, contexts int, random *rand.Rand) (values [][]int64, of []int) {
	for p := range n {
		kind := p % 10 / 4 // 4, 4 and 2 of 10
		if p == n/2 {
			kind = 3
		}
		row := make([]int64, contexts)
		for c := range row {
			row[c] = 1000 + random.Int64N(60)
		}
		row[kind] += 800 * int64(contexts)
		values, of = append(values, row), append(of, kind)
	}
	random.Shuffle(n, func(i, j int) {
		values[i], values[j] = values[j], values[i]
		of[i], of[j] = of[j], of[i]
	})
	return values, of
}

// TestPlanted checks that planted kinds are found among more processes than leaders, and that the outlier is a kind of its own.
func TestPlanted(t *testing.T) {
	for seed := range uint64(3) {
		values, of := planted(1200, 12, rand.New(rand.NewPCG(seed, 1)))
		k := find(t, values, 0)
		if len(k.All) != 4 || len(k.All[3].Members) != 1 || k.Silhouette < 0.9 {
			t.Fatalf("%d kinds, silhouette %v", len(k.All), k.Silhouette)
		}
		of4 := map[int32]int{}
		for p, kind := range of {
			if want, ok := of4[k.KindOf[p]]; ok && want != kind {
				t.Fatalf("process %d has kind %d, want %d", p, kind, want)
			}
			of4[k.KindOf[p]] = kind
		}
		if again := find(t, values, 0); members(again) != members(k) {
			t.Error("a second call gives another result")
		}
		// Control: values shuffled among the processes, for each context, form no kinds.
		random := rand.New(rand.NewPCG(seed, 2))
		for c := range values[0] {
			random.Shuffle(len(values), func(i, j int) { values[i][c], values[j][c] = values[j][c], values[i][c] })
		}
		if k := find(t, values, 0); slices.EqualFunc(k.All, []int{480, 479, 240, 1}, func(x Kind, n int) bool { return len(x.Members) == n }) {
			t.Error("shuffled values form the same kinds")
		}
	}
}

func TestStops(t *testing.T) {
	values, _ := planted(40, 5, rand.New(rand.NewPCG(1, 1)))
	calls := 0
	stop := errors.New("stop")
	if _, err := Find(tree(values), 0, 0, func(int64, int64) error {
		if calls++; calls == 3 {
			return stop
		}
		return nil
	}); !errors.Is(err, stop) {
		t.Errorf("%v", err)
	}
}

// TestStopsAnywhere checks that an error of tick ends the work for any number of kinds, and that each round of exchanges calls tick.
func TestStopsAnywhere(t *testing.T) {
	values, _ := planted(300, 12, rand.New(rand.NewPCG(3, 1)))
	const kinds = 20
	total, rounds := 0, 0
	if _, err := Find(tree(values), 0, kinds, func(done, all int64) error {
		total++
		if done == 1 && all == 1 {
			rounds++
		}
		return nil
	}); err != nil || rounds < 300+(kinds-1)*300/64 {
		t.Errorf("%d ticks, %d of them during the search for medoids: %v", total, rounds, err)
	}
	stop := errors.New("stop")
	for at := 1; at <= total; at += 1 + total/12 {
		calls := 0
		if _, err := Find(tree(values), 0, kinds, func(int64, int64) error {
			if calls++; calls >= at {
				return stop
			}
			return nil
		}); !errors.Is(err, stop) || calls != at {
			t.Errorf("stopped at tick %d: %v after %d", at, err, calls)
		}
	}
}

// 10,000 processes, each in 200 of 10,000 contexts.
func BenchmarkKinds(b *testing.B) {
	const processes, contexts, each = 10_000, 10_000, 200
	random := rand.New(rand.NewPCG(1, 1))
	m := callingcontext.NewMerger()
	metric := m.Metric(callingcontext.Metric{Name: "ticks"})
	for range processes {
		p := m.Process(callingcontext.Process{})
		for c := range each {
			m.Add(p, m.Call(callingcontext.Root, uint32(1+c*50+random.IntN(50))), metric, 100+random.Int64N(10)+1000*int64(int(p)%5*(c%2)))
		}
	}
	t := m.Tree()
	for b.Loop() {
		if k, err := Find(t, metric, 0, nil); err != nil || len(k.KindOf) != processes {
			b.Fatal(err)
		}
	}
}

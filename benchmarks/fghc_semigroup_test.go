package benchmarks

import (
	"testing"

	"whorl/tracer"
	"whorl/tracer/testdata/tracertest"
)

// semigroupCounts multiplies and looks up in the order of the program, which is the order in which closure finds the members.
func semigroupCounts(p []int64) map[string]int {
	k, w := int(p[0]), int(p[1])
	gens := vectors(k, w)
	m := map[string]int{"go/3": 1, "generators/6": k + 1, "generator/6": k * (w + 1), "element/3": k * w}
	type node struct {
		key         int
		v           string
		left, right *node
	}
	var root *node
	name := func(v []unit) (s string) {
		for _, u := range v {
			s += string(rune('0' + u.code()))
		}
		return s
	}
	sift := func(candidates [][]unit) (found [][]unit) {
		m["sift/4"] += len(candidates) + 1
		m["keep/4"] += len(candidates)
	next:
		for _, v := range candidates {
			link := &root
			for m["insert/5"]++; *link != nil; m["insert/5"]++ {
				switch n := *link; {
				case n.v == name(v):
					continue next
				case key(v) < n.key:
					link = &n.left
				default:
					link = &n.right
				}
			}
			*link = &node{key: key(v), v: name(v)}
			found = append(found, v)
		}
		return found
	}
	members := 0
	for found := sift(gens); ; {
		m["rounds/4"]++
		if len(found) == 0 {
			break
		}
		members += len(found)
		m["products/4"] += len(found) + 1
		m["multiply/4"] += len(found) * (k + 1)
		m["mul/5"] += len(found) * k * (w + 1)
		var candidates [][]unit
		for _, v := range found {
			for _, g := range gens {
				candidates = append(candidates, times(v, g))
			}
		}
		found = sift(candidates)
	}
	m["census/3"] = 2*members + 1
	return m
}

// TestFreeSemigroups checks what the sizes of the program mean: with 4^k coordinates the generators take all combinations of values other than
// 0, and that is enough, because with the 5^k coordinates that include 0 they generate the same number of members.
func TestFreeSemigroups(t *testing.T) {
	for k, want := range []int{0, 2, 15, 154} {
		all := make([][]unit, k)
		for j := range all {
			for i, digit := int64(0), power(5, int64(j)); i < power(5, int64(k)); i++ {
				var u unit
				if d := i / digit % 5; d < 4 {
					u[d>>1][d&1] = 1
				}
				all[j] = append(all[j], u)
			}
		}
		if n, m := len(closure(vectors(k, int(power(4, int64(k)))))), len(closure(all)); n != want || m != want {
			t.Errorf("%d generators: %d members, %d with zeros; expected %d", k, n, m, want)
		}
	}
	collisions := map[int]int{}
	for _, v := range closure(vectors(3, 64)) {
		collisions[key(v)]++
	}
	if len(collisions) == 154 {
		t.Error("all keys differ, so that collisions are not tested")
	}
}

// TestSpokes checks an observation of the paper about the semigroup (VISTA, section 4.2): a PE that starts a product finishes it without
// waiting. Under a policy that sends every goal to another PE this does not hold.
func TestSpokes(t *testing.T) {
	stays := func(policyName string) (float64, run) {
		r := start(t, semigroup, []int64{3, 16}, 5, policyName)
		same, all := 0, 0
		for _, e := range tracertest.Events(t, r.trace, tracer.Kinds(tracer.Reduce)) {
			if r.trace.Dict().Code(e.Code).Name == "mul/5" {
				if all++; e.Peer == e.PE {
					same++
				}
			}
		}
		return float64(same) / float64(all), r
	}
	share, r := stays("on-demand")
	if share < 0.95 || r.suspended["mul/5"] != 0 {
		t.Errorf("%.3f of the steps of products stay on their PE, %d wait", share, r.suspended["mul/5"])
	}
	if r.suspended["insert/5"] == 0 {
		t.Error("no lookup waits")
	}
	if share, _ := stays("random"); share > 0.05 {
		t.Errorf("%.3f of the steps stay although every goal is sent away", share)
	}
}

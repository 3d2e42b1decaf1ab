package spans_test

import (
	"fmt"
	"strings"
	"testing"

	"whorl/tracer/derive/clocks"
	"whorl/tracer/formats/spans/testdata/requests"
)

// offsets returns the corrections of clocks in the metadata, with their errors, by host.
func offsets(t *testing.T, all []*requests.Span) map[string][2]int64 {
	t.Helper()
	meta := ofZipkin.trace(t, requests.Zipkin(all)).Meta()
	found := map[string][2]int64{}
	for _, kv := range meta.Extra {
		if host, ok := strings.CutPrefix(kv.Key, clocks.Key); ok {
			var by, bound int64
			var drift float64
			if _, err := fmt.Sscanf(kv.Value, "%d ns and %g ppm, to within %d ns", &by, &drift, &bound); err != nil {
				t.Errorf("%s: %q", kv.Key, kv.Value)
			}
			found[host] = [2]int64{by, bound}
		}
	}
	return found
}

// TestSkew compares the corrections of clocks with the true ones, although some spans outlive their parents.
func TestSkew(t *testing.T) {
	for seed := range uint64(4) {
		all := requests.Make(seed, requests.Options{Requests: 150, Depth: 4, Skew: 50_000})
		behind := map[string]int64{}
		for _, s := range all {
			behind[s.Instance.Host] = s.Instance.Behind * 1000
		}
		late := 0
		for _, s := range all {
			for _, k := range s.Children {
				if k.Kind == "server" && k.End-k.Start > 5 && len(k.Children) == 0 && seed%2 == 0 && late < 20 {
					late++
					s.End = s.Start + (k.End-k.Start)/2 // it gave up
				}
			}
		}
		found := offsets(t, all)
		if len(found) != len(behind)-1 {
			t.Errorf("seed %d: %d of %d clocks are corrected", seed, len(found), len(behind))
		}
		reference := ""
		for _, s := range all {
			if _, ok := found[s.Instance.Host]; !ok {
				reference = s.Instance.Host
			}
		}
		for host, x := range found {
			if off := x[0] - (behind[host] - behind[reference]); max(off, -off) > x[1]+1000 {
				t.Errorf("seed %d: the clock of %s is corrected by %d ns, to within %d ns; it is %d ns behind that of %s", seed, host, x[0], x[1], behind[host]-behind[reference], reference)
			}
		}
	}
}

// TestEven checks that clocks that agree keep their times, although some spans outlive their parents.
func TestEven(t *testing.T) {
	for seed := range uint64(4) {
		all := requests.Make(seed, requests.Options{Requests: 150, Depth: 4})
		n := 0
		for _, s := range all {
			if s.Kind == "client" && s.End-s.Start > 100 {
				if n++; n%50 == 0 {
					s.End = s.Start + (s.End-s.Start)*3/4 // it gave up
				}
			}
		}
		if found := offsets(t, all); len(found) > 0 {
			t.Errorf("seed %d: clocks are corrected: %v", seed, found)
		}
	}
}

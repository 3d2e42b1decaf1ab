package views

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"whorl/experiment"
	"whorl/tracer"
	"whorl/tracer/store"
	"whorl/tracer/testdata/onwardtest"
	"whorl/visual/glyph"
	"whorl/visual/view"
	"whorl/visual/view/page"
)

// TestGrowingTraces cuts runs of real programs at random places and draws each prefix in each view, once with stages that continue from the
// previous prefix and once with new stages. The pictures must be identical.
func TestGrowingTraces(t *testing.T) {
	text := glyph.New()
	for _, program := range []string{"fghc/qsort", "fghc/primes", "fghc/life", "dts/quicksort"} {
		r := experiment.Defaults(program)
		r.Args = map[string][]string{"fghc/qsort": {"40"}, "fghc/primes": {"40"}, "fghc/life": {"4", "3"}, "dts/quicksort": {"2000"}}[program]
		r.Network = "mesh2d"
		p, err := r.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		trace := tracer.NewMemory()
		if _, err := p.Run(context.Background(), trace, nil); err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, c := range trace.Counts() {
			n += int(c)
		}
		var cuts []int
		for range 4 {
			cuts = append(cuts, rand.IntN(n))
		}
		var data *view.Data
		open := map[string]*view.Opened{}
		onwardtest.Replay(t, trace, cuts, func(n int, now *store.File) {
			if data == nil {
				data = view.NewData(now)
			} else {
				data.SetTrace(now)
			}
			for _, k := range All {
				if k.CanOpen(now) != nil {
					continue
				}
				if open[k.Name] == nil {
					o, err := data.Open(k, text)
					if err != nil {
						t.Fatal(err)
					}
					for _, q := range k.Params {
						if q.Default == false { // show everything optional
							if err := o.Set(q.Name, "true"); err != nil {
								t.Fatal(err)
							}
						}
					}
					open[k.Name] = o
				}
				fresh, err := view.Open(k, now, text)
				if err != nil {
					t.Fatal(err)
				}
				for _, q := range k.Params {
					if q.Default == false {
						_ = fresh.Set(q.Name, "true")
					}
				}
				want := picture(t, fresh)
				if got := picture(t, open[k.Name]); got != want {
					t.Errorf("%s of %s after %d events: the picture of continued stages differs from that of new stages", k.Name, program, n)
				}
				fresh.Close()
			}
		})
		data.Close()
	}
}

func picture(t *testing.T, o *view.Opened) string {
	t.Helper()
	list, err := page.Shoot(context.Background(), o, 900, 600, page.Shot{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := list.Dump(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

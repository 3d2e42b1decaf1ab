package experiment

import (
	"slices"
	"testing"

	"whorl/testdata/must"
	"whorl/testdata/testenv"
)

// WhatIf ranks functions, waits and messages by what the program gains without them.
func TestWhatIf(t *testing.T) {
	testenv.Sequential(t)
	r := goalProgram(t, `num_ranks 2
rank 0 {
a: calc 1000
b: send 8b to 1
b requires a
}
rank 1 {
c: recv 8b from 0
d: calc 500
d requires c
}
`).Run("x.goal")
	r.Machine = "loggopsim:overhead=0ns:latency=0ns:gap=0ns:byte=0ns"
	var watched []int
	elapsed, gains, err := WhatIf(t.Context(), r, r.Recorded.Parts(5), func(over, all int) { watched = append(watched, over, all) })
	if err != nil || elapsed != 1500 || !slices.Equal(watched, []int{1, 2, 2, 2}) || len(gains) != 2 {
		t.Fatalf("%d ns, %d gains, %v, %v", elapsed, len(gains), watched, err)
	}
	calc, send := gains[0], gains[1]
	if calc.Kind != "function" || calc.Name != "calc" || calc.Work != 1500 || !slices.Equal(calc.Elapsed, []int64{1350, 1125, 750, 2}) || calc.Least != 2 {
		t.Errorf("%+v", calc)
	}
	if send.Kind != "message" || send.Name != "send" || send.Count != 1 || !slices.Equal(send.Elapsed, []int64{-1, -1, -1, 1000}) || send.Least != 1000 {
		t.Errorf("%+v", send)
	}
	if _, gains, err = WhatIf(t.Context(), r, r.Recorded.Parts(0), nil); err != nil || len(gains) != 1 {
		t.Errorf("without functions: %d gains, %v", len(gains), err)
	}
	r.Zero = []string{"sned"}
	if _, _, err := WhatIf(t.Context(), r, r.Recorded.Parts(5), nil); err == nil {
		t.Error("an unknown reason")
	}
	r.Zero = nil
	must.Do(t, r.Recorded.MeasureOwn(t.Context()))
	if r.Recorded.Own == 0 || !slices.Equal(r.Recorded.Functions, []string{"calc"}) {
		t.Errorf("own %d ns, functions %q", r.Recorded.Own, r.Recorded.Functions)
	}
}

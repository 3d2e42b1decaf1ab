package kaleidoscope

import (
	"fmt"
	"testing"
)

// TestTimeRange checks that with a range of twice the run's length the last node has the colour of the middle, and that the scale shows the
// range.
func TestTimeRange(t *testing.T) {
	src := bushy(400, 6, false)
	own, _ := shown(t, src, 300, "color", byTime)
	length := own.run.To - own.run.From
	last := 0
	for k, at := range own.time.All() {
		if at > own.time.At(last) {
			last = k
		}
	}
	if c := own.colours.class[last]; c != timeSteps-1 {
		t.Errorf("the last node has colour %d of its own time", c)
	}
	for _, c := range []struct {
		by   string
		want func(class uint8) bool
	}{
		{byTime, func(class uint8) bool { return class > timeSteps*2/5 && class <= timeSteps/2 }},
		{byPETime, func(class uint8) bool { return class%shadeSteps > shadeSteps*2/5 && class%shadeSteps <= shadeSteps/2 }},
	} {
		wide, _ := shown(t, src, 300, "color", c.by, "timerange", fmt.Sprint(2*length))
		if class := wide.colours.class[last]; !c.want(class) {
			t.Errorf("%s: the last node has colour %d of twice its time", c.by, class)
		}
		if got, want := wide.colours.legend.Ramp.Ticks, own.colours.legend.Ramp.Ticks; got[2] == want[2] || got[0][:1] != "0" {
			t.Errorf("%s: the scale shows %v, for its own time %v", c.by, got, want)
		}
	}
	// Nodes after a range shorter than the run have the last colour.
	narrow, _ := shown(t, src, 300, "color", byTime, "timerange", "1")
	if class := narrow.colours.class[last]; class != timeSteps-1 {
		t.Errorf("after the range the colour is %d", class)
	}
}

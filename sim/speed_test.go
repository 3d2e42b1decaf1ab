package sim_test

import (
	"strings"
	"testing"

	"whorl/sim"
)

func TestParseSpeed(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"big/4=2", "big/4=2"},
		{"a=b.hpf:17=0.25", "a=b.hpf:17=0.25"},
		{"big/4", "expected a part of the program and a factor"},
		{"=2", "expected a part"},
		{"big/4=0", "expected a factor from 0.001 to 1000"},
		{"big/4=-1", "expected a factor"},
		{"big/4=1e9", "expected a factor"},
		{"big/4=NaN", "expected a factor"},
		{"big/4=fast", `"fast": expected a factor`},
	} {
		s, err := sim.ParseSpeed(c.text)
		got := s.String()
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
	if _, err := sim.SpeedsOf([]sim.Speed{{Part: "bug/4", Factor: 2}}, []string{"go/2", "big/4", "big/4"}); err == nil || !strings.Contains(err.Error(), "did you mean big/4?") {
		t.Errorf("unknown part: %v", err)
	}
}

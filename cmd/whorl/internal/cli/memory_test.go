package cli

import "testing"

func TestExceeded(t *testing.T) {
	for _, c := range []struct {
		limit, most int64
		want        string
	}{
		{100 << 20, 0, "stopped; views that condense a trace while they read it: kaleidoscope"},
		{100 << 20, 200 << 20, "stopped, and at most 200 MiB"},
		{300 << 20, 200 << 20, "stopped; views that condense a trace while they read it: kaleidoscope"},
	} {
		m := &memoryLimit{bytes: c.limit}
		m.most.Store(c.most)
		if got := m.exceeded("stopped").Error(); got != c.want {
			t.Errorf("limit %d, most %d: %s, want %s", c.limit, c.most, got, c.want)
		}
	}
}

package callingcontext

import (
	"fmt"
	"strings"
	"testing"
)

// TestSelect checks the contexts and frames that are chosen.
func TestSelect(t *testing.T) {
	m := NewMerger()
	p, q := m.Process(Process{Name: "p"}), m.Process(Process{Name: "q"})
	ticks := m.Metric(Metric{Name: "ticks", Scale: 1})
	a := m.Call(Root, 1)
	ab := m.Call(a, 2)
	aba := m.Call(ab, 1)
	ac := m.Call(a, 3)
	for k, node := range []int32{a, ab, aba, ac} {
		m.Add(p, node, ticks, int64(k+1))
		m.Add(q, node, ticks, 10)
	}
	tree := m.Tree()
	is := func(codes ...uint32) func(uint32) bool {
		return func(code uint32) bool {
			for _, c := range codes {
				if c == code {
					return true
				}
			}
			return false
		}
	}
	for _, c := range []struct {
		by   Selection
		want string // exclusive values of both processes by path
	}{
		{Selection{}, "1:1,10 12:2,10 121:3,10 13:4,10"},
		{Selection{Focus: is(2)}, "1:0,0 12:2,10 121:3,10"},
		{Selection{Ignore: is(2)}, "1:1,10 13:4,10"},
		{Selection{Hide: is(2)}, "1:3,20 11:3,10 13:4,10"},
		{Selection{Hide: is(1)}, ":1,10 2:5,20 3:4,10"},
		{Selection{Show: is(2, 3)}, ":1,10 2:5,20 3:4,10"},
		{Selection{Focus: is(2), Hide: is(2, 3)}, "1:2,10 11:3,10"},
		{Selection{Focus: is(9)}, ""},
	} {
		s := tree.Select(c.by)
		var got []string
		for v := range int32(s.Nodes()) {
			path := ""
			for at := v; at > Root; at = s.Parent[at] {
				path = fmt.Sprint(s.Code[at]) + path
			}
			values := s.Values(v, 0, false, nil)
			if v == Root && values[0] == 0 && values[1] == 0 || s.Total(v, 0, true) == 0 {
				continue
			}
			got = append(got, fmt.Sprintf("%s:%d,%d", path, values[0], values[1]))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s, want %s", strings.Join(got, " "), c.want)
		}
		if len(s.Processes) != 2 || s.Processes[1].Name != "q" {
			t.Errorf("processes %v", s.Processes)
		}
	}
}

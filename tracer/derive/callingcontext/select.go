package callingcontext

// A Selection chooses contexts and frames by the codes of a tree, as the options of pprof do. A nil function chooses all, or hides none.
type Selection struct {
	Focus  func(code uint32) bool // contexts with such a frame on their path are kept
	Ignore func(code uint32) bool // contexts with such a frame on their path are not
	Show   func(code uint32) bool // other frames are left out of the paths
	Hide   func(code uint32) bool // such frames are left out of the paths
}

// Select returns the tree of the contexts that a selection keeps. The values of a frame that is left out belong to the frame that called it.
func (t *Tree) Select(s Selection) *Tree {
	m := NewMerger()
	m.dropped = t.Dropped
	for _, p := range t.Processes {
		m.Process(p)
	}
	for _, x := range t.Metrics {
		m.metrics, m.values = append(m.metrics, x), append(m.values, nil)
	}
	to := make([]int32, t.Nodes())
	focused, ignored := make([]bool, t.Nodes()), make([]bool, t.Nodes())
	focused[Root] = s.Focus == nil
	for v := range to {
		if v > 0 {
			up, code := t.Parent[v], t.Code[v]
			focused[v] = focused[up] || s.Focus(code)
			ignored[v] = ignored[up] || s.Ignore != nil && s.Ignore(code)
			if to[v] = to[up]; (s.Show == nil || s.Show(code)) && (s.Hide == nil || !s.Hide(code)) {
				to[v] = m.Call(to[up], code)
			}
		}
		if !focused[v] || ignored[v] {
			continue
		}
		for i := t.Start[v]; i < t.Start[v+1]; i++ {
			for metric := range t.Metrics {
				m.Add(t.Process[i], to[v], metric, t.Exclusive[metric][i])
			}
		}
	}
	return m.Tree()
}

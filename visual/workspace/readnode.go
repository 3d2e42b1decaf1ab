package workspace

import (
	"fmt"
	"slices"
)

// A numbering holds the ids of the panes by their numbers in the file, and the numbers that the layout has named.
type numbering struct {
	ids  map[int]int
	seen map[int64]bool
}

// place returns the id of a pane that the layout names. The error of a pane that is not in the file, or that has a place already, says so.
func (n *numbering) place(v any) (int, error) {
	number, ok := v.(int64)
	id, known := n.ids[int(number)]
	switch {
	case !ok || !known:
		return 0, fmt.Errorf("there is no pane %v", v)
	case n.seen[number]:
		return 0, fmt.Errorf("pane %d has a place already", number)
	}
	n.seen[number] = true
	return id, nil
}

// readNode reads a node of the layout. It reports and omits repeated panes.
func (f *File) readNode(t table, path string, panes *numbering, depth int) (*Node, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("%s: more than %d nested splits", path, maxDepth)
	}
	if kind, ok := extract[string](t, path, "split", &f.unread); ok {
		return f.readSplit(t, kind, path, panes, depth)
	}
	n := &Node{}
	list, _ := extract[[]any](t, path, "panes", &f.unread)
	for _, v := range list {
		id, err := panes.place(v)
		if err != nil {
			f.wrong = append(f.wrong, fmt.Sprintf("%spanes: %v", path, err))
			continue
		}
		n.Panes = append(n.Panes, id)
	}
	shown, _ := extract[int64](t, path, "shown", &f.unread)
	n.Shown = panes.ids[int(shown)]
	f.note(path, t)
	if len(n.Panes) == 0 {
		return nil, nil
	}
	if !slices.Contains(n.Panes, n.Shown) {
		n.Shown = n.Panes[0]
	}
	return n, nil
}

func (f *File) readSplit(t table, kind, path string, panes *numbering, depth int) (*Node, error) {
	n := &Node{Split: Columns}
	if kind == "rows" {
		n.Split = Rows
	}
	n.Share, _ = extract[float64](t, path, "share", &f.unread)
	if !(n.Share >= 0.01 && n.Share <= 0.99) {
		n.Share = 0.5
	}
	var err error
	for _, part := range []struct {
		key  string
		node **Node
	}{{"a", &n.A}, {"b", &n.B}} {
		takeTable(t, path, part.key, &f.unread, func(inner table) {
			if err == nil {
				*part.node, err = f.readNode(inner, path+part.key+".", panes, depth+1)
			}
		})
	}
	f.note(path, t)
	return n.Keep(func(int) bool { return true }), err
}

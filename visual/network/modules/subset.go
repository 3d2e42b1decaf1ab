package modules

import (
	"fmt"

	"whorl/tracer"
	"whorl/tracer/derive/spawntree"
	"whorl/visual/network"
	"whorl/visual/network/cut"
	"whorl/visual/view"
)

// subsetFilter keeps the subtree of a task.
func subsetFilter() *network.Module {
	return &network.Module{
		Name: "subset", Title: "Subset", Doc: "a task with its descendants, and its ancestors",
		Class: network.Filter, In: traceIn, Out: network.Trace,
		Params: []view.Param{{Name: "task", Label: "Task", Doc: "the task", Default: int64(1), Min: 1, Max: 1 << 53}},
		Run: func(c *network.Call) (any, error) {
			src := c.Trace("trace")
			tree, err := spawntree.Grow(src, nil, c.Tick)
			if err != nil {
				return nil, err
			}
			task := uint64(c.Params.Int("task"))
			root := tree.Index().Node(task)
			if root < 0 {
				return nil, fmt.Errorf("task %d is not a node of the tree", task)
			}
			inside := map[uint64]bool{}
			end := int(root) + int(tree.Size[root])
			for i := int(root); i < end; i++ {
				inside[tree.Task.At(i)] = true
			}
			return cut.Select(src, cut.Selection{What: fmt.Sprintf("the subtree of task %d", task), Keep: func(e *tracer.Event, _ uint32) bool {
				return inside[e.Task]
			}}, cut.Tick(c.Tick))
		},
	}
}

// Package views is the registry of all views. A new view is a package below this folder and a line in this file.
package views

import (
	"whorl/visual/view"
	"whorl/visual/views/bodies"
	"whorl/visual/views/calltable"
	"whorl/visual/views/cascade"
	"whorl/visual/views/comparison"
	"whorl/visual/views/detail"
	"whorl/visual/views/efficiency"
	"whorl/visual/views/flame"
	"whorl/visual/views/halo"
	"whorl/visual/views/kaleidoscope"
	"whorl/visual/views/kinds"
	"whorl/visual/views/measures"
	"whorl/visual/views/modules"
	"whorl/visual/views/overview"
	"whorl/visual/views/procedures"
	"whorl/visual/views/source"
	"whorl/visual/views/sunburst"
	"whorl/visual/views/surface"
	"whorl/visual/views/sweep"
	"whorl/visual/views/threadgraph"
	"whorl/visual/views/timeline"
	"whorl/visual/views/utilisation"
	"whorl/visual/views/waits"
)

// All lists the views in the order of `whorl list views`. The last one shows the modules of each of the others.
var All = append(ofTraces, modules.Kind(ofTraces))

var ofTraces = []*view.Kind{
	kaleidoscope.Kind(),
	threadgraph.Kind(),
	timeline.Kind(),
	utilisation.Kind(),
	bodies.Kind(),
	measures.Kind(),
	efficiency.Kind(),
	waits.Kind(),
	comparison.Kind(),
	source.Kind(),
	overview.Kind(),
	procedures.Kind(),
	detail.Kind(),
	detail.Extremes(),
	detail.Assembler(),
	surface.Kind(),
	cascade.Kind(),
	halo.Kind(),
	flame.Kind(),
	sunburst.Kind(),
	calltable.Tree(),
	calltable.Functions(),
	kinds.Kind(),
	sweep.Kind(),
}

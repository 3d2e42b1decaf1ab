// Package modules is the registry of the modules of networks. A new module is a file of this package and a line in Catalog.
package modules

import (
	"whorl/visual/network"
	"whorl/visual/network/shown"
	"whorl/visual/view"
)

// Catalog returns all modules, with a display for each of some views.
func Catalog(views []*view.Kind) network.Catalog {
	c := network.Catalog{
		traceFile(), importFile(), run(), sweepTable(),
		timeFilter(), peFilter(), procedureFilter(), shareFilter(), expressionFilter(), subsetFilter(), rowsFilter(),
		merge(), lines(), procedures(), activityShares(), messages(), asTable(),
		skip(), bin(), normalise(), difference(), smooth(), rank(), cluster(), measure(),
		strips(), row(), column(),
	}
	for _, k := range append(append([]*view.Kind(nil), views...), shown.Heat(), shown.Sheet()) {
		c = append(c, display(k))
	}
	return append(c, exportPicture(), exportCSV(), exportTrace())
}

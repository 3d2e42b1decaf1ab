package timeplot

import (
	"slices"

	"whorl/visual/view"
)

// The values of ColorBy.
const (
	ByAuto      = "auto"
	ByState     = "state"
	ByPE        = "pe"
	ByProcedure = "procedure"
	ByFile      = "module"
	ByPackage   = "package"
	ByKind      = "kind"
)

// ColorBy is the parameter that selects the meaning of the colour of busy time.
var ColorBy = view.Param{
	Name: "color", Label: "Colour by",
	Doc: "meaning of the colour of busy time: state, PE, procedure or function, its file (module), its package, or the kind of code; auto is the function in a " +
		"trace of samples alone, and otherwise the state", Default: ByAuto, Choices: []string{ByAuto, ByState, ByPE, ByProcedure, ByFile, ByPackage, ByKind},
}

// Depth is the parameter that selects a function of the stack of each sample.
var Depth = view.Param{
	Name: "depth", Label: "Depth of the stack", Doc: "of the stack of a sample, show the innermost function (0), or the n-th from the program on; a focus shows the " +
		"innermost function that matches it instead", Default: int64(0), Min: 0, Max: 1 << 16,
}

// TimeKeys lists the keys of every picture of time.
var TimeKeys = []view.Key{
	{Key: "z", Doc: "show the selected time"},
	{Key: "w", Doc: "make the selected time the window of all views, or remove the window: as a double click on the axis does"},
}

// Keys lists TimeKeys and the keys that set ColorBy, which are those of the kaleidoscope for the same colours.
var Keys = slices.Concat([]view.Key{
	{Key: "3", Doc: "colouring 3: busy time by state", Action: view.Action{Do: view.SetParam, Name: ColorBy.Name, Value: ByState}},
	{Key: "1", Doc: "colouring 1: busy time by PE", Action: view.Action{Do: view.SetParam, Name: ColorBy.Name, Value: ByPE}},
	{Key: "2", Doc: "colouring 2: busy time by procedure", Action: view.Action{Do: view.SetParam, Name: ColorBy.Name, Value: ByProcedure}},
	{Key: "y", Doc: "next colouring: also by file, package and kind of code"},
}, TimeKeys)

// Recolour returns the actions for the key of the next colouring.
func (b *Busy) Recolour(in view.Input) []view.Action {
	k := slices.Index(ColorBy.Choices, b.By)
	return ColorBy.Set(in.Pane, ColorBy.Choices[max((k+1)%len(ColorBy.Choices), 1)])
}

package timeplot

import (
	"slices"

	"whorl/visual/view"
)

// What the colour of busy time can stand for.
const (
	ByState     = "state"
	ByPE        = "pe"
	ByProcedure = "procedure"
)

// ColorBy is the parameter that says which.
var ColorBy = view.Param{
	Name: "color", Doc: "what the colour of busy time stands for", Default: ByState, Choices: []string{ByState, ByPE, ByProcedure},
}

// TimeKeys are the keys of every picture of time.
var TimeKeys = []view.Key{
	{Key: "z", Doc: "show the selected time"},
	{Key: "w", Doc: "make the selected time the window of all views, or take the window away; a double click on the axis too"},
}

// Keys set ColorBy, with the keys that the kaleidoscope has for the same colours, and include TimeKeys.
var Keys = slices.Concat([]view.Key{
	{Key: "s", Doc: "colour busy time by state", Action: view.Action{Do: view.SetParam, Name: ColorBy.Name, Value: ByState}},
	{Key: "1", Doc: "colour busy time by PE", Action: view.Action{Do: view.SetParam, Name: ColorBy.Name, Value: ByPE}},
	{Key: "2", Doc: "colour busy time by procedure", Action: view.Action{Do: view.SetParam, Name: ColorBy.Name, Value: ByProcedure}},
}, TimeKeys)

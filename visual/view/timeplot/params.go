package timeplot

import (
	"slices"

	"whorl/visual/view"
)

// The values of ColorBy.
const (
	ByState     = "state"
	ByPE        = "pe"
	ByProcedure = "procedure"
)

// ColorBy is the parameter that selects the meaning of the colour of busy time.
var ColorBy = view.Param{
	Name: "color", Label: "Colour by", Doc: "meaning of the colour of busy time", Default: ByState, Choices: []string{ByState, ByPE, ByProcedure},
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
}, TimeKeys)

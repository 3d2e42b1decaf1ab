//go:build js

package screen

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"syscall/js"
	"time"

	"whorl/visual/app"
	"whorl/visual/ui"
)

// describeAfter is how long the picture rests before the page describes it.
const describeAfter = 400 * time.Millisecond

// A twin gives assistive technology the content of the canvas: elements over the controls, and tables with the content of the panes.
type twin struct {
	controls []ui.Accessible
	scale    float64
	timer    *time.Timer // fires when the picture rests
	due      bool
}

// A twinControl is a control as the page's script reads it. Its place is x, y, width and height in points.
type twinControl struct {
	ID       string     `json:"id"` // JavaScript has no integers of 64 bits
	Role     ui.Role    `json:"role"`
	Name     string     `json:"name"`
	Value    string     `json:"value"`
	Min      float64    `json:"min"`
	Max      float64    `json:"max"`
	Now      float64    `json:"now"`
	On       bool       `json:"on"`
	Disabled bool       `json:"disabled"`
	Focus    bool       `json:"focus"`
	Place    [4]float64 `json:"place"`
	Group    int        `json:"group"` // the row of tabs or the menu of a control
}

// show updates the twin after a step.
func (t *twin) show(out app.Output, scale float64) {
	if out.Description != nil {
		call("describe", out.Description)
	}
	if out.Changed {
		t.timer.Reset(describeAfter)
	}
	if scale == t.scale && slices.Equal(out.Controls, t.controls) {
		return
	}
	t.controls, t.scale = append(t.controls[:0], out.Controls...), scale
	list := make([]twinControl, len(t.controls))
	for i, c := range t.controls {
		point := func(x float32) float64 { return math.Round(float64(x)/scale*100) / 100 }
		list[i] = twinControl{
			strconv.FormatUint(uint64(c.ID), 36), c.Role, c.Name, c.Value, c.Min, c.Max, c.Now, c.On, c.Disabled, c.Focus,
			[4]float64{point(c.Rect.X0), point(c.Rect.Y0), point(c.Rect.W()), point(c.Rect.H())},
			0,
		}
		if c.Role == ui.RoleTab {
			list[i].Group = int(c.Rect.Y0)
		}
	}
	call("controls", list)
}

// call passes a value to a function of the page's script.
func call(function string, value any) {
	text, err := json.Marshal(value)
	if err == nil { // an infinite value of a slider has no form in JSON
		js.Global().Get("whorl").Call(function, string(text))
	}
}

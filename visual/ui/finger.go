package ui

import (
	"slices"
	"time"
)

// A Grip is the thing that a dragging finger moves.
type Grip uint8

// The grips.
const (
	GripNothing Grip = iota // a control that is only pressed
	GripWidget              // a widget that follows the pointer, such as a slider
	GripScroll              // what scrolls there
	GripGround              // what lies below all widgets
)

// GripAt returns what a finger that drags by dx, dy from a point moves. held says that the finger has rested there before.
func (st *State) GripAt(x, y, dx, dy float32, held bool) Grip {
	layer, _ := st.layerAt(x, y)
	if layer < 0 {
		return GripNothing
	}
	wants := WantsDrag
	switch {
	case held:
		wants |= WantsHold | WantsSlide
	case dx*dx > dy*dy:
		wants |= WantsSlide
	}
	var top Wants // of the widget that a press would reach
	scrolls := false
	for i := range slices.Backward(st.regions) {
		r := &st.regions[i]
		if r.layer != layer || !r.rect.Contains(x, y) {
			continue
		}
		if r.wants&WantsOver != 0 || top == 0 && r.wants&wantsPointer != 0 {
			top = r.wants
		}
		scrolls = scrolls || r.wants&(wantsUp|wantsDown|wantsLeft|wantsRight) != 0
	}
	switch {
	case top&wants != 0:
		return GripWidget
	case scrolls:
		return GripScroll
	case top != 0 || layer > 0:
		return GripNothing
	}
	return GripGround
}

// ShowTip makes the tooltip of the next widget under the pointer appear at once, as after another tooltip.
func (st *State) ShowTip(now time.Duration) { st.tipShown = now + 1 }

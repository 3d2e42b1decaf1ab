package ui

import "slices"

// A Role is the kind of a widget, under its name in WAI-ARIA.
type Role string

// The roles.
const (
	RoleButton   Role = "button"
	RoleCheckBox Role = "checkbox"
	RoleSwitch   Role = "switch"
	RoleRadio    Role = "radio"
	RoleSlider   Role = "slider"
	RoleField    Role = "textbox"
	RoleTab      Role = "tab"
	RoleItem     Role = "menuitem"
	RoleGroup    Role = "group"
	RoleStatus   Role = "status" // a message
	// Text to be read, and a picture
	RoleHeading   Role = "heading"
	RoleParagraph Role = "paragraph"
	RoleImage     Role = "img"
)

// An Accessible describes a widget or a message to assistive technology, which cannot see the picture.
type Accessible struct {
	ID       ID
	Role     Role
	Name     string
	Value    string  // of a field, a slider or a choice
	Now      float64 // of a slider, from Min to Max
	Min, Max float64
	On       bool // it is pressed, checked, chosen or in front
	Disabled bool
	Focus    bool // it has the keys, and the user has moved there with the keyboard
	Rect     Rect // the visible part, in pixels

	layer int
}

// Describe describes the widget with an id at r. It follows the call of Touch.
func (c *Context) Describe(id ID, r Rect, d Accessible) {
	if d.Rect = r.Cut(c.clip); d.Rect.Empty() || d.Name == "" {
		return
	}
	d.ID, d.Disabled, d.layer = id, c.Disabled, c.layer
	d.Focus = c.st.focus == id && c.st.ring && c.layer >= c.keyLayer
	c.controls = append(c.controls, d)
}

// reachable returns the widgets and messages of the pass that no dialog or menu covers.
func (c *Context) reachable() []Accessible {
	c.st.controls = slices.DeleteFunc(c.controls, func(d Accessible) bool { return d.layer < len(c.layers) })
	return c.st.controls
}

package ui

import "whorl/visual/scene"

// A Theme is the colours of the widgets, and the sizes of those that are pressed, in points. Text has a contrast of at least 4.5 to 1 against every ground it is written on.
type Theme struct {
	Dark bool

	// Backgrounds, from the lowest.
	Ground  scene.Color // of pictures and editors
	Surface scene.Color // panels, bars, dialogs
	Raised  scene.Color // buttons and popups
	Sunken  scene.Color // tracks, the space behind tabs
	Hover   scene.Color // under the pointer
	Press   scene.Color // while pressed
	Soft    scene.Color // of selections

	Line   scene.Color // between parts
	Border scene.Color // of controls

	Ink    scene.Color // text
	Muted  scene.Color // text of lesser weight
	Faint  scene.Color // disabled text, which need not be legible
	Accent scene.Color // switches that are on, the main button, the focus
	Lifted scene.Color // Accent under the pointer
	On     scene.Color // text on Accent, Lifted and Danger
	Link   scene.Color // text in the colour of Accent
	Danger scene.Color // errors: text and background
	Warn   scene.Color // text of warnings
	Good   scene.Color // text of successes
	Shade  scene.Color // shadows, and the window behind a dialog

	Ctl   float32 // height of a control
	Row   float32 // height of a row of a list
	Bar   float32 // height of a bar with controls and of tabs
	Least float32 // the least side of a control in points; 0 for no minimum, as with a mouse
}

// Finger is the least side of a control for fingers, in points.
const Finger = 44

// ForFingers returns the theme for a touch screen, with larger controls.
func (t Theme) ForFingers() Theme {
	t.Ctl, t.Row, t.Bar, t.Least = Finger, Finger, Finger+8, Finger
	return t
}

// NewTheme returns the theme for a light or a dark background.
func NewTheme(dark bool) Theme {
	if dark {
		return Theme{
			Dark:   true,
			Ground: scene.Hex(0x14161a), Surface: scene.Hex(0x1c1f24), Raised: scene.Hex(0x292d34), Sunken: scene.Hex(0x101215),
			Hover: scene.Hex(0x343941), Press: scene.Hex(0x3a404a), Soft: scene.Hex(0x24426b),
			Line: scene.Hex(0x33383f), Border: scene.Hex(0x474d57),
			Ink: scene.Hex(0xe8eaed), Muted: scene.Hex(0xa8afb9), Faint: scene.Hex(0x6b727c),
			Accent: scene.Hex(0x3672cf), Lifted: scene.Hex(0x2c66c0), On: scene.Hex(0xffffff), Link: scene.Hex(0x8cb8ff),
			Danger: scene.Hex(0xff8f87), Warn: scene.Hex(0xf0b84a), Good: scene.Hex(0x6fd08c),
			Shade: scene.Hex(0x000000), Ctl: Ctl, Row: Line, Bar: Bar,
		}
	}
	return Theme{
		Ground: scene.Hex(0xffffff), Surface: scene.Hex(0xf6f7f9), Raised: scene.Hex(0xffffff), Sunken: scene.Hex(0xe7eaee),
		Hover: scene.Hex(0xeceff3), Press: scene.Hex(0xdfe3e9), Soft: scene.Hex(0xd6e5fb),
		Line: scene.Hex(0xd9dde3), Border: scene.Hex(0xbcc3cc),
		Ink: scene.Hex(0x1b1f24), Muted: scene.Hex(0x59616c), Faint: scene.Hex(0xa2a9b3),
		Accent: scene.Hex(0x2463c5), Lifted: scene.Hex(0x1c55b0), On: scene.Hex(0xffffff), Link: scene.Hex(0x1c55b0),
		Danger: scene.Hex(0xb3261e), Warn: scene.Hex(0x855300), Good: scene.Hex(0x1a6b35),
		Shade: scene.Hex(0x101828), Ctl: Ctl, Row: Line, Bar: Bar,
	}
}

// Sizes in points, on a grid of 4 except for type and lines.
const (
	Small  = 11 // type: ticks, shortcuts, line numbers
	Body   = 13 // type: nearly everything
	Title  = 15 // type: of dialogs and panels
	Large  = 20 // type: of an empty page
	Code   = 13 // type: text with columns
	Gap    = 8  // between controls
	Pad    = 12 // inside panels
	Ctl    = 28 // height of a control, for a pointer
	Line   = 24 // height of a row of a list, for a pointer
	Bar    = 36 // height of a bar with controls and of tabs, for a pointer
	Icon   = 16 // side of an icon
	Corner = 4  // radius
)

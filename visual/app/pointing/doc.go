// Package pointing brings the pointer, the keyboard and the fingers to the pictures of the panes. Widgets get each event first. An event that no widget
// takes goes to the view of the pane below, or of the focused pane for a key, as clicks, drags, movements and turns of the wheel. Fingers do what the
// pointer does, and pan and zoom pictures.
package pointing

package widget

import "strings"

// spoken returns the name of a widget as words for assistive technology.
func spoken(name string) string { return strings.ReplaceAll(name, "-", " ") }

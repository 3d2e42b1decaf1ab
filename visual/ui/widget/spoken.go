package widget

import "strings"

// spoken returns the name of a widget as words for assistive technology, without the path before it.
func spoken(name string) string {
	name = name[strings.LastIndexByte(name, '/')+1:]
	return strings.ReplaceAll(name, "-", " ")
}

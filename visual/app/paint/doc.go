// Package paint turns the layers that the viewer shows into one picture: what a window, a page and a test have in common.
//
// A layer that covers its place is drawn once for each revision and copied from then on; the others (overlays, menus) are few and thin and
// are drawn over what lies below them. Only the part of the picture that differs from the last one is touched, and the caller is told
// which it is.
package paint

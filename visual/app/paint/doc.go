// Package paint turns the layers that the viewer shows into one picture: what a window, a page and a test have in common.
//
// A layer that covers its place is drawn once for each revision and copied from then on; the others (overlays, menus) are few and thin and
// are drawn over what lies below them. Only the part of the picture that differs from the last one is touched, and the caller is told
// which it is. A small list whose place stays is compared with the last one op by op, and only what differs is drawn.
//
// A layer that takes longer than some milliseconds to draw and differs from its last drawing by its camera alone (app.Plane) is drawn in slices, one in
// each call. Meanwhile the pixels of the last drawing stand for it, shifted and stretched to the new camera, so that a pan or a zoom of a large
// picture is smooth and becomes sharp when it rests.
package paint

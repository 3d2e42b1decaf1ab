// Package screen shows the viewer in a desktop window (built with the tag window) or in a browser page (built for
// js). It draws nothing itself: it queues the user's events, passes them to the viewer's Step, paints the layers
// (visual/app/paint), and brings the changed part of the picture to the screen. It sleeps while nothing happens.
//
// No other package imports Ebitengine or the library of the sound device. The page uses neither: a canvas accepts the
// painted pixels, so the page needs no WebGL, starts sooner and is a third smaller.
//
// # Ebitengine
//
// Ebitengine opens the window (2.8; tests use a software GL). These properties shape the design:
//
//   - Importing it panics without a display, and native builds need cgo and the X11 headers. One package imports it,
//     behind the build tag window. whorl-view checks for a display before Ebitengine can panic, and exits with status
//     69, upon which whorl view serves the page.
//   - It has no static vertex buffers and 16-bit indices. Rebuilding 100,000 quads takes 65 to 105 ms a frame; our
//     rasteriser draws a million in 59 ms and handing over a full HD frame takes 0.4 ms. The rasteriser therefore
//     draws everything, and window, page and PNG have the same pixels.
//   - Its text takes quadratic time for changing labels, so text comes from our own atlas of glyphs.
//   - Its audio ends the program without a sound device. oto opens the device when sound is first requested, behind
//     the build tag sound.
//   - Its loop polls the devices 60 times a second, 20 times when nothing happens (1 % of a core). The viewer steps in
//     a separate goroutine, so that a long step loses no click. Its mode of waiting for events would lose a press that
//     ends before the next poll.
//   - A process can open only one window. Tests run themselves again for each window, on a separate X server, and
//     drive it with xdotool.
//
// In the browser Ebitengine misses presses shorter than 100 ms, takes the wheel in raw pixels, needs WebGL and adds 1.6
// MB. The page has no Ebitengine: the same main, built for js, draws pixels on a canvas and handles events itself.
// Programs run in a Web Worker: the command whorl-runner, which the page loads for the first run.
//
// A screen reader cannot see the canvas. The page therefore has a twin (twin.go, serve/page/twin.js): an element over each
// control, a spoken line for the control that the keyboard reaches, and for each pane its legend, the things under a grid
// of points and the texts of its picture, as tables and lists. The viewer finds these things in steps of a few
// milliseconds, so that no frame waits for them. Tests check the page with axe-core.
//
// The browser prints a vector picture of each visible pane on white paper instead of the canvas.
package screen

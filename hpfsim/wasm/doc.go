// Package wasm generates WebAssembly for loops of lowered programs, and runs it: natively by wazero, and in the page by the engine of the browser.
//
// Translate makes a Region of a loop. A Memory loads regions and holds the arrays that they use; arrays elsewhere are out of their reach.
package wasm

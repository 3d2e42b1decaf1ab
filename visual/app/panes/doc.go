// Package panes holds the contents of the window: the workspace with its history, the traces, and the panes with their pictures. It draws no bars and
// handles no events.
//
// The Model is the state. Links says which panes go together: those of compared runs, and those of views with a common parameter. Cameras gives a pane
// its frame, which is the part of the picture that it shows. Actions makes every change that users can undo. Stages computes the pictures, and
// Networks supplies those that networks of modules make.
package panes

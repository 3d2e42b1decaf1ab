//go:build js

package main

import "whorl/visual/share"

// newHost returns nil: a page hosts no sessions.
func newHost(chan<- struct{}) func(traces []string, network bool) (*share.Hosting, error) { return nil }

//go:build !linux

package pprof

import "testing"

func used(*testing.B) int64   { return 0 }
func peak(*testing.B) float64 { return 0 }

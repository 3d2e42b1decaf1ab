// Package whorl holds the part of its own source that built programs consist of (whorl build), with the tests, which nobody needs there.
package whorl

import "embed"

// Source is the folders of package fghc/standalone and of all that it imports.
//
//go:embed fghc/builtin/*.go fghc/check/*.go fghc/compile/*.go fghc/emulator/*.go fghc/library/*.go fghc/library/*.kl1 fghc/report/*.go
//go:embed fghc/standalone/*.go fghc/syntax/*.go fghc/term/*.go internal/fault/*.go internal/figures/*.go internal/memory/*.go internal/nearest/*.go
//go:embed sim/*.go sim/live/*.go sim/policy/*.go tracer/*.go tracer/store/*.go
var Source embed.FS

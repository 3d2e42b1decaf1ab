// Package whorl embeds the source that programs built by whorl build consist of. The patterns match tests too, which the build leaves out.
package whorl

import "embed"

// Source contains the folders of package fghc/standalone and of the packages that it imports.
//
//go:embed fghc/arith/*.go fghc/builtin/*.go fghc/bytecode/*.go fghc/check/*.go fghc/compile/*.go fghc/emulator/*.go fghc/inline/*.go fghc/library/*.go fghc/library/*.kl1 fghc/recording/*.go fghc/report/*.go
//go:embed dts/clock/*.go dts/clock/*.s fghc/semispace/*.go fghc/standalone/*.go fghc/syntax/*.go fghc/system/*.go fghc/term/*.go fghc/world/*.go internal/fault/*.go internal/figures/*.go internal/integer/*.go internal/lines/*.go internal/mapped/*.go internal/memory/*.go internal/nearest/*.go internal/parallel/*.go internal/pieces/*.go
//go:embed sim/*.go sim/live/*.go sim/policy/*.go tracer/*.go tracer/store/*.go
var Source embed.FS

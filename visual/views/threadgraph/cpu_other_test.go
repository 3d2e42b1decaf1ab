//go:build !unix

package threadgraph

import "time"

func cpuTime() time.Duration { return 0 }

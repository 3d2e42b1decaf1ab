//go:build !unix

package nbody

import "time"

func cpuTime() time.Duration { return 0 }

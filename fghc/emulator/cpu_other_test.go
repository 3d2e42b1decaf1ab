//go:build !unix

package emulator

import "time"

func processorTime() time.Duration { return time.Duration(time.Now().UnixNano()) }

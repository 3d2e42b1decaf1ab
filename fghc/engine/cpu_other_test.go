//go:build !unix

package engine

import "time"

func processorTime() time.Duration { return time.Duration(time.Now().UnixNano()) }

//go:build !unix

package nativetest

import "time"

func processorTime() time.Duration { return time.Duration(time.Now().UnixNano()) }

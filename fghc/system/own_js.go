package system

import "syscall"

// own is empty, because processes in a browser get no signals.
var own []syscall.Signal

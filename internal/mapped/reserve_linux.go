package mapped

import "syscall"

const noReserve = syscall.MAP_NORESERVE

//go:build unix && !linux && !aix && !solaris && !illumos

package mapped

const noReserve = 0

func large([]byte) {}

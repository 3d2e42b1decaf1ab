package memory

import (
	"runtime"
	"testing"
)

func TestExceeds(t *testing.T) {
	before := InUse()
	block := make([]byte, 64<<20)
	if InUse() < before+60<<20 {
		t.Errorf("%d bytes in use, %d before an allocation of 64 MiB", InUse(), before)
	}
	if !Exceeds(60<<20) || Exceeds(1<<50) || Exceeds(0) {
		t.Error("60 MiB are exceeded, 1 PiB is not, and 0 is no limit")
	}
	runtime.KeepAlive(block)
	if Exceeds(60 << 20) {
		t.Errorf("%d bytes in use after a collection", InUse())
	}
}

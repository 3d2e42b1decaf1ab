package pprof

import "errors"

// renewed would turn a profile of an older form into one of today's; the library that does that is left out of pages, which it would make
// larger.
func renewed([]byte) ([]byte, error) {
	return nil, errors.New("a profile of an older form, which a page does not read: whorl convert makes a trace of it")
}

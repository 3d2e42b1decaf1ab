package pprof

import "errors"

// renewed returns an error: the web page leaves out the pprof library, which reads the older forms, to stay small.
func renewed([]byte) ([]byte, error) {
	return nil, errors.New("a profile of an older form, which a page does not read: whorl convert makes a trace of it")
}

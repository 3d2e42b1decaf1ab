package pprof

import "errors"

// renewed returns an error: the web page leaves out the pprof library, which reads the older forms, to stay small.
func renewed([]byte) ([]byte, bool, error) {
	return nil, false, errors.New("the web page does not read profiles in older formats: use whorl convert")
}

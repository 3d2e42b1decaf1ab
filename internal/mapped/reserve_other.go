//go:build !unix || aix || solaris || illumos

package mapped

import "errors"

// Reserve fails, because this system has no memory that is taken only where it is written.
func Reserve(int) (data []byte, release func(), err error) {
	return nil, nil, errors.ErrUnsupported
}

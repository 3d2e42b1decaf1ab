package experiment

import (
	"fmt"

	"whorl/internal/figures"
)

// ParseBytes reads an amount of memory: a number above 0, alone or with k, M, G or T (and B or iB after it), in powers of 1,024.
func ParseBytes(s string) (int64, error) {
	n, ok := figures.Bytes(s)
	if !ok {
		return 0, &InputError{fmt.Sprintf("%s is no amount of memory: 500M, 2G", Quoted(s))}
	}
	return n, nil
}

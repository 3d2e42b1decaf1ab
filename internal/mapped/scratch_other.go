//go:build !unix || aix || solaris || illumos

package mapped

// A Scratch is memory, because this system cannot map files.
type Scratch struct{ data []byte }

// NewScratch returns an empty Scratch.
func NewScratch() (*Scratch, error) { return &Scratch{}, nil }

// Grow returns size bytes that begin with the bytes of the last call.
func (s *Scratch) Grow(size int) ([]byte, error) {
	data := make([]byte, size)
	copy(data, s.data)
	s.data = data
	return data, nil
}

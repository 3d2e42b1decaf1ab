//go:build !linux

package makes

// A Recording watches the lines of recipes begin and end.
type Recording struct {
	dir   string
	jobs  []*job
	most  int
	lost  int64
	ended int64
}

// Start returns ErrSystem: only Linux tells when processes end.
func Start(string) (*Recording, error) { return nil, ErrSystem }

// Stop ends the recording when make has ended.
func (r *Recording) Stop() {}

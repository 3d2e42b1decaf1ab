package store

// FGHCLike is fghcLike for the tests outside of the package.
var FGHCLike = fghcLike

// Frame makes a block.
func Frame(kind uint8, payload []byte) []byte {
	b := append(beginFrame(nil, kind), payload...)
	sealFrame(b, 0)
	return b
}

// OpenBytes opens a trace in memory. The data must not change while the File is in use.
func OpenBytes(data []byte) (*File, error) {
	if len(data) == 0 {
		return nil, &ForeignError{"an empty file"}
	}
	return parse(data, nil, "bytes in memory have no ring", false)
}

// SalvageBytes opens a damaged trace in memory.
func SalvageBytes(data []byte) (*File, error) {
	return parse(data, nil, "bytes in memory have no ring", true)
}

package store

// FGHCLike is fghcLike for the tests outside of the package.
var FGHCLike = fghcLike

// Frame makes a block.
func Frame(kind uint8, payload []byte) []byte {
	b := append(beginFrame(nil, kind), payload...)
	sealFrame(b, 0)
	return b
}

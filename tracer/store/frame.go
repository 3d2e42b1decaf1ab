package store

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// The file begins with a header of headSize bytes: fileMark, version (uint16), 6 zeros, the mark of its ring (uint64, 0 for none),
// 4 zeros, and the CRC-32C of the 28 bytes before it. All numbers are little-endian.
const (
	fileMark    = "\x89WHORL\r\n"
	fileVersion = 2
	headSize    = 32
)

// A block begins with a frame of frameSize bytes: blockMark, type (1 byte), 3 zeros, length of the payload (uint32), CRC-32C of the
// bytes from the type up to here and of the payload. The payload follows.
const (
	blockMark = "wblk"
	frameSize = 16
	maxBlock  = 1 << 30 // bytes of a payload
)

// Types of blocks. A reader skips unknown types.
const (
	blockDamaged = 0 // in no file: a block that a reader leaves out
	blockMeta    = 1 // lines of the head with the metadata; the last such block counts
	blockDict    = 2 // lines of the head with streams; in version 1 also those of codes and contexts
	blockEvents  = 3 // events of one stream
	blockSummary = 4 // derived: number of events by kind and bucket of time
	blockIndex   = 5 // a list of all blocks before it
	blockEnd     = 6 // the last block of a closed file
	blockStates  = 7 // derived: time of each PE in each state by bucket of time
	blockEntries = 8 // codes and contexts in columns
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func appendHeader(b []byte, ring uint64) []byte {
	start := len(b)
	b = append(b, fileMark...)
	b = binary.LittleEndian.AppendUint16(b, fileVersion)
	b = append(b, 0, 0, 0, 0, 0, 0)
	b = binary.LittleEndian.AppendUint64(b, ring)
	b = append(b, 0, 0, 0, 0)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[start:], castagnoli))
}

// beginFrame appends the frame of a block. The caller appends the payload, and then sealFrame fills in the frame at its offset.
func beginFrame(b []byte, kind uint8) []byte {
	b = append(b, blockMark...)
	return append(b, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
}

func sealFrame(b []byte, at int) {
	f := b[at:]
	binary.LittleEndian.PutUint32(f[8:], uint32(len(f)-frameSize))
	binary.LittleEndian.PutUint32(f[12:], frameSum(f))
}

func frameSum(f []byte) uint32 {
	return crc32.Update(crc32.Checksum(f[4:12], castagnoli), castagnoli, f[frameSize:])
}

// A DamageError reports damage in a file.
type DamageError struct {
	Block  int   // number of the block, from 0; -1 for the file's header
	Offset int64 // of the block in the file
	Reason string
}

func (e *DamageError) Error() string {
	if e.Block < 0 {
		return fmt.Sprintf("damaged file: header at offset %d: %s", e.Offset, e.Reason)
	}
	return fmt.Sprintf("damaged file: block %d at offset %d: %s", e.Block, e.Offset, e.Reason)
}

// checkFrame verifies the block at the beginning of b, which extends to the end of the file, and returns its type and payload. short is
// true if the file ends before the block does.
func checkFrame(b []byte) (kind uint8, payload []byte, short bool, err error) {
	if len(b) < frameSize {
		if n := min(len(b), len(blockMark)); string(b[:n]) != blockMark[:n] {
			return 0, nil, false, fmt.Errorf("expected a block, found %q", b)
		}
		return 0, nil, true, nil
	}
	if string(b[:4]) != blockMark {
		return 0, nil, false, fmt.Errorf("expected the mark %q, found %q", blockMark, b[:4])
	}
	length := binary.LittleEndian.Uint32(b[8:])
	if length > maxBlock {
		return 0, nil, false, fmt.Errorf("it claims %d bytes, more than the limit of a block", length)
	}
	if int(length) > len(b)-frameSize {
		return b[4], nil, true, nil
	}
	b = b[:frameSize+int(length)]
	if sum, want := frameSum(b), binary.LittleEndian.Uint32(b[12:]); sum != want {
		return 0, nil, false, fmt.Errorf("its checksum is %08x, but its bytes give %08x", want, sum)
	}
	return b[4], b[frameSize:], false, nil
}

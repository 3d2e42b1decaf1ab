//go:build !js

package pprof

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"

	library "github.com/google/pprof/profile"
)

// renewed converts a profile in an older form to the current one. cut reports that the file is truncated.
func renewed(data []byte) (_ []byte, cut bool, err error) {
	defer func() { // the library may panic on damaged files
		if p := recover(); p != nil {
			err = errors.New("damaged profile in an older format")
		}
	}()
	data, cut = completed(data)
	p, err := library.ParseData(data)
	if err != nil {
		return nil, cut, err
	}
	var b bytes.Buffer
	if err := p.WriteUncompressed(&b); err != nil {
		return nil, cut, err
	}
	return b.Bytes(), cut, nil
}

// completed returns a profile of samples in words with the record that ends it, which the library needs. If the record is not there, the profile is cut, and
// its last sample may be left out. Other profiles stay as they are.
func completed(data []byte) (whole []byte, cut bool) {
	size := 8
	if !oldWords(data, size) {
		size = 4
	}
	if !oldWords(data, size) {
		return data, false
	}
	var order interface {
		binary.ByteOrder
		binary.AppendByteOrder
	} = binary.LittleEndian
	if data[size] != 3 { // the second word is 3
		order = binary.BigEndian
	}
	word := func(at int) uint64 {
		if size == 8 {
			return order.Uint64(data[at:])
		}
		return uint64(order.Uint32(data[at:]))
	}
	at := 5 * size
	for len(data)-at >= 3*size { // a sample has a count, a depth and addresses
		count, depth := word(at), word(at+size)
		if count == 0 && depth == 1 && word(at+2*size) == 0 {
			return data, false
		}
		if depth > uint64(len(data)-at)/uint64(size)-2 {
			break
		}
		at += (2 + int(depth)) * size
	}
	whole = slices.Clone(data[:at])
	for _, w := range [...]uint64{0, 1, 0} {
		if size == 8 {
			whole = order.AppendUint64(whole, w)
		} else {
			whole = order.AppendUint32(whole, uint32(w))
		}
	}
	return whole, true
}

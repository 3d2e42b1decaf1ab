//go:build !js

// Package codec encodes arguments and results of threads for other hosts, with encoding/gob. It adds what gob lacks:
// nil pointers and interfaces, values without a size, and errors in place of panics.
package codec

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"reflect"
	"unsafe"
)

// Encode encodes a value for another host. A panic of gob, or of a method that gob calls, becomes an error.
func Encode[V any](v *V) (_ []byte, err error) {
	defer fault(&err)
	var b bytes.Buffer
	switch x := reflect.ValueOf(v).Elem(); {
	case unsafe.Sizeof(*v) == 0 || nilable(x) && x.IsNil():
		return nil, nil // gob cannot encode it
	case x.Kind() == reflect.Pointer:
		err = gob.NewEncoder(&b).EncodeValue(x) // gob does not find the methods of a pointer behind a pointer
	default:
		err = gob.NewEncoder(&b).Encode(v)
	}
	return b.Bytes(), err
}

// Decode decodes the output of Encode.
func Decode[V any](b []byte, v *V) (err error) {
	defer fault(&err)
	if unsafe.Sizeof(*v) == 0 || len(b) == 0 && nilable(reflect.ValueOf(v).Elem()) {
		*v = *new(V)
		return nil
	}
	return gob.NewDecoder(bytes.NewReader(b)).Decode(v)
}

// nilable reports whether the kind of a value has a nil, which gob cannot encode.
func nilable(x reflect.Value) bool {
	return x.Kind() == reflect.Pointer || x.Kind() == reflect.Interface
}

// fault turns a panic into an error.
func fault(err *error) {
	if v := recover(); v != nil {
		*err = fmt.Errorf("encoding/gob panicked: %v", v)
	}
}

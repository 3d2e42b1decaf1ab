//go:build !js

package dts

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"reflect"
	"unsafe"
)

// encode writes a value for another host. What gob panics with, or a method of the value that it calls, is an error.
func encode[V any](v *V) (_ []byte, err error) {
	defer fault(&err)
	var b bytes.Buffer
	switch x := reflect.ValueOf(v).Elem(); {
	case unsafe.Sizeof(*v) == 0 || nilable(x) && x.IsNil():
		return nil, nil // gob has nothing to write of it
	case x.Kind() == reflect.Pointer:
		err = gob.NewEncoder(&b).EncodeValue(x) // through a pointer to it gob does not find its methods
	default:
		err = gob.NewEncoder(&b).Encode(v)
	}
	return b.Bytes(), err
}

// decode reads what encode wrote.
func decode[V any](b []byte, v *V) (err error) {
	defer fault(&err)
	if unsafe.Sizeof(*v) == 0 || len(b) == 0 && nilable(reflect.ValueOf(v).Elem()) {
		*v = *new(V)
		return nil
	}
	return gob.NewDecoder(bytes.NewReader(b)).Decode(v)
}

// nilable says whether a value may be a nil that gob cannot write.
func nilable(x reflect.Value) bool {
	return x.Kind() == reflect.Pointer || x.Kind() == reflect.Interface
}

// fault makes an error of a panic.
func fault(err *error) {
	if v := recover(); v != nil {
		*err = fmt.Errorf("encoding/gob panics: %v", v)
	}
}

package spans

import (
	"bytes"
	"encoding/base64"
	"slices"
	"unicode/utf8"
)

// A Resource is an instance of a service, from the attributes of a resource or a process.
type Resource struct {
	Service        string
	host, instance [2]string // key and value
}

// The attributes with the name of a host and of an instance, the best one first.
var (
	hostKeys     = []string{"host.name", "hostname", "host.id", "k8s.node.name", "ip", "host.ip"}
	instanceKeys = []string{"service.instance.id", "k8s.pod.name", "container.id", "process.pid", "pid"}
)

// Set notes an attribute.
func (x *Resource) Set(key, value []byte) {
	if string(key) == "service.name" {
		x.Service = string(short(value))
		return
	}
	better(&x.host, hostKeys, key, value)
	better(&x.instance, instanceKeys, key, value)
}

// better replaces a value by that of a better key.
func better(have *[2]string, keys []string, key, value []byte) {
	if i := slices.Index(keys, string(key)); i >= 0 && (have[0] == "" || keys[i] == have[0] || i < slices.Index(keys, have[0])) {
		*have = [2]string{keys[i], string(short(value))}
	}
}

// Instance returns the number of the instance.
func (r *Recording) Instance(x *Resource) uint32 {
	return r.Process(x.host[1], x.Service, x.instance[1])
}

// mostText bounds the bytes of an attribute that are kept.
const mostText = 200

// short returns the beginning of a long text.
func short(b []byte) []byte {
	if len(b) <= mostText {
		return b
	}
	n := mostText
	for n > mostText-utf8.UTFMax && !utf8.RuneStart(b[n]) {
		n--
	}
	return b[:n]
}

// ParseTrace returns the id of a trace: up to 32 hexadecimal digits, or the base64 form of 16 bytes.
func ParseTrace(b []byte) TraceID {
	if len(b) == 24 && bytes.HasSuffix(b, []byte("==")) {
		var wide [18]byte
		if n, err := base64.StdEncoding.Decode(wide[:], b); err == nil && n == 16 {
			return BinaryTrace(wide[:16])
		}
		return TraceID{}
	}
	if len(b) > 16 {
		high, ok := hexadecimal(b[:len(b)-16])
		low, ok2 := hexadecimal(b[len(b)-16:])
		if !ok || !ok2 {
			return TraceID{}
		}
		return TraceID{high, low}
	}
	low, _ := hexadecimal(b)
	return TraceID{0, low}
}

// ParseID returns the id of a span: up to 16 hexadecimal digits, or the base64 form of 8 bytes. It returns 0 for anything else.
func ParseID(b []byte) uint64 {
	if len(b) == 12 && b[11] == '=' {
		var id [9]byte
		if n, err := base64.StdEncoding.Decode(id[:], b); err == nil && n == 8 {
			return BinaryID(id[:8])
		}
		return 0
	}
	id, _ := hexadecimal(b)
	return id
}

// hexadecimal returns the number of up to 16 digits.
func hexadecimal(b []byte) (n uint64, ok bool) {
	if len(b) > 16 {
		return 0, false
	}
	for _, c := range b {
		switch {
		case c-'0' <= 9:
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		n = n<<4 | uint64(c)
	}
	return n, true
}

// BinaryTrace returns the id of a trace of up to 16 bytes.
func BinaryTrace(b []byte) TraceID {
	if len(b) > 16 {
		return TraceID{}
	}
	low := max(0, len(b)-8)
	return TraceID{BinaryID(b[:low]), BinaryID(b[low:])}
}

// BinaryID returns the id of a span of up to 8 bytes.
func BinaryID(b []byte) (n uint64) {
	if len(b) > 8 {
		return 0
	}
	for _, c := range b {
		n = n<<8 | uint64(c)
	}
	return n
}

package workspace

import (
	"fmt"
	"maps"
	"slices"
)

// A table is a table of a TOML file. Reading removes the known keys; the rest is written back.
type table map[string]any

// unread collects the unknown keys and the invalid values of a file.
type unread struct {
	unknown []string // keys
	wrong   []string // values of known keys, in words
}

// extract removes a key from the table and returns its value as a T. It returns the zero T and false if the key is missing or has another type. It
// converts integers to floats.
func extract[T any](t table, path, key string, u *unread) (v T, ok bool) {
	raw, there := t[key]
	if !there {
		return v, false
	}
	if v, ok = raw.(T); !ok {
		if n, whole := raw.(int64); whole {
			v, ok = any(float64(n)).(T)
		}
	}
	if ok {
		delete(t, key)
	} else {
		u.wrong = append(u.wrong, fmt.Sprintf("%s%s is a %T", path, key, raw))
	}
	return v, ok
}

// takeTables removes an array of tables from the table.
func takeTables(t table, path, key string, u *unread) []table {
	list, _ := extract[[]map[string]any](t, path, key, u)
	out := make([]table, len(list))
	for i, m := range list {
		out[i] = m
	}
	return out
}

// takeTable passes an inner table to read and keeps only the keys that read leaves in it.
func takeTable(t table, path, key string, u *unread, read func(inner table)) {
	inner, ok := extract[map[string]any](t, path, key, u)
	if !ok {
		return
	}
	read(inner)
	if len(inner) > 0 {
		t[key] = inner
	}
}

// note records the remaining keys of a table as unknown.
func (u *unread) note(path string, t table) {
	for _, key := range slices.Sorted(maps.Keys(t)) {
		u.unknown = append(u.unknown, path+key)
	}
}

// inner returns a copy of an inner table, empty if there is none.
func (t table) inner(key string) table {
	out := table{}
	if kept, ok := t[key].(map[string]any); ok {
		maps.Copy(out, kept)
	}
	return out
}

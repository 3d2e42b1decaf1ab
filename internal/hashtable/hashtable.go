// Package hashtable maps 64-bit keys to 32-bit numbers. A Go map is too slow for the millions of entries of large profiles.
package hashtable

import "whorl/internal/integer"

// A Table is a hash table with open addressing and linear probing. The zero Table is empty and ready to use.
type Table struct {
	keys    []uint64 // key + 1, so that 0 marks a free slot
	numbers []uint32
	count   int
}

// Get returns the number of a key.
func (t *Table) Get(key uint64) (number uint32, ok bool) {
	if t.count == 0 {
		return 0, false
	}
	i := t.slot(key + 1)
	if t.keys[i] == 0 {
		return 0, false
	}
	return t.numbers[i], true
}

// Add enters a key with a number. If the table has the key, Add returns its number and false instead. The largest uint64 is no key.
func (t *Table) Add(key uint64, number uint32) (_ uint32, added bool) {
	if 4*t.count >= 3*len(t.keys) {
		t.grow()
	}
	i := t.slot(key + 1)
	if t.keys[i] != 0 {
		return t.numbers[i], false
	}
	t.keys[i], t.numbers[i] = key+1, number
	t.count++
	return number, true
}

// Len returns the number of keys.
func (t *Table) Len() int { return t.count }

// Remove removes a key and returns its number, false if the table lacks the key.
func (t *Table) Remove(key uint64) (number uint32, ok bool) {
	if t.count == 0 {
		return 0, false
	}
	i := t.slot(key + 1)
	if t.keys[i] == 0 {
		return 0, false
	}
	number = t.numbers[i]
	mask := uint64(len(t.keys) - 1)
	for j := (i + 1) & mask; t.keys[j] != 0; j = (j + 1) & mask {
		if home := integer.Mix(t.keys[j]) & mask; (j-home)&mask >= (j-i)&mask { // the key at j was displaced by the one at i
			t.keys[i], t.numbers[i] = t.keys[j], t.numbers[j]
			i = j
		}
	}
	t.keys[i] = 0
	t.count--
	return number, true
}

// slot returns the slot with a key plus 1, or the free slot where it belongs.
func (t *Table) slot(key uint64) uint64 {
	mask := uint64(len(t.keys) - 1)
	i := integer.Mix(key) & mask
	for t.keys[i] != 0 && t.keys[i] != key {
		i = (i + 1) & mask
	}
	return i
}

func (t *Table) grow() {
	keys, numbers := t.keys, t.numbers
	size := max(2*len(keys), 1<<10)
	t.keys, t.numbers = make([]uint64, size), make([]uint32, size)
	for k, key := range keys {
		if key != 0 {
			i := t.slot(key)
			t.keys[i], t.numbers[i] = key, numbers[k]
		}
	}
}

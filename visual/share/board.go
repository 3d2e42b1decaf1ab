package share

import (
	"container/list"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"whorl/internal/figures"
)

// A board holds the registers of a hub in the order of their revisions, so that the registers changed since a revision are at the end.
type board struct {
	rev     uint64
	entries map[string]*list.Element // by key
	order   list.List                // of *entry, by revision
	bytes   int                      // of all keys and values
	max     int                      // bytes
	owned   map[ID]int               // bytes by the person who wrote them last
	least   uint64                   // removed registers up to this revision are forgotten
}

// An entry is a register of a board, or the mark of a removed one.
type entry struct {
	Register
	owner ID // who has written it, also where By does not tell
	time  time.Duration
	line  []byte // the register in JSON
}

func newBoard(max int) *board {
	return &board{entries: map[string]*list.Element{}, max: max, owned: map[ID]int{}}
}

var null = json.RawMessage("null")

// removed reports whether the entry marks a removed register.
func (e *entry) removed() bool { return string(e.Value) == "null" }

// get returns the register with a key, nil for none.
func (b *board) get(key string) *entry {
	if at := b.entries[key]; at != nil {
		if e := at.Value.(*entry); !e.removed() {
			return e
		}
	}
	return nil
}

// set writes a register. A nil value removes it. A value of the hub itself ignores the bounds.
func (b *board) set(key string, value json.RawMessage, by ID, now time.Duration) error {
	if value == nil {
		value = null
	}
	old := b.entries[key]
	gain := len(key) + len(value)
	if old != nil {
		gain -= old.Value.(*entry).size()
	} else if string(value) == "null" {
		return nil
	}
	switch {
	case len(key) > maxKey || !utf8.ValidString(key):
		return fmt.Errorf("a key of %d bytes, expected at most %d bytes of UTF-8", len(key), maxKey)
	case by != 0 && len(value) > maxValue:
		return fmt.Errorf("a value of %s, expected at most %s", figures.Size(int64(len(value))), figures.Size(maxValue))
	case by != 0 && gain > 0 && b.bytes+gain > b.max:
		return fmt.Errorf("the session holds %s already, the most that it may", figures.Size(int64(b.bytes)))
	case by != 0 && gain > 0 && b.owned[by]+gain > b.max/8:
		return fmt.Errorf("this person holds %s already, the most for one person", figures.Size(int64(b.owned[by])))
	}
	if old != nil {
		b.drop(old)
	}
	b.rev++
	e := &entry{Register: Register{Key: key, Rev: b.rev, By: by, Value: value}, owner: by, time: now}
	if strings.HasPrefix(key, "answer/") {
		e.By = 0
	}
	line, err := json.Marshal(&e.Register)
	if err != nil {
		return fmt.Errorf("the value is no JSON: %w", err)
	}
	e.line = line
	b.entries[key] = b.order.PushBack(e)
	b.bytes += e.size()
	b.owned[by] += e.size()
	return nil
}

func (e *entry) size() int { return len(e.Key) + len(e.Value) }

// drop removes an entry without a mark.
func (b *board) drop(at *list.Element) {
	e := at.Value.(*entry)
	b.order.Remove(at)
	delete(b.entries, e.Key)
	b.bytes -= e.size()
	if b.owned[e.owner] -= e.size(); b.owned[e.owner] == 0 {
		delete(b.owned, e.owner)
	}
}

// since calls f with the entries after a revision, in the order of their revisions.
func (b *board) since(rev uint64, f func(*entry)) {
	at := b.order.Back()
	if at == nil || at.Value.(*entry).Rev <= rev {
		return
	}
	for prev := at.Prev(); prev != nil && prev.Value.(*entry).Rev > rev; prev = at.Prev() {
		at = prev
	}
	for ; at != nil; at = at.Next() {
		f(at.Value.(*entry))
	}
}

// sweep forgets the marks of registers that were removed before a time.
func (b *board) sweep(before time.Duration) {
	var next *list.Element
	for at := b.order.Front(); at != nil; at = next {
		next = at.Next()
		if e := at.Value.(*entry); e.removed() && e.time < before {
			b.least = max(b.least, e.Rev)
			b.drop(at)
		}
	}
}

package otf2

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
)

// A window is the part of a file of events that is in memory.
type window struct {
	fsys  fs.FS
	name  string
	open  io.ReaderAt // kept open, nil if the file is opened anew for each part
	file  fs.File
	keep  bool
	size  int64 // of the file
	chunk int64
	width int

	from int64 // offset of buf[0] in the file
	buf  []byte
	pos  int // of the next record in buf
	end  int // of the data in buf
	big  bool
	err  error // that ended the file before its end
}

// begin opens the file. It returns an error if there is none.
func (w *window) begin() error {
	info, err := fs.Stat(w.fsys, w.name)
	if err != nil {
		return err
	}
	w.size = info.Size()
	w.buf = make([]byte, int(min(int64(w.width), w.size))+slack)
	w.enter(0)
	return nil
}

// close closes the file and releases its memory.
func (w *window) close() {
	if w.file != nil {
		w.file.Close()
	}
	w.file, w.open, w.buf, w.pos, w.end = nil, nil, nil, 0, 0
}

// until returns the end of the chunk at a position.
func (w *window) until(at int64) int64 {
	if n := at / w.chunk; n < w.size/w.chunk {
		return (n + 1) * w.chunk
	}
	return max(w.size, at)
}

// chunkHead is the length of the beginning of a chunk: type, order of bytes, numbers of its first and its last event.
const chunkHead = 18

// enter goes to the beginning of a chunk. It returns false at the end of the file, and if there is no chunk.
func (w *window) enter(at int64) bool {
	w.from, w.pos, w.end = at, 0, 0
	if at >= w.size || !w.fill(chunkHead) {
		return false
	}
	big, ok := order(w.buf[:w.end])
	if !ok {
		w.err = errors.New("no beginning of a chunk")
		return false
	}
	w.big, w.pos = big, chunkHead
	return true
}

// fill reads more of the chunk, so that n bytes from at on are there. It returns false if the chunk has fewer.
func (w *window) fill(n int) bool {
	at := w.from + int64(w.pos)
	want := int(min(w.until(at)-at, int64(max(n, w.width))))
	if want+slack > len(w.buf) {
		b := make([]byte, want+slack)
		w.end, w.buf = copy(b, w.buf[w.pos:w.end]), b
	} else {
		w.end = copy(w.buf, w.buf[w.pos:w.end])
	}
	w.from, w.pos = at, 0
	for w.end < want {
		got, err := w.read(w.buf[w.end:want], w.from+int64(w.end))
		if w.end += got; err != nil && w.end < want {
			w.err = err
			break
		}
	}
	return w.end >= n
}

// read reads a part of the file.
func (w *window) read(b []byte, at int64) (int, error) {
	if w.open != nil {
		return w.open.ReadAt(b, at)
	}
	f, err := w.fsys.Open(w.name)
	if err != nil {
		return 0, err
	}
	r, ok := f.(io.ReaderAt)
	if !ok {
		f.Close()
		return 0, errors.New("the file cannot be read in parts")
	}
	if w.keep {
		w.file, w.open = f, r
	} else {
		defer f.Close()
	}
	return r.ReadAt(b, at)
}

// Types of records in the frame of a file of events.
const (
	endOfFile       = 2 // and less
	timestampRecord = 5
	attributeRecord = 6
	firstEvent      = 10
)

// singles have a bit for each type of event that has one number and no length.
const singles = 1<<enter | 1<<leave | 1<<mpiIsendComplete | 1<<mpiIrecvRequest | 1<<mpiRequestTest | 1<<mpiRequestCancelled | 1<<ompFork |
	1<<ompTaskCreate | 1<<ompTaskSwitch | 1<<ompTaskComplete

// next goes to the next event of a location, and returns false if there is none.
func (l *location) next() bool {
	for {
		if l.end-l.pos < 32 {
			if l.fill(32); l.end == l.pos { // the end of the chunk
				if l.err != nil || !l.onward(l.from+int64(l.pos)) {
					return false
				}
				continue
			}
		}
		b := l.buf[l.pos:l.end]
		kind := b[0]
		switch {
		case kind == timestampRecord:
			if len(b) < 9 {
				if !l.cut() {
					return false
				}
				continue
			}
			raw := uint64(0)
			if l.big {
				raw = binary.BigEndian.Uint64(b[1:])
			} else {
				raw = binary.LittleEndian.Uint64(b[1:])
			}
			l.pos += 9
			if t := l.timer.ns(raw); t >= l.time || !l.timed && l.records == 0 {
				l.time = t
			} else {
				l.fell++
			}
			l.timed = true
			continue
		case kind <= endOfFile:
			next := l.until(l.from + int64(l.pos))
			if kind == endOfFile && next >= l.size || !l.onward(next) {
				return false
			}
			continue
		}
		n, ok := l.length(b)
		if !ok || l.end-l.pos < n && !l.fill(n) {
			if !l.cut() {
				return false
			}
			continue
		}
		l.kind, l.body = kind, cursor{b: l.buf, pos: l.pos, end: l.pos + n, big: l.big}
		l.pos += n
		l.records++
		if kind == attributeRecord {
			l.records--
			l.note()
			continue
		}
		return true
	}
}

// length goes to the content of the record that begins with b and returns its length. It returns false if b is too short or the length is none.
func (l *location) length(b []byte) (n int, ok bool) {
	l.pos++
	if len(b) < 2 {
		return 0, false
	}
	n = int(b[1])
	if kind := b[0]; kind < 64 && singles>>kind&1 != 0 {
		if n == 255 {
			n = 0
		}
		return n + 1, n <= 8
	}
	l.pos++
	if n < 255 {
		return n, true
	}
	if len(b) < 10 {
		return 0, false
	}
	c := cursor{b: l.buf, pos: l.pos, end: l.end, big: l.big}
	long := c.full(8)
	l.pos += 8
	return int(min(long, uint64(l.chunk))), long <= uint64(l.chunk)
}

// onward goes to the next chunk. A file ends with a record of its own, so it is cut if there is no next chunk.
func (l *location) onward(at int64) bool {
	if at >= l.size {
		l.err = errors.New("no end")
	}
	return l.enter(at)
}

// cut leaves out the rest of a chunk after the beginning of a record that has no end. It returns false in the last chunk.
func (l *location) cut() bool {
	at := l.until(l.from + int64(l.pos) - 1)
	if at < l.size {
		l.damaged++
	}
	return l.err == nil && l.onward(at)
}

// note reads the attributes of the next event. Only the address of a mutex is kept.
func (l *location) note() {
	c := l.body
	for n := c.ref(); n > 0 && !c.bad; n-- {
		id, kind := uint32(l.maps[mapAttribute].global(uint64(c.ref()))), c.u8()
		if kind == typeUint64 && l.mutexes[id] {
			l.mutex = c.number()
			continue
		}
		c.value(kind)
		l.attributes++
	}
}

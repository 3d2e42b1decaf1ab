package otf2

import (
	"encoding/binary"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"testing/fstest"

	"whorl/testdata/must"
)

// A written archive is one that a test writes. It has a location for each rank of a communicator, on hosts of two ranks.
type written struct {
	defs   []byte
	events [][]byte
	chunk  int
	from   []int // beginnings of the last chunks
	count  int   // of definitions
	times  []uint64
}

// Regions of a written archive.
const (
	regionMain = iota
	regionWork
	regionSend
	regionReceive
	regionBarrier
)

// number appends a number with its length.
func number(b []byte, v uint64) []byte {
	if v == undefined {
		return append(b, 255)
	}
	at := len(b)
	for b = append(b, 0); v > 0; v >>= 8 {
		b = append(b, byte(v))
		b[at]++
	}
	return b
}

// framed appends a record with its type and its length.
func framed(b []byte, kind byte, content []byte) []byte {
	b = append(b, kind)
	if len(content) < 255 {
		b = append(b, byte(len(content)))
	} else {
		b = binary.LittleEndian.AppendUint64(append(b, 255), uint64(len(content)))
	}
	return append(b, content...)
}

// header is the beginning of a chunk.
func header() []byte { return append([]byte{headerRecord, littleEndian}, make([]byte, 16)...) }

// define adds a definition: numbers, strings and bytes.
func (a *written) define(kind byte, values ...any) {
	var b []byte
	for _, v := range values {
		switch v := v.(type) {
		case int:
			b = number(b, uint64(v))
		case string:
			b = append(append(b, v...), 0)
		case byte:
			b = append(b, v)
		}
	}
	a.defs = framed(a.defs, kind, b)
	a.count++
}

// newWritten returns an archive without events.
func newWritten(ranks, chunk int) *written {
	a := &written{defs: header(), chunk: chunk}
	a.define(defClock, int(1e9), 0, 1<<40)
	names := []string{"main", "work", "MPI_Send", "MPI_Recv", "MPI_Barrier", "world", "node", "cluster", "MPI"}
	for i, name := range names {
		a.define(defString, i, name)
	}
	for host := range (ranks + 1) / 2 {
		a.define(defString, 1000+host, "host "+strconv.Itoa(host))
		a.define(defNode, host, 1000+host, 6, undefined)
	}
	group := []any{0, 5, byte(groupCommLocations), ranks}
	all := []any{1, 5, byte(5), ranks}
	for rank := range ranks {
		a.define(defString, 2000+rank, "rank "+strconv.Itoa(rank))
		a.define(defGroupOfPEs, rank, 2000+rank, byte(1), rank/2, undefined)
		a.define(defLocation, rank, 2000+rank, byte(1), 1, rank)
		group, all = append(group, rank), append(all, rank)
		a.events, a.from, a.times = append(a.events, header()), append(a.from, 0), append(a.times, 0)
	}
	for region := range regionBarrier + 1 {
		paradigm := byte(paradigmMPI)
		if region <= regionWork {
			paradigm = 1
		}
		a.define(defRegion, region, region, region, byte(0), undefined, 0, 0, region, byte(1), paradigm, 0)
	}
	a.define(defGroup, append(group, byte(groupCommLocations), byte(paradigmMPI), 0)...)
	a.define(defGroup, append(all, byte(5), byte(paradigmMPI), 0)...)
	a.define(defComm, 0, 5, 1, undefined, 0)
	return a
}

// event adds an event of a rank.
func (a *written) event(rank int, time uint64, kind byte, values ...uint64) {
	var c []byte
	for i, v := range values {
		if kind == mpiCollectiveEnd && i == 0 || kind == bufferFlush {
			c = append(c, byte(v))
			continue
		}
		c = number(c, v)
	}
	var b []byte
	if time != a.times[rank] {
		b = binary.LittleEndian.AppendUint64([]byte{timestampRecord}, time)
		a.times[rank] = time
	}
	if singles>>(kind&63)&1 != 0 && kind < 64 {
		b = append(append(b, kind), c...)
	} else {
		b = framed(b, kind, c)
	}
	if len(a.events[rank])-a.from[rank]+len(b)+1 > a.chunk {
		a.from[rank] += a.chunk
		a.events[rank] = append(a.events[rank], make([]byte, a.from[rank]-len(a.events[rank]))...)
		a.events[rank] = append(a.events[rank], header()...)
		if b[0] != timestampRecord {
			a.events[rank] = binary.LittleEndian.AppendUint64(append(a.events[rank], timestampRecord), time)
		}
	}
	a.events[rank] = append(a.events[rank], b...)
}

// files returns the files of the archive with the anchor file t.otf2.
func (a *written) files() fstest.MapFS {
	anchor := append([]byte{headerRecord, littleEndian}, "OTF2\x00\x03\x02\x03\x00\x02"...)
	anchor = binary.LittleEndian.AppendUint64(anchor, uint64(a.chunk))
	anchor = binary.LittleEndian.AppendUint64(anchor, 4<<20)
	anchor = append(anchor, substratePOSIX, compressionNone)
	anchor = binary.LittleEndian.AppendUint64(anchor, uint64(len(a.events)))
	anchor = binary.LittleEndian.AppendUint64(anchor, uint64(a.count))
	anchor = append(anchor, "a machine\x00a test\x00\x00"...)
	anchor = append(anchor, make([]byte, 20)...)
	anchor = append(anchor, endOfFile)
	fs := fstest.MapFS{"t.otf2": {Data: anchor}, "t.def": {Data: append(slices.Clone(a.defs), endOfFile, 1)}}
	for rank, b := range a.events {
		fs["t/"+strconv.Itoa(rank)+".evt"] = &fstest.MapFile{Data: append(slices.Clone(b), endOfFile, 1)}
		fs["t/"+strconv.Itoa(rank)+".def"] = &fstest.MapFile{Data: append(header(), endOfFile, 1)}
	}
	return fs
}

// save writes the archive into a folder.
func (a *written) save(t testing.TB, folder string) {
	files := a.files()
	must.Do(t, os.MkdirAll(filepath.Join(folder, "t"), 0o755))
	for _, name := range slices.Sorted(maps.Keys(files)) {
		must.Do(t, os.WriteFile(filepath.Join(folder, name), files[name].Data, 0o644))
	}
}

// ring returns an archive of ranks that send to the next one, with about so many events, 10 in each round of a rank.
func ring(ranks, events, chunk int) *written {
	a := newWritten(ranks, chunk)
	for rank := range ranks {
		a.event(rank, 1000, enter, regionMain)
	}
	at := uint64(2000)
	for range events / ranks / 10 {
		at += 10_000
		for rank := range ranks {
			t := at + uint64(rank*37)
			next, last := uint64((rank+1)%ranks), uint64((rank+ranks-1)%ranks)
			a.event(rank, t, enter, regionWork)
			a.event(rank, t+1000+uint64(rank)*100, leave, regionWork)
			t += 2000
			a.event(rank, t, enter, regionSend)
			a.event(rank, t+10, mpiSend, next, 0, 7, 1024)
			a.event(rank, t+20, leave, regionSend)
			a.event(rank, t+30, enter, regionReceive)
			a.event(rank, t+3000, mpiRecv, last, 0, 7, 1024)
			a.event(rank, t+3010, leave, regionReceive)
			a.event(rank, t+3020, enter, regionWork)
			a.event(rank, t+3030, leave, regionWork)
		}
	}
	for rank := range ranks {
		a.event(rank, at+20_000, leave, regionMain)
	}
	return a
}

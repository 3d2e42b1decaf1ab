package makes

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// A Recording watches the lines of recipes begin and end.
type Recording struct {
	dir   string
	start time.Time
	epoll int
	pipe  int // on which lines tell that they begin
	stop  int // an event
	done  sync.WaitGroup

	rest   []byte       // the beginning of a line of the pipe
	latest map[int]*job // by process
	byFD   map[int32]*job
	jobs   []*job
	most   int // lines that make may run at a time
	lost   int64
	last   int64
	ended  int64
}

// Start begins a recording. Its files lie in dir, which exists.
func Start(dir string) (*Recording, error) {
	self, err := unix.PidfdOpen(os.Getpid(), 0)
	if err != nil {
		return nil, ErrSystem
	}
	unix.Close(self)
	if err := prepare(dir); err != nil {
		return nil, err
	}
	r := &Recording{dir: dir, start: time.Now(), latest: map[int]*job{}, byFD: map[int32]*job{}, epoll: -1, pipe: -1, stop: -1}
	path := filepath.Join(dir, "pipe")
	err = unix.Mkfifo(path, 0o600)
	if err == nil {
		// It is open for writing too, so that no line waits for its opening, and it has no end.
		r.pipe, err = unix.Open(path, unix.O_RDWR|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	}
	if err == nil {
		r.stop, err = unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	}
	if err == nil {
		r.epoll, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	}
	for _, fd := range []int{r.pipe, r.stop} {
		if err == nil {
			err = r.watch(fd)
		}
	}
	if err != nil {
		r.close()
		return nil, err
	}
	r.done.Go(r.loop)
	return r, nil
}

func (r *Recording) watch(fd int) error {
	return unix.EpollCtl(r.epoll, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(fd)})
}

func (r *Recording) close() {
	for _, fd := range []int{r.pipe, r.stop, r.epoll} {
		if fd >= 0 {
			unix.Close(fd)
		}
	}
}

// Stop ends the recording when make has ended.
func (r *Recording) Stop() {
	_, _ = unix.Write(r.stop, []byte{1, 0, 0, 0, 0, 0, 0, 0})
	r.done.Wait()
	r.close()
}

// loop reads begins and ends until Stop. What make does because a line has ended comes after that end, so ends come before begins.
func (r *Recording) loop() {
	var events [256]unix.EpollEvent
	for {
		n, err := unix.EpollWait(r.epoll, events[:], -1)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		begins, stops := false, err != nil
		for _, e := range events[:max(n, 0)] {
			switch int(e.Fd) {
			case r.pipe:
				begins = true
			case r.stop:
				stops = true
			default:
				r.ends(e.Fd)
			}
		}
		if begins || stops {
			r.read()
		}
		if stops {
			for _, fd := range slices.Sorted(maps.Keys(r.byFD)) { // lines that still run
				r.ends(fd)
			}
			r.ended = r.now()
			return
		}
	}
}

// now returns the time. It differs for all records, so that a line that has ended before its beginning was read has a length.
func (r *Recording) now() int64 {
	r.last = max(int64(time.Since(r.start)), r.last+1)
	return r.last
}

func (r *Recording) ends(fd int32) {
	if j := r.byFD[fd]; j != nil {
		j.to = r.now()
		delete(r.byFD, fd)
		unix.Close(int(fd))
	}
}

// read reads the pipe until it is empty.
func (r *Recording) read() {
	var buf [1 << 16]byte
	for {
		n, err := unix.Read(r.pipe, buf[:])
		if err != nil || n <= 0 {
			return
		}
		r.rest = append(r.rest, buf[:n]...)
		for {
			line, rest, ok := bytes.Cut(r.rest, []byte{'\n'})
			if !ok {
				break
			}
			r.begins(line)
			r.rest = rest
		}
		if len(r.rest) > len(buf) {
			r.rest = nil
			r.lost++
		}
	}
}

// begins records that a line begins. Its text has the process, that of make, that of the line that runs make, the number of jobs, the folder and the target.
func (r *Recording) begins(text []byte) {
	fields := bytes.SplitN(text, []byte{'\t'}, 6)
	if len(fields) < 6 || len(r.jobs) >= mostJobs {
		r.lost++
		return
	}
	number := func(i int) int {
		n, _ := strconv.Atoi(string(fields[i]))
		return n
	}
	j := &job{pid: number(0), make: number(1), dir: string(fields[4]), target: string(fields[5]), from: r.now()}
	j.parent = r.latest[number(2)]
	r.latest[j.pid] = j
	r.most = max(r.most, number(3))
	r.jobs = append(r.jobs, j)
	fd, err := unix.PidfdOpen(j.pid, 0)
	if err != nil { // it has ended
		j.to = r.now()
		return
	}
	if r.watch(fd) != nil {
		unix.Close(fd)
		r.lost++
		j.to = r.now()
		return
	}
	r.byFD[int32(fd)] = j
}

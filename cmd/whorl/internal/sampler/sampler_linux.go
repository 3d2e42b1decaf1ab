package sampler

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A Sampler samples the threads of programs. It is not safe for concurrent use.
type Sampler struct {
	pid     int   // of a process that runs already, 0 for a program that is to be started
	events  []int // file descriptors
	rings   []*ring
	written []record // before the first sample
	ended   chan struct{}
	gone    bool // the process has ended
}

// Program returns a Sampler of the next program that the calling thread starts, and of all programs that this one starts, rate times for each second
// that a thread runs. The caller has locked its thread (runtime.LockOSThread).
func Program(rate int) (*Sampler, error) {
	s := &Sampler{ended: make(chan struct{})}
	return s, s.open([]int{0}, rate, unix.PerfBitEnableOnExec|unix.PerfBitDisabled)
}

// Process returns a Sampler of the threads of a process that runs already, and of those that they start. Close ends the samples, not the process.
func Process(pid, rate int) (*Sampler, error) {
	s := &Sampler{pid: pid, ended: make(chan struct{})}
	threads, err := s.describe()
	switch {
	case errors.Is(err, os.ErrPermission):
		return nil, s.refused(unix.EACCES, rate)
	case err != nil:
		return nil, fmt.Errorf("no process has the number %d", pid)
	}
	return s, s.open(threads, rate, 0)
}

// open begins to sample threads on each CPU. The kernel lends a buffer to the events of all threads on one CPU: an event that new threads inherit has none
// for all CPUs.
func (s *Sampler) open(threads []int, rate int, bits uint64) error {
	attr := unix.PerfEventAttr{
		Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_CPU_CLOCK, Sample: uint64(rate),
		Sample_type: unix.PERF_SAMPLE_IP | unix.PERF_SAMPLE_TID | unix.PERF_SAMPLE_TIME | unix.PERF_SAMPLE_CPU | unix.PERF_SAMPLE_PERIOD | unix.PERF_SAMPLE_CALLCHAIN,
		Bits: bits | unix.PerfBitFreq | unix.PerfBitInherit | unix.PerfBitMmap | unix.PerfBitMmap2 | unix.PerfBitComm | unix.PerfBitCommExec |
			unix.PerfBitTask | unix.PerfBitSampleIDAll | unix.PerfBitExcludeHv | unix.PerfBitUseClockID,
		Clockid: unix.CLOCK_MONOTONIC,
	}
	attr.Size = uint32(unsafe.Sizeof(attr))
	for _, cpu := range online() {
		var first *ring
		for _, thread := range threads {
			fd, err := unix.PerfEventOpen(&attr, thread, cpu, -1, unix.PERF_FLAG_FD_CLOEXEC)
			if errors.Is(err, unix.EACCES) || errors.Is(err, unix.EPERM) { // the kernel itself may be closed to this user
				attr.Bits |= unix.PerfBitExcludeKernel
				fd, err = unix.PerfEventOpen(&attr, thread, cpu, -1, unix.PERF_FLAG_FD_CLOEXEC)
			}
			if errors.Is(err, unix.ESRCH) && thread != s.pid { // the thread has ended
				continue
			}
			if err != nil {
				s.Close()
				return s.refused(err, rate)
			}
			s.events = append(s.events, fd)
			if first != nil {
				if err := unix.IoctlSetInt(fd, unix.PERF_EVENT_IOC_SET_OUTPUT, first.fd); err != nil {
					s.Close()
					return fmt.Errorf("the buffer of CPU %d: %w", cpu, err)
				}
				continue
			}
			if first, err = newRing(fd); err != nil {
				s.Close()
				return fmt.Errorf("the buffer of CPU %d: %w; kernel.perf_event_mlock_kb limits it", cpu, err)
			}
			s.rings = append(s.rings, first)
		}
	}
	return nil
}

// refused explains an error of perf_event_open.
func (s *Sampler) refused(err error, rate int) error {
	switch {
	case errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.ENOENT) || errors.Is(err, unix.EOPNOTSUPP):
		return fmt.Errorf("this kernel has no performance events (%w)", err)
	case errors.Is(err, unix.EMFILE):
		return fmt.Errorf("%w: each thread needs a file for each of the %d CPUs; raise the limit with ulimit -n", err, len(online()))
	case errors.Is(err, unix.EINVAL):
		if most := setting("kernel/perf_event_max_sample_rate"); most > 0 && rate > most {
			return fmt.Errorf("%d samples in a second are more than kernel.perf_event_max_sample_rate, %d", rate, most)
		}
	case errors.Is(err, unix.EACCES) || errors.Is(err, unix.EPERM):
		switch level := setting("kernel/perf_event_paranoid"); {
		case os.Geteuid() != 0 && level > 2:
			return fmt.Errorf("the kernel forbids samples (%w): kernel.perf_event_paranoid is %d; sampling your own programs needs at most 2: sysctl kernel.perf_event_paranoid=2", err, level)
		case os.Geteuid() != 0 && s.pid != 0:
			return fmt.Errorf("the kernel forbids samples of process %d (%w): it belongs to another user, or has other rights", s.pid, err)
		}
		return fmt.Errorf("samples are forbidden here (%w): a container allows them with the capability PERFMON and a seccomp profile that has perf_event_open", err)
	}
	return fmt.Errorf("samples cannot be taken (%w)", err)
}

// setting returns a number of the kernel's settings, -1 if it is not known.
func setting(name string) int {
	b, err := os.ReadFile("/proc/sys/" + name)
	if err != nil {
		return -1
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		return -1
	}
	return n
}

// online returns the numbers of the CPUs that run.
func online() (cpus []int) {
	b, err := os.ReadFile("/sys/devices/system/cpu/online")
	if err == nil {
		for part := range strings.SplitSeq(strings.TrimSpace(string(b)), ",") {
			first, last, isRange := strings.Cut(part, "-")
			if !isRange {
				last = first
			}
			from, bad := strconv.Atoi(first)
			to, worse := strconv.Atoi(last)
			for cpu := from; bad == nil && worse == nil && cpu <= to; cpu++ {
				cpus = append(cpus, cpu)
			}
		}
	}
	for cpu := len(cpus); len(cpus) == 0 && cpu < runtime.NumCPU(); cpu++ {
		cpus = append(cpus, cpu)
	}
	return cpus
}

// describe notes the names and mappings that a process has already, and returns its threads.
func (s *Sampler) describe() (threads []int, err error) {
	dir := fmt.Sprintf("/proc/%d", s.pid)
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		return nil, err
	}
	at := uint64(now.Nano())
	tasks, err := os.ReadDir(dir + "/task")
	if err != nil {
		return nil, err
	}
	for _, t := range tasks {
		tid, err := strconv.Atoi(t.Name())
		if err != nil {
			continue
		}
		name, err := os.ReadFile(filepath.Join(dir, "task", t.Name(), "comm"))
		if err != nil {
			continue // it has ended
		}
		threads = append(threads, tid)
		s.written = append(s.written, record{kind: recordComm, pid: int32(s.pid), tid: int32(tid), time: at, text: strings.TrimSuffix(string(name), "\n")})
	}
	f, err := os.Open(dir + "/maps")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if m, ok := parseMap(lines.Text()); ok {
			s.written = append(s.written, record{
				kind: recordMmap2, pid: int32(s.pid), tid: int32(s.pid), time: at, text: m.path, from: m.from, length: m.to - m.from, offset: m.offset,
			})
		}
	}
	return threads, nil
}

// parseMap parses a line of /proc/PID/maps. It returns false for memory that is not executed.
func parseMap(line string) (m mapping, ok bool) {
	fields := strings.Fields(line)
	if len(fields) < 5 || !strings.Contains(fields[1], "x") {
		return m, false
	}
	from, to, _ := strings.Cut(fields[0], "-")
	var errs [3]error
	m.from, errs[0] = strconv.ParseUint(from, 16, 64)
	m.to, errs[1] = strconv.ParseUint(to, 16, 64)
	m.offset, errs[2] = strconv.ParseUint(fields[2], 16, 64)
	m.path = "//anon"
	if len(fields) > 5 {
		m.path = strings.Join(fields[5:], " ")
	}
	return m, errors.Join(errs[:]...) == nil && m.from < m.to
}

// Ended returns a channel that Write closes when a process that ran already has ended.
func (s *Sampler) Ended() <-chan struct{} { return s.ended }

// Write writes the records to w as text in the form of perf script, until done is closed. It is called once.
func (s *Sampler) Write(w io.Writer, done <-chan struct{}) error {
	out := newWriter(w, newSymbols(""))
	out.round(s.written, true)
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for last := false; !last; {
		select {
		case <-done:
			last = true
		case <-tick.C:
			if s.pid != 0 && !s.gone && errors.Is(unix.Kill(s.pid, 0), unix.ESRCH) {
				s.gone = true
				close(s.ended)
			}
		}
		var records []record
		for _, r := range s.rings {
			records = r.take(records)
		}
		out.round(records, last)
		if err := out.out.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// Close ends the samples.
func (s *Sampler) Close() {
	for _, r := range s.rings {
		_ = unix.Munmap(r.memory)
	}
	for _, fd := range s.events {
		_ = unix.Close(fd)
	}
	s.rings, s.events = nil, nil
}

// pages is the number of pages of a buffer, a power of two. The kernel allows each user 512 KiB for each CPU and one page more.
const pages = 128

// A ring is the buffer into which the kernel writes the records of a CPU.
type ring struct {
	fd     int
	memory []byte
	head   *unix.PerfEventMmapPage
	data   []byte
	joined []byte // a record that lies at the end and the beginning
}

func newRing(fd int) (*ring, error) {
	size := os.Getpagesize()
	memory, err := unix.Mmap(fd, 0, (1+pages)*size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	return &ring{fd: fd, memory: memory, head: (*unix.PerfEventMmapPage)(unsafe.Pointer(&memory[0])), data: memory[size:]}, nil
}

// take appends the records that the kernel has written since the last call.
func (r *ring) take(records []record) []record {
	mask := uint64(len(r.data) - 1)
	head, tail := atomic.LoadUint64(&r.head.Data_head), r.head.Data_tail
	for head-tail >= 8 {
		var start [8]byte
		for i := range start {
			start[i] = r.data[(tail+uint64(i))&mask]
		}
		size := uint64(binary.NativeEndian.Uint16(start[6:]))
		if size < 8 || size > head-tail {
			break
		}
		at := tail & mask
		b := r.data[at:min(at+size, uint64(len(r.data)))]
		if rest := size - uint64(len(b)); rest > 0 {
			r.joined = append(append(r.joined[:0], b...), r.data[:rest]...)
			b = r.joined
		}
		if one, ok := parse(b); ok {
			records = append(records, one)
		}
		tail += size
	}
	atomic.StoreUint64(&r.head.Data_tail, head)
	return records
}

package otf2

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// archives is the folder with archives that EZTrace recorded.
const archives = "../../../testdata/mpi"

// printed are the names that otf2-print gives to events.
var printed = map[uint8]string{
	enter: "ENTER", leave: "LEAVE", mpiSend: "MPI_SEND", mpiIsend: "MPI_ISEND", mpiIsendComplete: "MPI_ISEND_COMPLETE", mpiIrecvRequest: "MPI_IRECV_REQUEST",
	mpiRecv: "MPI_RECV", mpiIrecv: "MPI_IRECV", mpiCollectiveBegin: "MPI_COLLECTIVE_BEGIN", mpiCollectiveEnd: "MPI_COLLECTIVE_END", threadBegin: "THREAD_BEGIN",
	threadEnd: "THREAD_END", metricEvent: "METRIC", threadFork: "THREAD_FORK", threadJoin: "THREAD_JOIN", threadTeamBegin: "THREAD_TEAM_BEGIN",
	threadTeamEnd: "THREAD_TEAM_END", threadTaskCreate: "THREAD_TASK_CREATE", threadTaskSwitch: "THREAD_TASK_SWITCH", threadTaskComplete: "THREAD_TASK_COMPLETE",
	rmaPut: "RMA_PUT", rmaGet: "RMA_GET", rmaCompleteBlocking: "RMA_OP_COMPLETE_BLOCKING", rmaComplete: "RMA_OP_COMPLETE_NON_BLOCKING",
	parameterInt: "PARAMETER_INT64", threadAcquireLock: "THREAD_ACQUIRE_LOCK", threadReleaseLock: "THREAD_RELEASE_LOCK",
	rmaCollectiveBegin: "RMA_COLLECTIVE_BEGIN", rmaCollectiveEnd: "RMA_COLLECTIVE_END", programBegin: "PROGRAM_BEGIN", programEnd: "PROGRAM_END",
	collectiveRequest: "NON_BLOCKING_COLLECTIVE_REQUEST", collectiveComplete: "NON_BLOCKING_COLLECTIVE_COMPLETE", bufferFlush: "BUFFER_FLUSH",
}

// oracle returns the output of otf2-print for an archive, or its output when the test was written: its lines by location, without names.
func oracle(t *testing.T, name string) map[uint64][]string {
	saved := must.Get(os.ReadFile(filepath.Join("testdata", name+".txt")))(t)
	if tool, err := exec.LookPath("otf2-print"); err == nil {
		out, err := exec.Command(tool, filepath.Join(archives, name+".otf2")).Output()
		must.Do(t, err)
		if plain := unnamed(out); plain != string(saved) {
			t.Errorf("%s: otf2-print says other things than in testdata/%s.txt", name, name)
		}
	}
	lines := map[uint64][]string{}
	s := bufio.NewScanner(bytes.NewReader(saved))
	for s.Scan() {
		f := strings.SplitN(strings.TrimSpace(s.Text()), " ", 4)
		if len(f) >= 3 && f[0] != "ADDITIONAL" {
			location := must.Get(strconv.ParseUint(f[1], 10, 64))(t)
			lines[location] = append(lines[location], strings.Join(slices.Delete(f, 1, 2), " "))
		}
	}
	return lines
}

var (
	spaces = regexp.MustCompile("  +")
	inside = regexp.MustCompile(` \((INVALID|"[^"]*" <[0-9]*>)\)`)
	prefix = regexp.MustCompile(`: "[^"]*" <`)
)

// unnamed returns the events in the output of otf2-print without names, and with single spaces.
func unnamed(out []byte) string {
	_, events, _ := strings.Cut(string(out), "\n----")
	_, events, _ = strings.Cut(events, "\n")
	return prefix.ReplaceAllString(inside.ReplaceAllString(spaces.ReplaceAllString(events, " "), ""), ": <")
}

// described returns the event of a location as otf2-print writes it, as far as the reader knows its fields.
func (l *location) described(r *reader) string {
	c := l.body
	line := fmt.Sprintf("%s %d", printed[l.kind], l.time+int64(r.d.offset))
	switch l.kind {
	case enter, leave:
		return fmt.Sprintf("%s Region: <%d>", line, l.maps[mapRegion].global(uint64(c.ref())))
	case mpiSend, mpiIsend, mpiRecv, mpiIrecv:
		rank, comm, tag, bytes := c.ref(), l.maps[mapComm].global(uint64(c.ref())), c.ref(), c.number()
		who := "Receiver"
		if l.kind == mpiRecv || l.kind == mpiIrecv {
			who = "Sender"
		}
		line = fmt.Sprintf("%s %s: %d, Communicator: <%d>, Tag: %d, Length: %d", line, who, rank, comm, tag, bytes)
		if l.kind == mpiIsend || l.kind == mpiIrecv {
			line += fmt.Sprintf(", Request: %d", c.number())
		}
		return line
	case mpiIsendComplete, mpiIrecvRequest:
		return fmt.Sprintf("%s Request: %d", line, c.number())
	case mpiCollectiveEnd:
		op, comm, root, sent, received := c.u8(), l.maps[mapComm].global(uint64(c.ref())), c.ref(), c.number(), c.number()
		name := strings.ToUpper(strings.ReplaceAll(collectives[op].name, " ", "_"))
		by := strconv.Itoa(int(root))
		if root == undefined {
			by = "NONE"
		}
		return fmt.Sprintf("%s Operation: %s, Communicator: <%d>, Root: %s, Sent: %d, Received: %d", line, name, comm, by, sent, received)
	}
	return line
}

// open returns a reader of an archive that has not begun.
func open(t testing.TB, folder, name string, rec tracer.Recorder) *reader {
	r, err := prepare(os.DirFS(folder), name, rec, profile.Options{})
	must.Do(t, err)
	return r
}

// TestPrint compares each record, its time and its fields with otf2-print, and each message of the trace with its records.
func TestPrint(t *testing.T) {
	for _, name := range []string{"hybrid", "locks", "ring", "stencil", "transpose", "workers"} {
		want := oracle(t, name)
		r := open(t, archives, name+".otf2", tracer.NewMemory())
		if len(r.locations) != len(want) {
			t.Errorf("%s: %d locations of %d", name, len(r.locations), len(want))
		}
		for _, l := range r.locations {
			lines := want[l.place.id]
			must.Do(t, l.begin())
			for l.next() {
				got := l.described(r)
				if len(lines) == 0 || got != lines[0] && !(strings.HasPrefix(lines[0], got+" ") && strings.Count(got, " ") == 1) {
					t.Fatalf("%s, location %d: %q, otf2-print has %q", name, l.place.id, got, slices.Concat(lines, []string{"nothing"})[0])
				}
				lines = lines[1:]
			}
			if len(lines) > 0 || l.err != nil {
				t.Errorf("%s, location %d: %d records are missing: %v", name, l.place.id, len(lines), l.err)
			}
		}
	}
}

// TestMessages finds each point-to-point message of otf2-print in the trace, with its bytes, and its receipt no earlier than its beginning.
func TestMessages(t *testing.T) {
	for _, name := range []string{"ring", "stencil", "workers"} {
		m := tracer.NewMemory()
		must.Do(t, Read(os.DirFS(archives), name+".otf2", m, profile.Options{}))
		must.Do(t, m.Close())
		type parcel struct{ from, to, bytes int64 }
		want, got := map[parcel]int{}, map[parcel]int{}
		for location, lines := range oracle(t, name) {
			for _, line := range lines {
				var kind string
				var to int64
				var time, comm, tag, bytes int64
				if n, _ := fmt.Sscanf(line, "%s %d Receiver: %d, Communicator: <%d>, Tag: %d, Length: %d", &kind, &time, &to, &comm, &tag, &bytes); n == 6 && to < 1<<31 {
					want[parcel{int64(location / 536870911), to, bytes}]++
				}
			}
		}
		sent := map[uint64]tracer.Event{}
		must.Do(t, m.Scan(tracer.Kinds(tracer.Send, tracer.Recv), func(es []tracer.Event) error {
			for _, e := range es {
				switch s, ok := sent[e.Ref]; {
				case e.Kind == tracer.Send && e.Code == 0:
					sent[e.Ref] = e
					got[parcel{int64(e.PE), int64(e.Peer), e.Value}]++
				case e.Code != 0:
				case !ok || s.PE != e.Peer || s.Peer != e.PE || s.Value != e.Value || s.Time > e.Time:
					t.Errorf("%s: %+v is received as %+v", name, s, e)
				default:
					delete(sent, e.Ref)
				}
			}
			return nil
		}))
		if fmt.Sprint(got) != fmt.Sprint(want) || len(sent) > 0 || len(want) == 0 {
			t.Errorf("%s: messages %v, %d of them are not received; otf2-print has %v", name, got, len(sent), want)
		}
	}
}

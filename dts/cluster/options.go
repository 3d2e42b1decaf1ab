package cluster

import (
	"fmt"
	"os"
	"strings"
	"time"
	"unicode"

	"whorl/dts"
)

// Options say which cluster a process belongs to and as what.
type Options struct {
	URL    string  // of the servers, with commas between them: nats://USER:SECRET@HOST:PORT, or tls://...; "" where Server is set
	Server *Server // an embedded server of this process

	Credentials   string // file with the credentials of a user (.creds), "" for those in the URL
	CA, Cert, Key string // PEM files: whom to trust beside the system, and who this process is

	Cluster string // clusters of several names share servers and do not see each other; "default" where it is ""
	Name    string // of this node among the others; host and process where it is ""
	Version string // of the program; the digest of its executable file where it is ""
	Policy  string // where forks go, one of Policies; DefaultPolicy where it is ""
	Bound   int    // outstanding forks at another node, for each of its PEs; 4 where it is 0
	Trace   bool   // record, and send the trace to whoever collects it

	Patience time.Duration // without a word of any server, before a node or someone who waits gives up; 30 s where it is 0

	// Local says how this node runs its threads: on how many PEs, under which policy. Its Funcs are what others can call here.
	Local dts.Options

	Log func(format string, args ...any) // takes lines for the user; nil drops them

	timing timing
	stage  func(name string) // of tests: is told how far things are
	skew   time.Duration     // of tests: the clock is fast by so much
}

// checked fills in what is zero and says what is wrong.
func (o Options) checked() (*Options, error) {
	if o.Cluster == "" {
		o.Cluster = "default"
	}
	if o.Name == "" {
		host, err := os.Hostname()
		if err != nil {
			host = "node"
		}
		o.Name = fmt.Sprintf("%s-%d", token(host), os.Getpid())
	}
	if o.Bound == 0 {
		o.Bound = 4
	}
	if o.Patience == 0 {
		o.Patience = 30 * time.Second
	}
	if o.timing == (timing{}) {
		o.timing = defaultTiming
	}
	if o.stage == nil {
		o.stage = func(string) {}
	}
	if o.Log == nil {
		o.Log = func(string, ...any) {}
	}
	switch {
	case o.URL == "" && o.Server == nil:
		return nil, fmt.Errorf("a cluster needs the URL of a server, such as nats://USER:SECRET@127.0.0.1:4222")
	case o.Name != token(o.Name):
		return nil, fmt.Errorf("a node cannot be called %q: expected letters, digits, - and _, at most %d", o.Name, maxToken)
	case o.Cluster != token(o.Cluster):
		return nil, fmt.Errorf("a cluster cannot be called %q: expected letters, digits, - and _, at most %d", o.Cluster, maxToken)
	case o.Bound < 0 || o.Patience < 0:
		return nil, fmt.Errorf("a number of outstanding forks or a time is negative")
	}
	if _, err := findPolicy(o.Policy); err != nil {
		return nil, err
	}
	if o.Version == "" {
		v, err := ProgramVersion()
		if err != nil {
			return nil, fmt.Errorf("the version of this program: %w", err)
		}
		o.Version = v
	}
	if o.Version != token(o.Version) {
		return nil, fmt.Errorf("a version cannot be %q: expected letters, digits, - and _, at most %d", o.Version, maxToken)
	}
	return &o, nil
}

// maxToken bounds names that become parts of subjects.
const maxToken = 64

// token makes a name that can be part of a subject, and the name of a stream and of a key.
func token(name string) string {
	s := strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) || r == '_' {
			return r
		}
		return '-'
	}, name)
	if s == "" {
		s = "-"
	}
	return s[:min(len(s), maxToken)]
}

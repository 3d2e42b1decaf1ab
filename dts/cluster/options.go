package cluster

import (
	"fmt"
	"os"
	"strings"
	"time"
	"unicode"

	"whorl/dts"
)

// Options describe a cluster and the role of a process in it.
type Options struct {
	URL    string  // of the servers, separated by commas: nats://USER:SECRET@HOST:PORT, or tls://...; "" if Server is set
	Server *Server // embedded server of this process

	Credentials   string // .creds file of a user; "" to use the URL
	CA, Cert, Key string // PEM files: trusted authorities in addition to the system's, and this process's certificate

	Cluster string // name that separates clusters on shared servers; "default" if ""
	Name    string // of this node, unique in the cluster; host and process if ""
	Version string // of the program; the digest of its executable if ""
	Policy  string // placement of forks, one of Policies; DefaultPolicy if ""
	Bound   int    // outstanding forks to another node, for each of its PEs; 4 if 0
	Trace   bool   // record, and send the trace to the servers

	Patience time.Duration // time without a server before a node or Wait gives up; 30 s if 0

	// Local configures the threads of this node: number of PEs, policy and so on. Local.Funcs are the functions that
	// other nodes can call.
	Local dts.Options

	Log func(format string, args ...any) // receives messages for the user; nil drops them

	timing timing
	stage  func(name string) // for tests: called at the steps of a call or job
	skew   time.Duration     // for tests: error of the clock
}

// checked fills in defaults and checks the options.
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
		return nil, fmt.Errorf("invalid node name %q: expected letters, digits, - and _, at most %d", o.Name, maxToken)
	case o.Cluster != token(o.Cluster):
		return nil, fmt.Errorf("invalid cluster name %q: expected letters, digits, - and _, at most %d", o.Cluster, maxToken)
	case o.Bound < 0 || o.Patience < 0:
		return nil, fmt.Errorf("negative number of outstanding forks, or negative time")
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
		return nil, fmt.Errorf("invalid version %q: expected letters, digits, - and _, at most %d", o.Version, maxToken)
	}
	return &o, nil
}

// maxToken bounds names that become parts of subjects.
const maxToken = 64

// token turns a name into a valid token of a subject, which is also valid in names of streams and in keys.
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

package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// streams are the stored data of a cluster: jobs, results, the nodes' traces, and the nodes.
type streams struct {
	cluster string
	js      jetstream.JetStream
	jobs    jetstream.Stream
	results jetstream.Stream
	logs    jetstream.Stream
	joins   jetstream.Stream // message numbers are the numbers of the nodes
	nodes   jetstream.KeyValue
}

func (s *streams) name(what string) string { return "whorl-" + s.cluster + "-" + what }
func (s *streams) subjectJob(version, id string) string {
	return subject(s.cluster, "job", version, id)
}
func (s *streams) subjectResult(id string) string { return subject(s.cluster, "result", id) }
func (s *streams) subjectLog(node string) string  { return subject(s.cluster, "log", node) }

// Ages at which stored results and traces are deleted.
const (
	keepResults = 7 * 24 * time.Hour
	keepLogs    = 24 * time.Hour
)

// openStreams creates missing streams. Several nodes may do so at the same time with the same settings.
func openStreams(ctx context.Context, js jetstream.JetStream, cluster string, lease time.Duration) (*streams, error) {
	s := &streams{cluster: cluster, js: js}
	err := within(ctx, func(ctx context.Context) (err error) {
		// A job stays until it is acknowledged, after its result is stored.
		if s.jobs, err = stream(ctx, js, jetstream.StreamConfig{
			Name: s.name("jobs"), Subjects: []string{subject(cluster, "job", "*", "*")}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage,
			MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, MaxMsgs: 1 << 20,
		}); err != nil {
			return err
		}
		// Each job has one result: if a late acknowledgement let the job run twice, the first result counts.
		if s.results, err = stream(ctx, js, jetstream.StreamConfig{
			Name: s.name("results"), Subjects: []string{subject(cluster, "result", "*")}, Storage: jetstream.FileStorage, MaxAge: keepResults,
			MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, AllowDirect: true, MaxMsgs: 1 << 20,
		}); err != nil {
			return err
		}
		if s.logs, err = stream(ctx, js, jetstream.StreamConfig{
			Name: s.name("logs"), Subjects: []string{subject(cluster, "log", "*")}, Storage: jetstream.FileStorage, MaxAge: keepLogs,
			Duplicates: 2 * time.Minute,
		}); err != nil {
			return err
		}
		if s.joins, err = stream(ctx, js, jetstream.StreamConfig{
			Name: s.name("joins"), Subjects: []string{subject(cluster, "join")}, Storage: jetstream.FileStorage, MaxMsgs: 1,
		}); err != nil {
			return err
		}
		s.nodes, err = openNodes(ctx, js, s.name("nodes"), lease)
		return err
	})
	if errors.Is(err, nats.ErrNoResponders) || errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount) {
		return nil, fmt.Errorf("the server has no JetStream, which stores the jobs: start it with --jetstream (-js), or enable it for the account")
	}
	if err != nil {
		return nil, fmt.Errorf("streams of the cluster: %w", err)
	}
	return s, nil
}

// openNodes creates or opens the key-value store of the nodes, which lives in the memory of the server.
func openNodes(ctx context.Context, js jetstream.JetStream, name string, lease time.Duration) (jetstream.KeyValue, error) {
	kv, err := js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: name, TTL: 2 * lease, Storage: jetstream.MemoryStorage})
	if errors.Is(err, jetstream.ErrBucketExists) {
		return js.KeyValue(ctx, name)
	}
	return kv, err
}

// stream creates or opens a stream. It does not update an existing one: the server does not guard updates against
// clients that create consumers.
func stream(ctx context.Context, js jetstream.JetStream, cfg jetstream.StreamConfig) (jetstream.Stream, error) {
	s, err := js.CreateStream(ctx, cfg)
	if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
		return js.Stream(ctx, cfg.Name)
	}
	return s, err
}

// number returns a number for a new node, from 1, that no other node of the cluster has had.
func (s *streams) number(ctx context.Context) (n uint64, err error) {
	err = within(ctx, func(ctx context.Context) error {
		ack, err := s.js.Publish(ctx, subject(s.cluster, "join"), nil)
		if err == nil {
			n = ack.Sequence
		}
		return err
	})
	return n, err
}

// consumer returns the consumer that delivers jobs to nodes of a version. Each job goes to one node, which keeps it
// as long as it renews its lease. There is no back-off, which would replace the lease.
func (s *streams) consumer(ctx context.Context, version string, lease time.Duration) (c jetstream.Consumer, err error) {
	err = within(ctx, func(ctx context.Context) error {
		c, err = s.jobs.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
			Durable: "version-" + version, FilterSubject: s.subjectJob(version, "*"),
			AckPolicy: jetstream.AckExplicitPolicy, AckWait: lease, MaxDeliver: -1, MaxAckPending: 1 << 16,
		})
		return err
	})
	return c, err
}

// stored returns the result of a job, false if there is none yet.
func (s *streams) stored(ctx context.Context, id string) (r *Result, ok bool, err error) {
	err = within(ctx, func(ctx context.Context) error {
		m, err := s.results.GetLastMsgForSubject(ctx, s.subjectResult(id))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		ok = true
		r, err = readResult(m.Data)
		return err
	})
	return r, ok, err
}

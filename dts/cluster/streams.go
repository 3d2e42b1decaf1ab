package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// streams are what the servers keep of a cluster: jobs to do, results, the nodes' traces, and the nodes themselves.
type streams struct {
	cluster string
	js      jetstream.JetStream
	jobs    jetstream.Stream
	results jetstream.Stream
	logs    jetstream.Stream
	joins   jetstream.Stream // whose numbers are those of the nodes
	nodes   jetstream.KeyValue
}

func (s *streams) name(what string) string { return "whorl-" + s.cluster + "-" + what }
func (s *streams) subjectJob(version, id string) string {
	return subject(s.cluster, "job", version, id)
}
func (s *streams) subjectResult(id string) string { return subject(s.cluster, "result", id) }
func (s *streams) subjectLog(node string) string  { return subject(s.cluster, "log", node) }

// How long results and traces are kept for those who come late.
const (
	keepResults = 7 * 24 * time.Hour
	keepLogs    = 24 * time.Hour
)

// openStreams makes what is not there. Several nodes do so at a time, with the same settings.
func openStreams(ctx context.Context, js jetstream.JetStream, cluster string, lease time.Duration) (*streams, error) {
	s := &streams{cluster: cluster, js: js}
	err := within(ctx, func(ctx context.Context) (err error) {
		// A job is there until it is acknowledged, which comes after its result is stored.
		if s.jobs, err = stream(ctx, js, jetstream.StreamConfig{
			Name: s.name("jobs"), Subjects: []string{subject(cluster, "job", "*", "*")}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage,
			MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, MaxMsgs: 1 << 20,
		}); err != nil {
			return err
		}
		// One result for each job: an acknowledgement that came too late has let the job run twice, and the first result counts.
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
		return nil, fmt.Errorf("the server has JetStream switched off, in which jobs are kept: start it with --jetstream (-js), or let the account use it")
	}
	if err != nil {
		return nil, fmt.Errorf("streams of the cluster: %w", err)
	}
	return s, nil
}

// openNodes makes the store of what is known of nodes, which goes with the server, or finds it.
func openNodes(ctx context.Context, js jetstream.JetStream, name string, lease time.Duration) (jetstream.KeyValue, error) {
	kv, err := js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: name, TTL: 2 * lease, Storage: jetstream.MemoryStorage})
	if errors.Is(err, jetstream.ErrBucketExists) {
		return js.KeyValue(ctx, name)
	}
	return kv, err
}

// stream makes a stream, or finds it. It is not updated: the server does not guard that against others who make consumers meanwhile.
func stream(ctx context.Context, js jetstream.JetStream, cfg jetstream.StreamConfig) (jetstream.Stream, error) {
	s, err := js.CreateStream(ctx, cfg)
	if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
		return js.Stream(ctx, cfg.Name)
	}
	return s, err
}

// number returns a number for a new node, from 1, which no other node of the cluster has ever had.
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

// consumer returns where nodes of a version get jobs. Of all nodes of a version one gets a job, and keeps it as long as it says that it
// is at it. There is no back-off, since that would replace the lease.
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

// stored returns the result of a job, false where there is none yet.
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

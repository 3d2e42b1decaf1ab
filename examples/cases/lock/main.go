// Lock is a server whose lock is too wide: each request computes its page while it holds the lock of the cache. It asks itself for pages, and writes an
// execution trace:
//
//	go run ./examples/cases/lock -trace lock.trace
//	whorl view lock.trace
//
// With -addr it serves until it is interrupted, and whorl record http://ADDR traces it. With -narrow it computes outside the lock.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
	"os/signal"
	"strconv"
	"sync"
	"time"

	"whorl/examples/cases/tracing"
)

// A cache keeps pages by number.
type cache struct {
	narrow bool
	mu     sync.Mutex
	pages  map[int]string
}

// page returns a page, which it computes the first time.
func (c *cache) page(n int) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p, ok := c.pages[n]; ok {
		return p
	}
	if c.narrow {
		c.mu.Unlock()
		p := compute(n)
		c.mu.Lock()
		c.pages[n] = p
		return p
	}
	p := compute(n)
	c.pages[n] = p
	return p
}

// compute makes the text of a page in about a millisecond.
func compute(n int) string {
	h := fnv.New64a()
	for i := range 4_000 {
		fmt.Fprint(h, n, i)
	}
	return fmt.Sprintf("page %d: %x\n", n, h.Sum64())
}

func (c *cache) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.URL.Query().Get("page"))
	if err != nil {
		http.Error(w, "expected ?page=NUMBER", http.StatusBadRequest)
		return
	}
	_, _ = io.WriteString(w, c.page(n))
}

// ask asks for pages from several clients at a time, until all have been sent or the context ends.
func ask(ctx context.Context, addr string, clients, pages int) {
	var all sync.WaitGroup
	for client := range clients {
		all.Go(func() {
			for n := client; n < pages && ctx.Err() == nil; n += clients {
				request, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://%s/?page=%d", addr, n), nil)
				if err != nil {
					log.Fatal(err)
				}
				answer, err := http.DefaultClient.Do(request)
				if err != nil {
					return // the server has ended
				}
				_, _ = io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
			}
		})
	}
	all.Wait()
}

func main() {
	addr := flag.String("addr", "", "serve at this `address` until interrupted")
	file := tracing.Flag()
	clients := flag.Int("clients", 8, "clients at a time")
	pages := flag.Int("pages", 400, "pages to ask for")
	narrow := flag.Bool("narrow", false, "compute pages outside the lock")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	listener, err := net.Listen("tcp", cmp.Or(*addr, "127.0.0.1:0"))
	if err != nil {
		log.Fatal(err)
	}
	defer tracing.Start(*file)()
	http.Handle("/", &cache{narrow: *narrow, pages: map[int]string{}})
	server := &http.Server{ReadHeaderTimeout: time.Minute}
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			log.Fatal(err)
		}
	}()
	begin := time.Now()
	if *addr != "" {
		*pages = 1 << 40
	}
	ask(ctx, listener.Addr().String(), *clients, *pages)
	if *addr == "" {
		fmt.Printf("%d pages in %v\n", *pages, time.Since(begin).Round(time.Millisecond))
	}
	server.Close()
}

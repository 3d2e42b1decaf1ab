// Page serves a page that loads slowly: its script asks for the height of each row of a table right after it has changed the row, so that the browser lays out
// the whole page for each row. It serves until it is interrupted:
//
//	go run ./examples/cases/page
//	chromium --headless --trace-startup=blink,v8 --trace-startup-file=page.pftrace --trace-startup-duration=0 --dump-dom http://127.0.0.1:8090/ > page.html
//	whorl view page.pftrace
//
// With /?once in place of / the script changes all rows, then asks for all heights.
package main

import (
	"flag"
	"fmt"
	"log"
	"net/http"
	"strings"
	"time"
)

const script = `
function widen(row) { row.style.paddingLeft = (row.rowIndex % 7) + "px" }
function measure(rows) {
	let sum = 0
	if (location.search == "?once") {
		for (const row of rows) widen(row)
		for (const row of rows) sum += row.offsetHeight
		return sum
	}
	for (const row of rows) {
		widen(row)
		sum += row.offsetHeight
	}
	return sum
}
document.title = measure(document.querySelectorAll("tr")) + " pixels"
`

func main() {
	addr := flag.String("addr", "127.0.0.1:8090", "address to serve at")
	rows := flag.Int("rows", 800, "rows of the table")
	flag.Parse()
	var page strings.Builder
	page.WriteString("<!doctype html><html lang=en><meta charset=utf-8><title>Rows</title><table>\n")
	for i := range *rows {
		fmt.Fprintf(&page, "<tr><td>row %d<td>%s\n", i, strings.Repeat("word ", i%40))
	}
	page.WriteString("</table><script src=measure.js></script>\n")
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, page.String())
	})
	mux.HandleFunc("GET /measure.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, script)
	})
	server := &http.Server{Addr: *addr, Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	log.Printf("page at http://%s/", *addr)
	log.Fatal(server.ListenAndServe())
}

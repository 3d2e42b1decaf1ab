"use strict";

// This service worker keeps the files of the page, so that the page can be loaded again without its server. It keeps nothing else: no trace, no list of
// traces, no answer of a session. The server goes before what is kept, so that the page is always the server's when there is one.
const version = "unversioned"; // tools/page.sh puts the sum of the files here: a browser installs this worker again when they have changed
const files = ["./", "lessons.json", "load.js", "runner.wasm.gz", "twin.js", "wasm_exec.js", "whorl.js", "whorl.wasm.gz", "worker.js"];
const addresses = new Set(files.map((name) => new URL(name, location).href));
const mine = `whorl ${registration.scope} `; // pages in other folders of a server have caches too
const cache = mine + version;

addEventListener("install", (e) => {
	const all = files.map((name) => new Request(name, { cache: "no-cache" })); // the files of one build
	e.waitUntil(caches.open(cache).then((c) => c.addAll(all)).then(() => skipWaiting()));
});

addEventListener("activate", (e) => {
	const old = (name) => name.startsWith(mine) && name !== cache;
	e.waitUntil(caches.keys().then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name)))));
});

addEventListener("fetch", (e) => {
	const url = new URL(e.request.url);
	const address = url.origin + url.pathname.replace(/\/index\.html$/, "/");
	if (e.request.method !== "GET" || !addresses.has(address)) return; // as without this worker
	const kept = async (error) => (await (await caches.open(cache)).match(address, { ignoreVary: true })) ?? Promise.reject(error);
	e.respondWith(fetch(e.request).catch(kept));
});

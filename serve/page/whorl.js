"use strict";

// whorl holds what the page does for the viewer, and the page's own messages.
const whorl = {
	steps: 0,
	pictures: 0,
	rest: 0, // seconds until the viewer steps by itself
	workers: 0, // running
	port: undefined, // to the page that has opened this one for a detached pane

	// keepToken moves the token of a shared session from the address, which the history keeps, to the storage of this tab. A token of another session
	// is of another person.
	keepToken() {
		const token = new URLSearchParams(location.hash.slice(1)).get("token");
		if (!token) return;
		if (sessionStorage.getItem("whorl.token") !== token) sessionStorage.removeItem("whorl.secret");
		sessionStorage.setItem("whorl.token", token);
		history.replaceState(null, "", location.pathname + location.search);
	},

	// kept returns a text that keep has put into the storage of the browser, nothing without one.
	kept(name) {
		try {
			return localStorage.getItem(name) ?? undefined;
		} catch {}
	},

	// keep reports whether the storage of the browser has taken a text.
	keep(name, text) {
		try {
			localStorage.setItem(name, text);
			return true;
		} catch {
			return false;
		}
	},

	// say shows a message above the picture; an empty one removes it.
	say(words) {
		const box = document.getElementById("words");
		box.textContent = words;
		const small = whorl.pictures > 0; // there is a picture to leave visible
		box.classList.toggle("small", small);
		clearTimeout(whorl.silence);
		if (small && words) whorl.silence = setTimeout(() => whorl.say(""), 8000);
	},

	// worker returns a worker that will run a program.
	worker() {
		const w = whorl.spare ?? startWorker();
		whorl.spare = undefined;
		whorl.workers++;
		return w;
	},

	// channel returns the port for a run of the recorded program that a worker has read.
	channel(w) {
		const { port1, port2 } = new MessageChannel();
		w.postMessage({ port: port2 }, [port2]);
		if (!w.port) w.addEventListener("message", (e) => e.data.stopped && w.port.dispatchEvent(new MessageEvent("message", { data: e.data })));
		return (w.port = port1);
	},

	// detach opens a pop-up with this page for a detached pane and returns the port to it, or nothing if the browser blocks it.
	// The pop-up asks for the other port when it has loaded. It goes with this page, and the port says when it has gone.
	detach() {
		const popup = open(location.pathname + "#detached", "_blank", "popup,width=900,height=700");
		if (!popup) return undefined;
		const channel = new MessageChannel();
		let waits = true;
		const answer = (e) => {
			if (e.source !== popup || e.data !== "detached") return;
			if (!waits) popup.close(); // it was loaded again
			else popup.postMessage("attach", location.origin, [channel.port2]);
			waits = false;
		};
		const end = () => popup.close();
		const watch = setInterval(() => {
			if (!popup.closed) return;
			clearInterval(watch);
			removeEventListener("message", answer);
			removeEventListener("pagehide", end);
			channel.port1.dispatchEvent(new MessageEvent("message", { data: { stopped: "the window was closed" } }));
		}, 250);
		addEventListener("message", answer);
		addEventListener("pagehide", end);
		return channel.port1;
	},

	// attach returns the port to the page that has opened this one for a detached pane, nothing in other pages.
	attach() {
		if (location.hash !== "#detached" || !opener) return undefined;
		return new Promise((resolve) => {
			addEventListener("message", (e) => e.source === opener && resolve(e.ports[0]));
			opener.postMessage("detached", location.origin);
		});
	},

	// end ends a worker.
	end(w) {
		w.terminate();
		whorl.workers--;
		if (whorl.prepared) whorl.prepare();
	},

	// prepare starts a worker in advance for the next run, now and whenever the last program has ended, unless the last worker in advance has failed.
	prepare() {
		whorl.prepared = true;
		if (whorl.spare !== undefined || whorl.workers > 0) return;
		const w = startWorker();
		whorl.spare = w;
		w.onmessage = w.onerror = () => {
			if (whorl.spare === w) whorl.spare = null;
		};
	},

	// hold directs all further events of a pointer to an element, unless the pointer is gone.
	hold(element, pointer) {
		try {
			element.setPointerCapture(pointer);
		} catch {}
	},

	// observe watches the size of an element, in device pixels if the browser reports them.
	observe(observer, element) {
		try {
			observer.observe(element, { box: "device-pixel-content-box" });
		} catch {
			observer.observe(element);
		}
	},

	// paper puts pictures on the paper that the browser prints, instead of the window; without any it prints the window.
	paper(json) {
		const pictures = JSON.parse(json) ?? [];
		document.getElementById("paper").innerHTML = pictures.join("");
		document.body.classList.toggle("printed", pictures.length > 0);
	},

	// save downloads a file.
	save(name, bytes) {
		const a = document.createElement("a");
		a.href = URL.createObjectURL(new Blob([bytes]));
		a.download = name;
		a.click();
		setTimeout(() => URL.revokeObjectURL(a.href), 60000);
	},

	// copy writes text to the clipboard. Without the permission it uses the copy command, which the user's last key allows.
	async copy(text) {
		try {
			await navigator.clipboard.writeText(text);
		} catch {
			const field = document.getElementById("type");
			field.value = text;
			field.select();
			document.execCommand("copy");
			field.value = "";
		}
	},
};
globalThis.whorl = whorl;

// startWorker starts a worker. The first one waits until the program that runs programs is loaded.
function startWorker() {
	const w = new Worker(whorl.scripts ?? "worker.js");
	whorl.runner ??= fetchRunner().then(compile);
	whorl.runner.then(
		(module) => w.postMessage({ module }),
		(error) => {
			whorl.runner = undefined; // the next run tries again
			w.dispatchEvent(new MessageEvent("message", { data: { stopped: `it could not be loaded: ${error.message}` } }));
		},
	);
	return w;
}

// fetchRunner fetches the program that runs programs, packed, and the scripts of workers, once. Later workers need no server.
function fetchRunner() {
	const fetched = async () => {
		try {
			const [runner, ...scripts] = await Promise.all(["runner.wasm.gz", "wasm_exec.js", "load.js", "worker.js"].map(bytes));
			whorl.scripts = URL.createObjectURL(new Blob(scripts.flatMap((script) => [script, "\n"]), { type: "text/javascript" }));
			return runner;
		} catch (error) {
			whorl.packed = undefined; // the next worker tries again
			throw error;
		}
	};
	return (whorl.packed ??= fetched());
}

// keep fetches what the page needs without its server, and has a service worker keep the page for another load, where browsers allow one. It waits
// until the viewer rests after its first picture, at most for 20 s, and does nothing for people who save data.
async function keep() {
	const pause = () => new Promise((resolve) => setTimeout(resolve, 500));
	for (let n = 0; n < 40 && !(whorl.pictures > 0 && whorl.rest > 1); n++) await pause();
	if (navigator.connection?.saveData) return;
	try {
		await fetchRunner();
		if (isSecureContext) await navigator.serviceWorker?.register("offline.js");
	} catch {} // without a server, or with a certificate that the browser does not know: the page works as long as the server is there
}

// The keyboard of a touch screen covers the page in some browsers: the picture ends above it.
visualViewport?.addEventListener("resize", () => {
	const { height, scale } = visualViewport;
	document.getElementById("picture").style.height = scale === 1 && height < innerHeight - 1 ? `${height}px` : "";
	scrollTo(0, 0);
});

(async () => {
	try {
		whorl.keepToken();
		whorl.port = await whorl.attach();
		if (!whorl.port) keep();
		const asked = new URLSearchParams(location.search);
		const argv = whorl.port ? ["--detached"] : asked.getAll("open");
		if (!whorl.port && asked.get("lesson")) argv.unshift(`--lesson=${asked.get("lesson")}`);
		const last = await run(await load("whorl.wasm.gz"), "whorl-view", ...argv);
		if (whorl.port) close();
		whorl.say(`Whorl has stopped. Reload the page to start it again.\n\n${last}`);
	} catch (error) {
		const help = location.protocol === "file:"
			? `A page opened as a file cannot load programs. Serve its folder, and open http://localhost:8000/:\n\n    python3 -m http.server --directory "${decodeURI(location.pathname).replace(/\/[^/]*$/, "")}"`
			: `It needs a browser of 2023 or later and a web server.`;
		whorl.say(`Whorl could not start: ${error.message}\n\n${help}`);
	}
})();

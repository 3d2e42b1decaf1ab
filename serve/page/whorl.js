"use strict";

// What the page does for the viewer, and what it says while there is none.
const whorl = {
	steps: 0,
	pictures: 0,
	rest: 0, // seconds until the viewer steps of its own accord
	workers: 0, // that run

	// say shows words above the picture; none takes them away.
	say(words) {
		const box = document.getElementById("words");
		box.textContent = words;
		const small = whorl.pictures > 0; // beside a picture, and not in its place
		box.classList.toggle("small", small);
		clearTimeout(whorl.silence);
		if (small && words) whorl.silence = setTimeout(() => whorl.say(""), 8000);
	},

	// worker starts a worker that will run a program.
	worker() {
		const w = new Worker("worker.js");
		w.postMessage({ module: whorl.module });
		whorl.workers++;
		return w;
	},

	// hold has the rest of what a pointer does come to an element, unless the pointer has gone.
	hold(element, pointer) {
		try {
			element.setPointerCapture(pointer);
		} catch {}
	},

	// observe watches an element's size, in pixels of the device where the browser tells them.
	observe(observer, element) {
		try {
			observer.observe(element, { box: "device-pixel-content-box" });
		} catch {
			observer.observe(element);
		}
	},

	// save lets the browser keep a file.
	save(name, bytes) {
		const a = document.createElement("a");
		a.href = URL.createObjectURL(new Blob([bytes]));
		a.download = name;
		a.click();
		setTimeout(() => URL.revokeObjectURL(a.href), 60000);
	},

	// copy puts text on the clipboard, also where the page has no right to it but the user's last key.
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

(async () => {
	try {
		whorl.module = await load("whorl.wasm.gz");
		const last = await run(whorl.module, ...new URLSearchParams(location.search).getAll("open"));
		whorl.say(`Whorl has stopped. Reload the page to start it again.\n\n${last}`);
	} catch (error) {
		whorl.say(`Whorl could not start: ${error.message}\n\nIt needs a browser of 2023 or later, and a web server: a page that is opened as a file may not load programs.`);
	}
})();

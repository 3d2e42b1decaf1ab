"use strict";

// The twin of the picture for assistive technology: an element over each control, and tables and lists of what the panes show.
{
	const elements = new Map(); // of controls, by their ids
	let spoken = "";

	// press does with the canvas what a click on a control does.
	function press(element) {
		const r = element.getBoundingClientRect();
		const place = { clientX: r.x + r.width / 2, clientY: r.y + r.height / 2, pointerId: 1, isPrimary: true, bubbles: true };
		const canvas = document.getElementById("picture");
		for (const name of ["pointermove", "pointerdown", "pointerup"]) canvas.dispatchEvent(new PointerEvent(name, { ...place, button: name === "pointermove" ? -1 : 0 }));
	}

	function add(parent, tag, text) {
		const e = document.createElement(tag);
		if (text) e.textContent = text;
		parent.append(e);
		return e;
	}

	function set(element, name, value) {
		if (value === undefined) element.removeAttribute(name);
		else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
	}

	// show puts the element of a control over its place.
	function show(c) {
		let e = elements.get(c.id);
		if (!e || e.getAttribute("role") !== c.role) {
			e?.remove();
			e = document.createElement("div");
			e.setAttribute("role", c.role);
			e.tabIndex = -1;
			if (!["status", "group", "heading", "paragraph", "img"].includes(c.role)) e.addEventListener("click", () => press(e));
			elements.set(c.id, e);
		}
		const name = c.value && c.role === "button" ? `${c.name}: ${c.value}` : c.name;
		const text = ["status", "heading", "paragraph"].includes(c.role); // the name is what it contains
		const words = c.role === "textbox" ? c.value : text ? c.name : "";
		if (e.textContent !== words) e.textContent = words;
		set(e, "aria-label", text ? undefined : name);
		set(e, "aria-disabled", c.disabled ? true : undefined);
		const state = { checkbox: "aria-checked", switch: "aria-checked", radio: "aria-checked", tab: "aria-selected", button: c.on ? "aria-pressed" : "" }[c.role];
		for (const a of ["aria-checked", "aria-selected", "aria-pressed"]) set(e, a, a === state ? c.on : undefined);
		if (c.role === "slider") {
			for (const [a, v] of [["valuemin", c.min], ["valuemax", c.max], ["valuenow", c.now], ["valuetext", c.value || undefined]]) set(e, `aria-${a}`, v);
		}
		const [x, y, w, h] = c.place;
		e.style.cssText = `left:${x}px;top:${y}px;width:${w}px;height:${h}px`;
		return e;
	}

	// controls shows the controls of the viewer, and speaks the one to which the keyboard has moved.
	whorl.controls = (json) => {
		const root = document.getElementById("controls");
		const list = JSON.parse(json);
		const kept = new Set(list.map((c) => c.id));
		for (const [id, e] of elements) {
			if (!kept.has(id)) {
				e.remove();
				elements.delete(id);
			}
		}
		for (const group of root.querySelectorAll("[data-group]")) group.replaceWith(...group.childNodes);
		let last = null; // what was put last
		let group = null;
		for (const c of list) {
			const e = show(c);
			const kind = { tab: "tablist", menuitem: "menu" }[c.role];
			if (kind && group?.getAttribute("role") === kind && group.dataset.group === String(c.group)) {
				group.append(e);
				continue;
			}
			let item = e;
			if (kind) {
				group = item = document.createElement("div");
				item.setAttribute("role", kind);
				item.setAttribute("aria-label", kind === "menu" ? "Menu" : "Tabs");
				item.dataset.group = c.group;
				item.append(e);
			}
			if (last ? last.nextSibling !== item : root.firstChild !== item) root.insertBefore(item, last ? last.nextSibling : root.firstChild);
			last = item;
		}
		const focus = list.find((c) => c.focus);
		const words = focus ? [focus.name, focus.value, focus.role, focus.on ? "on" : ""].filter(Boolean).join(", ") : "";
		if (words !== spoken) document.getElementById("spoken").textContent = spoken = words;
	};

	// describe writes what the panes show.
	whorl.describe = (json) => {
		const d = JSON.parse(json);
		const root = document.createElement("div");
		for (const p of d.panes ?? []) {
			const pane = add(root, "section");
			pane.setAttribute("aria-label", p.title);
			add(pane, "h2", p.title);
			for (const text of [p.subtitle, p.warning]) if (text) add(pane, "p", text);
			for (const t of p.tables ?? []) table(pane, t);
			if (p.notes?.length) list(pane, p.notes);
		}
		if (d.lines?.length) {
			const window = add(root, "section");
			window.setAttribute("aria-label", "Texts of the window");
			add(window, "h2", "Texts of the window");
			list(window, d.lines);
		}
		document.getElementById("twin").replaceChildren(...root.childNodes);
	};

	function list(parent, texts) {
		const ul = add(parent, "ul");
		for (const text of texts) add(ul, "li", text);
	}

	function table(parent, t) {
		if (!t.columns && t.rows.every((row) => row.length === 1)) {
			if (t.caption) add(parent, "h3", t.caption);
			list(parent, t.rows.map((row) => row[0]));
			return;
		}
		const e = add(parent, "table");
		if (t.caption) add(e, "caption", t.caption);
		if (t.columns) {
			const head = add(add(e, "thead"), "tr");
			for (const text of t.columns) add(head, "th", text).scope = "col";
		}
		const body = add(e, "tbody");
		for (const row of t.rows) {
			const tr = add(body, "tr");
			row.forEach((text, i) => {
				const cell = add(tr, i === 0 ? "th" : "td", text);
				if (i === 0) cell.scope = "row";
			});
		}
	}
}

/**
 * Renews the live part of a page, and copies values. A page works without it: then a person reads it
 * again by hand, and selects what is to be copied.
 */
(() => {
	const EVERY_MS = 3000;
	/** A page rests so many times as long as an answer took: however large it is, it costs a fortieth at most. */
	const REST = 40;
	const LONGEST_MS = 60_000;
	const SHOWN_MS = 2000;
	const ELEMENT = 1;
	const TEXT = 3;

	/** What a person has opened stays open. */
	const isOwn = (element, name) => element.nodeName === 'DETAILS' && name === 'open';
	const idOf = (node) => (node.nodeType === ELEMENT ? node.id : '');
	const isAlike = (a, b) => a.nodeName === b.nodeName && idOf(a) === idOf(b);

	function copyAttributes(shown, fresh) {
		for (const { name } of [...shown.attributes]) {
			if (!fresh.hasAttribute(name) && !isOwn(shown, name)) {
				shown.removeAttribute(name);
			}
		}

		for (const { name, value } of fresh.attributes) {
			if (shown.getAttribute(name) !== value && !isOwn(shown, name)) {
				shown.setAttribute(name, value);
			}
		}
	}

	/** Makes what is shown like what is fresh, and leaves alone what is alike: focus and entries stay. */
	function patch(shown, fresh) {
		if (shown.nodeType === TEXT) {
			if (shown.data !== fresh.data) {
				shown.data = fresh.data;
			}

			return;
		}

		copyAttributes(shown, fresh);
		patchChildren(shown, fresh);
	}

	function patchChildren(parent, fresh) {
		const wanted = new Set([...fresh.childNodes].map(idOf));
		const known = new Map();
		for (const child of [...parent.childNodes]) {
			const id = idOf(child);
			if (id !== '' && !wanted.has(id)) {
				child.remove();
			} else if (id !== '') {
				known.set(id, child);
			}
		}

		let at = parent.firstChild;
		for (const child of [...fresh.childNodes]) {
			const same = known.get(idOf(child));
			if (same !== undefined && same !== at) {
				parent.insertBefore(same, at);
				patch(same, child);
			} else if (at !== null && isAlike(at, child)) {
				patch(at, child);
				at = at.nextSibling;
			} else {
				parent.insertBefore(document.importNode(child, true), at);
			}
		}

		while (at !== null) {
			const next = at.nextSibling;
			at.remove();
			at = next;
		}
	}

	let version = '';

	async function renew(live) {
		const response = await fetch(live.dataset.live, { headers: { 'if-none-match': version } });
		if (!response.ok) {
			return;
		}

		version = response.headers.get('etag') ?? '';
		const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
		const part = fresh.getElementById(live.id);
		if (part !== null) {
			patch(live, part);
			showCopyButtons();
		}
	}

	function showCopyButtons() {
		for (const button of document.querySelectorAll('button[data-copy]')) {
			button.hidden = false;
		}
	}

	async function copy(button) {
		const source = document.getElementById(button.dataset.copy);
		getSelection().selectAllChildren(source);
		try {
			await navigator.clipboard.writeText(source.textContent);
		} catch {
			// Only some pages may write there; what is selected can be copied by hand.
			return;
		}

		const name = button.firstChild.data;
		button.firstChild.data = 'Copied';
		setTimeout(() => {
			button.firstChild.data = name;
		}, SHOWN_MS);
	}

	document.addEventListener('click', (event) => {
		const button = event.target.closest('button[data-copy]');
		if (button !== null) {
			void copy(button);
		}
	});

	showCopyButtons();

	const live = document.querySelector('[data-live]');

	/** Renews the page after a while, and then again and again. */
	function renewAfter(ms) {
		setTimeout(async () => {
			const startedAt = performance.now();
			if (!document.hidden) {
				await renew(live).catch(() => undefined);
			}

			const rest = Math.min(REST * (performance.now() - startedAt), LONGEST_MS);
			renewAfter(Math.max(EVERY_MS, rest));
		}, ms);
	}

	if (live !== null) {
		renewAfter(EVERY_MS);
	}
})();

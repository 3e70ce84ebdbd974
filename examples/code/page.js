/** The Monday (YYYY-MM-DD, UTC) of the week of a time. */
function weekOf(time) {
	const date = new Date(time);
	const daysSinceMonday = (date.getUTCDay() + 6) % 7;
	date.setUTCDate(date.getUTCDate() - daysSinceMonday);

	return date.toISOString().slice(0, 10);
}

/** Groups entries by a name of each: a map of lists. */
function groupedBy(entries, nameOf) {
	const groups = new Map();
	for (const entry of entries) {
		const name = nameOf(entry);
		if (!groups.has(name)) {
			groups.set(name, []);
		}
		groups.get(name).push(entry);
	}

	return groups;
}

/** The number and the sum of the payouts under each name: a list of [name, { count, cents }]. */
const sumsBy = (payouts, nameOf) =>
	[...groupedBy(payouts, nameOf)].map(([name, group]) => {
		const cents = group.reduce((sum, payout) => sum + payout.cents, 0);

		return [name, { count: group.length, cents }];
	});

const CELL = 'padding: 4px 12px 4px 0; border-bottom: 1px solid #88888844; text-align: ';

/** A bar that mail clients show: a cell with a background, as wide as its share of the largest sum. */
function barOf(cents, largest) {
	const percent = largest === 0 ? 0 : Math.max(1, Math.round((100 * cents) / largest));
	const bar = `<div style="width: ${percent}%; height: 12px; background: #3b82f6; border-radius: 2px"></div>`;

	return `<td style="${CELL}left; width: 40%">${bar}</td>`;
}

/** A table of sums: a name, how many, dollars, and a bar for each. */
function tableOf(title, sums) {
	const largest = Math.max(0, ...sums.map(([, { cents }]) => cents));
	const rows = sums.map(([name, { count, cents }]) =>
		[
			`<td style="${CELL}left">${escaped(name)}</td>`,
			`<td style="${CELL}right">${count}</td>`,
			`<td style="${CELL}right; font-variant-numeric: tabular-nums">${dollars(cents)}</td>`,
			barOf(cents, largest),
		].join(''),
	);
	const body = rows.length === 0 ? '<tr><td>None</td></tr>' : `<tr>${rows.join('</tr><tr>')}</tr>`;

	return `<h2 style="font-size: 16px; margin: 24px 0 8px">${escaped(title)}</h2><table style="width: 100%; border-collapse: collapse; font-size: 14px">${body}</table>`;
}

/** A page of tables that mail clients show, in light and dark, without scripts. `lines`: what stands above them. */
function pageOf(title, lines, tables) {
	const above = lines.map((line) => `<p style="margin: 4px 0">${escaped(line)}</p>`);

	return [
		'<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">',
		`<title>${escaped(title)}</title></head>`,
		'<body style="margin: 0; padding: 24px; font-family: Arial, Helvetica, sans-serif; font-size: 14px"><div style="max-width: 640px; margin: 0 auto">',
		`<h1 style="font-size: 20px; margin: 0 0 12px">${escaped(title)}</h1>`,
		...above,
		...tables,
		'</div></body></html>',
	].join('\n');
}

/** Pictures as SVG, made here: no script, and colors of the stylesheet in light and dark. */

export type Tone = 'good' | 'open' | 'bad' | 'plain' | 'track';

/** One part of a whole. */
export interface Share {
	name: string;
	value: number;
	/** The value as people read it. */
	text: string;
	tone: Tone;
}

const WIDTH = 400;

const BAR = 14;
const FLOW = { top: 26, height: 190, gap: 12, end: 232, labels: 258, lineHeight: 42 };

interface Placed extends Share {
	/** Where it begins in the whole, and where it ends up. */
	from: number;
	top: number;
	height: number;
	label: number;
}

/** Puts the parts under each other on the right, each at least a line high for its label. */
function place(parts: Share[], total: number): Placed[] {
	let from = FLOW.top;
	let top = FLOW.top;
	let label = 0;
	return parts.map((part) => {
		const height = part.value === 0 ? 0 : Math.max(3, (FLOW.height * part.value) / total);
		const middle = Math.max(top + height / 2, label + FLOW.lineHeight, FLOW.top + 8);
		const placed = { ...part, from, top, height, label: middle };
		from += (FLOW.height * part.value) / total;
		top += height + FLOW.gap;
		label = middle;
		return placed;
	});
}

const Band = ({ from, top, height, tone, share }: Placed & { share: number }) => {
	const start = BAR;
	const middle = (start + FLOW.end) / 2;
	const curve = (y1: number, x2: number, y2: number): string =>
		`C ${middle} ${y1}, ${middle} ${y2}, ${x2} ${y2}`;

	const path = [
		`M ${start} ${from}`,
		curve(from, FLOW.end, top),
		`L ${FLOW.end} ${top + height}`,
		curve(top + height, start, from + share),
		'Z',
	].join(' ');
	return <path d={path} class={`band ${tone}`} />;
};

/** How a whole goes into its parts. */
export const Flow = ({ whole, parts }: { whole: Share; parts: Share[] }) => {
	const placed = place(parts, whole.value);
	const last = placed.at(-1);
	const bottom = Math.max(last?.label ?? 0, (last?.top ?? 0) + (last?.height ?? 0)) + 26;
	const told = parts.map(({ name, text }) => `${name} ${text}`).join(', ');
	return (
		<svg
			class="chart"
			viewBox={`0 0 ${WIDTH} ${bottom}`}
			role="img"
			aria-label={`${whole.name} ${whole.text}: ${told}`}
		>
			<text x={0} y={14} class="strong">{`${whole.name} ${whole.text}`}</text>
			<rect x={0} y={FLOW.top} width={BAR} height={FLOW.height} rx={3} class={whole.tone} />
			{placed.map((part) => (
				<g key={part.name}>
					<Band {...part} share={(FLOW.height * part.value) / whole.value} />
					<rect
						x={FLOW.end}
						y={part.top}
						width={BAR}
						height={part.height}
						rx={3}
						class={part.tone}
					/>
					<text x={FLOW.labels} y={part.label - 4}>
						{part.name}
					</text>
					<text x={FLOW.labels} y={part.label + 14} class="strong">
						{part.text}
					</text>
				</g>
			))}
		</svg>
	);
};

/** Parts of a whole beside each other. */
export const Segments = ({ label, parts }: { label: string; parts: Share[] }) => {
	const total = parts.reduce((sum, { value }) => sum + value, 0);
	let x = 0;
	return (
		<svg
			class="chart segments"
			viewBox={`0 0 ${WIDTH} ${BAR}`}
			preserveAspectRatio="none"
			role="img"
			aria-label={label}
		>
			<rect x={0} y={0} width={WIDTH} height={BAR} class="track" />
			{parts.map(({ name, value, tone }) => {
				const width = total === 0 ? 0 : (WIDTH * value) / total;
				const at = x;
				x += width;
				return <rect key={name} x={at} y={0} width={width} height={BAR} class={tone} />;
			})}
		</svg>
	);
};

/** One column of a chart: its parts, lowest first. */
export interface Stack {
	key: string;
	parts: { value: number; tone: Tone }[];
}

const STACKS = { top: 20, height: 104 };

const totalOf = ({ parts }: Stack): number => parts.reduce((sum, { value }) => sum + value, 0);

/** Columns over time, with what the first and the last are called. */
export const Stacks = (props: { label: string; stacks: Stack[]; first: string; last: string }) => {
	const { label, stacks, first, last } = props;
	const most = Math.max(1, ...stacks.map(totalOf));
	const step = WIDTH / stacks.length;
	const base = STACKS.top + STACKS.height;
	return (
		<svg class="chart" viewBox={`0 0 ${WIDTH} ${base + 22}`} role="img" aria-label={label}>
			<text x={0} y={12}>{`${most.toLocaleString('en-US')} a minute`}</text>
			<line x1={0} x2={WIDTH} y1={STACKS.top} y2={STACKS.top} class="grid-line" />
			<line x1={0} x2={WIDTH} y1={base} y2={base} class="grid-line" />
			{stacks.map((stack, index) => {
				let y = base;
				return (
					<g key={stack.key}>
						{stack.parts.map(({ value, tone }) => {
							const height = value === 0 ? 0 : Math.max(2, (STACKS.height * value) / most);
							y -= height;
							return (
								<rect
									key={tone}
									x={index * step + 1}
									y={y}
									width={step - 2}
									height={height}
									class={tone}
								/>
							);
						})}
					</g>
				);
			})}
			<text x={0} y={base + 17}>
				{first}
			</text>
			<text x={WIDTH} y={base + 17} text-anchor="end">
				{last}
			</text>
		</svg>
	);
};

/** What the colors of a picture stand for. */
export const Legend = ({ parts }: { parts: (Share & { href?: string })[] }) => (
	<ul class="legend">
		{parts.map(({ name, text, tone, href }) => (
			<li key={name}>
				<svg viewBox="0 0 10 10" aria-hidden="true" class="chart key">
					<rect width={10} height={10} rx={2} class={tone} />
				</svg>
				{href === undefined ? name : <a href={href}>{name}</a>} <strong>{text}</strong>
			</li>
		))}
	</ul>
);

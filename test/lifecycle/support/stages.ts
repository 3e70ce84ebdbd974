import type { N8n } from '../../../tools/n8n';

/** What is done in one life of n8n's process; returns what is done after the next restart. */
export type Stage = () => Promise<Stage | undefined>;

/**
 * Tests whose scenarios share the restarts of one n8n: what all do before the first restart is done, then
 * n8n is restarted, and so on. Each scenario is a test, which fails with the first error of its stages.
 */
export function testOverRestarts(n8n: () => N8n, scenarios: Record<string, Stage>): void {
	const errors = new Map<string, unknown>();

	beforeAll(async () => {
		let stages = Object.entries(scenarios);
		while (stages.length > 0) {
			const next: typeof stages = [];
			for (const [title, stage] of stages) {
				try {
					const following = await stage();
					if (following !== undefined) next.push([title, following]);
				} catch (error) {
					errors.set(title, error);
				}
			}
			stages = next;
			if (stages.length > 0) await n8n().restart();
		}
	}, 10 * 60_000);

	test.each(Object.keys(scenarios))('%s', (title) => {
		if (errors.has(title)) throw errors.get(title);
		expect(errors.has(title)).toBe(false);
	});
}

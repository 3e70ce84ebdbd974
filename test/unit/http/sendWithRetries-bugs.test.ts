import { networkFailure } from '../../../nodes/PartnerPayments/service/http/networkFailure';
import { rejectionOf } from '../support';
import { answered, RequestHarness } from './requestHarness';

const bug = new TypeError('A bug');

test('a request that must not be repeated is in doubt, whatever goes wrong once it is on its way', async () => {
	const harness = new RequestHarness(() => bug);
	const error = await rejectionOf(harness.send('nonIdempotent'));
	expect(error).toMatchObject({
		message:
			'In doubt whether the request to do it went through, so do not repeat it: its answer could not be read',
		outcome: 'unknown',
	});
	expect(error).not.toHaveProperty('message', expect.stringContaining('A bug'));
	expect(harness.sentAt).toHaveLength(1);
});

test('what goes wrong after attempts that the service has not let in puts them in doubt as well', async () => {
	const harness = new RequestHarness((_, attempt) => (attempt === 0 ? answered(429) : bug));
	const error = rejectionOf(harness.send('nonIdempotent'));
	await harness.clock.advance();
	expect(await error).toMatchObject({ outcome: 'unknown' });
});

test('nothing is in doubt where nothing is on its way', async () => {
	const failed = { failure: networkFailure({ code: 'ECONNREFUSED' }) };
	const harness = new RequestHarness(() => failed);
	const beforeSend = async (): Promise<void> => {
		if (harness.sentAt.length > 0) throw bug;
		await Promise.resolve();
	};
	const error = rejectionOf(harness.send('nonIdempotent', { beforeSend }));
	await harness.clock.advance();
	expect(await error).toBe(bug);
});

test.each(['safe', 'idempotent'] as const)(
	'a %s request keeps what went wrong',
	async (semantics) => {
		const harness = new RequestHarness(() => bug);
		expect(await rejectionOf(harness.send(semantics))).toBe(bug);
	},
);

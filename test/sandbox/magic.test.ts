import { magicSteps, type MagicFailure, type MagicStep } from '../../sandbox/domain/magic';
import { demo, http, SandboxFixture } from './fixture';
import { successfulRequests, type BuyerOperationId } from './requests';

const fixture = new SandboxFixture();
const { workspaceId: workspace_id } = demo;

/** The operation of each step that a magic address fails at. */
const operations: Record<MagicStep, BuyerOperationId> = {
	invite: 'invitePartners',
	create: 'createPayable',
	approve: 'approvePayable',
	fund: 'createFunding',
	link: 'linkDeposit',
};

/** The statuses that two equal requests get; a connection that breaks has none. */
const statuses: Record<Exclude<MagicFailure, 'timeout'>, (number | string)[]> = {
	refused: [422, 422],
	unavailable: [503, 503],
	cut: ['none', 'none'],
	busy: [429, 200],
};

const steps = Object.keys(magicSteps) as MagicStep[];
const failures = Object.keys(statuses) as (keyof typeof statuses)[];

test.each(steps.flatMap((step) => failures.map((failure) => [step, failure] as const)))(
	'an address fails at the step %s: %s',
	async (step, failure) => {
		const email = `ana+${step}-${failure}@example.com`;
		const requests = successfulRequests(fixture, email, () => email);
		const [path, body] = await requests[operations[step]]();
		const api = await fixture.sandbox.api();
		const send = async () =>
			await api.post(path, body).then(
				({ status }) => status,
				() => 'none',
			);

		const answered = [await send(), await send()];

		const [first] = (await fixture.control.requests()).filter((one) => one.path === `/api${path}`);
		expect(answered).toEqual(statuses[failure]);
		expect(first?.serviceStatus).toBe(failure === 'cut' ? 200 : null);
	},
);

test('a timeout has no answer and no effect', async () => {
	const url = `${fixture.sandbox.apiUrl}/payable`;
	const body = { workspace_id, payee_email: 'ana+create-timeout@example.com', amount: 5 };
	const headers = { authorization: `Bearer ${await fixture.sandbox.token()}` };

	await expect(http.post(url, body, { headers, timeout: 300 })).rejects.toThrow('timeout');
	expect(await fixture.control.payables()).toEqual([]);
});

test('an amount fails after its effect', async () => {
	const payable = await fixture.approved({ amount: 44_405 });

	await expect(fixture.fund([payable])).rejects.toMatchObject({ code: 'ECONNRESET' });

	expect(await fixture.statusOf(payable)).toBe('paid');
});

test('an amount does not fail where magic is switched off', async () => {
	await fixture.control.setSettings({ magicValues: false });
	const payable = await fixture.approved({ amount: 44_405 });

	const { status } = await fixture.funded([payable]);

	expect(status).toBe('funded');
	expect(await fixture.statusOf(payable)).toBe('paid');
});

test('a vendor joins at once, verified', async () => {
	const to = { payee_email: 'nina+verified@example.com', send_invite: true };

	expect(await fixture.statusOf(await fixture.fundedPayable(to))).toBe('paid');
});

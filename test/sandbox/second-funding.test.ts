import { errorOf, ok, SandboxFixture } from './fixture';

const fixture = new SandboxFixture({ secondFunding: 'accept' });

beforeEach(async () => await fixture.sandbox.control.reset());

const received = async (email: string) => (await fixture.sandbox.control.vendor(email)).balance;

/** The statuses of a payable's allocations, one for each time it was funded. */
const allocationsOf = async ({ id }: { id: string }) =>
	(await fixture.sandbox.control.allocations())
		.filter(({ payableId }) => payableId === id)
		.map(({ status }) => status);

const isBalanced = async () => (await fixture.sandbox.control.ledger()).sum === 0;

const countPaidEvents = async ({ id }: { id: string }) =>
	(await fixture.sandbox.control.events()).filter(
		({ event_type, data }) =>
			event_type === 'payable.paid' && 'payable' in data && data.payable.id === id,
	).length;

describe('where second fundings are accepted', () => {
	test('a paid payable is paid again, and the vendor gets the money twice #sandbox-pays-twice', async () => {
		const { openingBalance, verifiedVendorEmail } = fixture.sandbox;
		const payable = await fixture.approved();
		const first = await fixture.funded([payable]);
		const second = await fixture.funded([payable]);
		expect(second.id).not.toBe(first.id);
		expect(await fixture.balance()).toBe(openingBalance - 2000);
		expect(await received(verifiedVendorEmail)).toBe(2000);
		expect(await fixture.current(payable)).toMatchObject({
			status: 'paid',
			funding_id: second.id,
		});
		expect(await fixture.sandbox.control.fundings()).toMatchObject([
			{ id: first.id, payable_ids: [payable.id] },
			{ id: second.id, payable_ids: [payable.id] },
		]);
		expect(await fixture.sandbox.control.allocations()).toMatchObject([
			{ fundingId: first.id, payee: verifiedVendorEmail, amount: 1000, status: 'paid' },
			{ fundingId: second.id, payee: verifiedVendorEmail, amount: 1000, status: 'paid' },
		]);
		expect(await countPaidEvents(payable)).toBe(2);
		expect(await isBalanced()).toBe(true);
	});

	test('a funded payable of an unverified vendor stays approved, and both are paid on verification', async () => {
		const { openingBalance, pendingVendorEmail, control } = fixture.sandbox;
		const payable = await fixture.approved({ payee_email: pendingVendorEmail });
		await fixture.funded([payable]);
		await fixture.funded([payable]);
		expect((await fixture.current(payable)).status).toBe('approved');
		expect(await fixture.balance()).toBe(openingBalance - 2000);
		expect(await allocationsOf(payable)).toEqual(['waiting', 'waiting']);
		expect(await received(pendingVendorEmail)).toBe(0);
		await control.verifyVendor(pendingVendorEmail);
		expect((await fixture.current(payable)).status).toBe('paid');
		expect(await allocationsOf(payable)).toEqual(['paid', 'paid']);
		expect(await received(pendingVendorEmail)).toBe(2000);
		expect(await isBalanced()).toBe(true);
	});

	test('a payable can be funded again by invoice, which pays when the deposit is linked', async () => {
		const payable = await fixture.approved();
		await fixture.funded([payable]);
		const invoice = await fixture.funded([payable], { method: 'invoice' });
		expect(await allocationsOf(payable)).toEqual(['paid', 'waiting']);
		ok(await fixture.link(invoice, await fixture.deposit(1000)));
		expect(await allocationsOf(payable)).toEqual(['paid', 'paid']);
		expect(await received(fixture.sandbox.verifiedVendorEmail)).toBe(2000);
	});

	test('a payable held in will_pay is paid as often as it was funded', async () => {
		const { control, verifiedVendorEmail } = fixture.sandbox;
		await control.setSettlement('manual');
		const payable = await fixture.approved();
		await fixture.funded([payable]);
		await fixture.funded([payable]);
		expect((await fixture.current(payable)).status).toBe('will_pay');
		expect(await allocationsOf(payable)).toEqual(['will_pay', 'will_pay']);
		expect(await received(verifiedVendorEmail)).toBe(0);
		await control.setSettlement('automatic');
		expect(await allocationsOf(payable)).toEqual(['paid', 'paid']);
		expect(await received(verifiedVendorEmail)).toBe(2000);
	});

	test('a paid payable travels with one that has not been funded', async () => {
		const [paid, unpaid] = [await fixture.approved(), await fixture.approved()];
		await fixture.funded([paid]);
		await fixture.funded([unpaid, paid]);
		expect(await allocationsOf(paid)).toEqual(['paid', 'paid']);
		expect(await allocationsOf(unpaid)).toEqual(['paid']);
		expect(await received(fixture.sandbox.verifiedVendorEmail)).toBe(3000);
	});

	test('a draft still cannot be funded, nor more than the wallet holds', async () => {
		const draft = await fixture.payable();
		expect(errorOf(await fixture.fund([draft]))).toMatchObject({ status: 409 });
		const payable = await fixture.approved({ amount: fixture.sandbox.openingBalance });
		await fixture.funded([payable]);
		expect(errorOf(await fixture.fund([payable]))).toMatchObject({
			status: 422,
			code: 'insufficient_funds',
		});
		expect(await allocationsOf(payable)).toEqual(['paid']);
	});
});

test('the control API switches it until a reset', async () => {
	const { control, verifiedVendorEmail } = fixture.sandbox;
	const payable = await fixture.approved();
	await fixture.funded([payable]);
	await control.setSecondFunding('refuse');
	expect(errorOf(await fixture.fund([payable]))).toMatchObject({
		status: 409,
		code: 'already_funded',
	});
	expect(await received(verifiedVendorEmail)).toBe(1000);
	await control.setSecondFunding('accept');
	await fixture.funded([payable]);
	await control.setSecondFunding('refuse');
	await control.reset();
	const other = await fixture.approved();
	await fixture.funded([other]);
	await fixture.funded([other]);
	expect(await allocationsOf(other)).toEqual(['paid', 'paid']);
});

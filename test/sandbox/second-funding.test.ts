import type { Payable } from '../../sandbox/client';
import { errorOf, ok, SandboxFixture } from './fixture';

const fixture = new SandboxFixture({ secondFunding: 'accept' });

beforeEach(async () => await fixture.control.reset());

/** What must hold of a payable: what it is, its allocations, and the money its vendor has received. */
async function expectStates(
	payable: Payable,
	status: Payable['status'],
	allocations: string[],
	balance: number,
): Promise<void> {
	const all = await fixture.control.allocations();
	const own = all.filter(({ payableId }) => payableId === payable.id);
	const vendor = await fixture.control.vendor(payable.payee_email ?? '');
	expect((await fixture.current(payable)).status).toBe(status);
	expect(own.map((allocation) => allocation.status)).toEqual(allocations);
	expect(vendor.balance).toBe(balance);
	expect((await fixture.control.ledger()).sum).toBe(0);
}

describe('where second fundings are accepted', () => {
	test('a paid payable is paid again, and the vendor gets the money twice #sandbox-pays-twice', async () => {
		const { openingBalance, verifiedVendorEmail: payee } = fixture.sandbox;
		const payable = await fixture.approved();
		const first = await fixture.funded([payable]);
		const second = await fixture.funded([payable]);
		expect(second.id).not.toBe(first.id);
		expect(await fixture.balance()).toBe(openingBalance - 2000);
		await expectStates(payable, 'paid', ['paid', 'paid'], 2000);
		expect((await fixture.current(payable)).funding_id).toBe(second.id);
		expect(await fixture.control.fundings()).toMatchObject([
			{ id: first.id, payable_ids: [payable.id] },
			{ id: second.id, payable_ids: [payable.id] },
		]);
		expect(await fixture.control.allocations()).toMatchObject([
			{ fundingId: first.id, payee, amount: 1000, status: 'paid' },
			{ fundingId: second.id, payee, amount: 1000, status: 'paid' },
		]);
		const paid = (await fixture.control.events()).filter(
			({ event_type, data }) =>
				event_type === 'payable.paid' && 'payable' in data && data.payable.id === payable.id,
		);
		expect(paid).toHaveLength(2);
	});

	test('a funded payable of an unverified vendor stays approved, and both are paid on verification', async () => {
		const { openingBalance, pendingVendorEmail: payee_email, control } = fixture.sandbox;
		const payable = await fixture.approved({ payee_email });
		await fixture.funded([payable]);
		await fixture.funded([payable]);
		expect(await fixture.balance()).toBe(openingBalance - 2000);
		await expectStates(payable, 'approved', ['waiting', 'waiting'], 0);
		await control.verifyVendor(payee_email);
		await expectStates(payable, 'paid', ['paid', 'paid'], 2000);
	});

	test('a payable can be funded again by invoice, which pays when the deposit is linked', async () => {
		const payable = await fixture.approved();
		await fixture.funded([payable]);
		const invoice = await fixture.funded([payable], { method: 'invoice' });
		await expectStates(payable, 'paid', ['paid', 'waiting'], 1000);
		ok(await fixture.link(invoice, await fixture.deposit(1000)));
		await expectStates(payable, 'paid', ['paid', 'paid'], 2000);
	});

	test('a payable held in will_pay is paid as often as it was funded', async () => {
		await fixture.control.setSettlement('manual');
		const payable = await fixture.approved();
		await fixture.funded([payable]);
		await fixture.funded([payable]);
		await expectStates(payable, 'will_pay', ['will_pay', 'will_pay'], 0);
		await fixture.control.setSettlement('automatic');
		await expectStates(payable, 'paid', ['paid', 'paid'], 2000);
	});

	test('a paid payable travels with one that has not been funded', async () => {
		const [paid, unpaid] = [await fixture.approved(), await fixture.approved()];
		await fixture.funded([paid]);
		await fixture.funded([unpaid, paid]);
		await expectStates(paid, 'paid', ['paid', 'paid'], 3000);
		await expectStates(unpaid, 'paid', ['paid'], 3000);
	});

	test('a draft still cannot be funded, nor more than the wallet holds', async () => {
		const { openingBalance: amount } = fixture.sandbox;
		expect(errorOf(await fixture.fund([await fixture.payable()]))).toMatchObject({ status: 409 });
		const payable = await fixture.approved({ amount });
		await fixture.funded([payable]);
		const refused = { status: 422, code: 'insufficient_funds' };
		expect(errorOf(await fixture.fund([payable]))).toMatchObject(refused);
		await expectStates(payable, 'paid', ['paid'], amount);
	});
});

test('the control API switches it until a reset', async () => {
	const { control } = fixture;
	const payable = await fixture.approved();
	await fixture.funded([payable]);
	await control.setSecondFunding('refuse');
	const refused = { status: 409, code: 'already_funded' };
	expect(errorOf(await fixture.fund([payable]))).toMatchObject(refused);
	await expectStates(payable, 'paid', ['paid'], 1000);
	await control.setSecondFunding('accept');
	await fixture.funded([payable]);
	await control.setSecondFunding('refuse');
	await control.reset();
	const other = await fixture.approved();
	await fixture.funded([other]);
	await fixture.funded([other]);
	await expectStates(other, 'paid', ['paid', 'paid'], 2000);
});

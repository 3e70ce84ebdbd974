import type { Payable } from '../../sandbox/client';
import { demo, errorOf, ok, SandboxFixture } from './fixture';

const fixture = new SandboxFixture({ secondFunding: 'accept' });
const { openingBalance, pendingVendorEmail, verifiedVendorEmail: payee } = demo;

/** What must hold of a payable: what it is, its allocations, and the money its vendor has received. */
async function expectStates(
	payable: Payable,
	status: Payable['status'],
	allocations: string[],
	balance: number,
): Promise<void> {
	const { control } = fixture;
	const all = await control.allocations();
	const own = all.filter(({ payableId }) => payableId === payable.id);

	expect({
		status: await fixture.statusOf(payable),
		allocations: own.map((allocation) => allocation.status),
		balance: (await control.vendor(payable.payee_email)).balance,
		sum: (await control.ledger()).sum,
	}).toEqual({ status, allocations, balance, sum: 0 });
}

test('a paid payable is paid again, and the vendor gets the money twice #sandbox-pays-twice', async () => {
	const payable = await fixture.approved();
	const first = await fixture.funded([payable]);
	const second = await fixture.funded([payable]);

	expect(await fixture.balance()).toBe(openingBalance - 2000);
	await expectStates(payable, 'paid', ['paid', 'paid'], 2000);
	expect((await fixture.current(payable)).funding_id).toBe(second.id);
	expect(await fixture.control.allocations()).toMatchObject([
		{ fundingId: first.id, payee, amount: 1000 },
		{ fundingId: second.id, payee, amount: 1000 },
	]);

	const events = await fixture.control.events();

	expect(events.filter(({ event_type }) => event_type === 'payable.paid')).toHaveLength(2);
});

test('a funded payable of an unverified vendor is paid on verification and on linking, each once', async () => {
	const payable = await fixture.fundedPayable({ payee_email: pendingVendorEmail });
	const invoice = await fixture.invoice([payable]);
	await fixture.funded([payable]);

	expect(await fixture.balance()).toBe(openingBalance - 2000);
	await expectStates(payable, 'approved', ['waiting', 'waiting', 'waiting'], 0);

	await fixture.control.verifyVendor(pendingVendorEmail);

	await expectStates(payable, 'paid', ['paid', 'waiting', 'paid'], 2000);

	ok(await fixture.link(invoice, await fixture.deposit(1000)));

	await expectStates(payable, 'paid', ['paid', 'paid', 'paid'], 3000);
});

test('a payable held in will_pay is paid as often as it was funded', async () => {
	await fixture.control.setSettings({ settlement: 'manual' });
	const payable = await fixture.fundedPayable();
	await fixture.funded([payable]);

	await expectStates(payable, 'will_pay', ['will_pay', 'will_pay'], 0);

	await fixture.control.setSettings({ settlement: 'automatic' });

	await expectStates(payable, 'paid', ['paid', 'paid'], 2000);
});

test('the control API switches second fundings off', async () => {
	const { control } = fixture;
	const payable = await fixture.fundedPayable();
	await control.setSettings({ secondFunding: 'refuse' });
	const refused = { status: 409, code: 'already_funded' };

	expect(errorOf(await fixture.fund([payable]))).toMatchObject(refused);
	await expectStates(payable, 'paid', ['paid'], 1000);
});

import type { KeyStore } from '../../../nodes/PartnerPayments/ledger/keyStore';
import {
	LockedError,
	LockedRequest,
	RequestLock,
} from '../../../nodes/PartnerPayments/ledger/requestLock';
import { rejectionOf } from '../support';
import { fastLock, Row, withTimers, workerStore } from './keyStores';

const BOTH = ['INV-1', 'INV-2'];
let row: Row;

beforeEach(() => {
	jest.useFakeTimers();
	row = new Row();
});
afterEach(() => {
	jest.useRealTimers();
});

/** The state of the references as another worker finds it. */
const inspected = async (): Promise<object> =>
	Object.fromEntries(await withTimers(fastLock(row).inspect(BOTH)));

test('a request locks all its references before its first attempt, and only once', async () => {
	let writes = 0;
	const request = new LockedRequest(
		new RequestLock(
			workerStore(row, () => {
				writes += 1;
				return 1;
			}),
		),
		BOTH,
	);
	expect(request.isLocked).toBe(false);
	await withTimers(request.beforeSend());
	expect(request.isLocked).toBe(true);
	const writesBefore = writes;
	await withTimers(request.beforeSend());
	expect(writes).toBe(writesBefore);
	expect(await inspected()).toEqual({ 'INV-1': 'funding', 'INV-2': 'funding' });
});

test('a request of which one reference is locked is not sent, and locks none', async () => {
	await withTimers(fastLock(row).acquire(['INV-1']));
	const request = new LockedRequest(fastLock(row), BOTH);
	const error = await withTimers(rejectionOf(request.beforeSend()));
	expect(error).toBeInstanceOf(LockedError);
	expect(error).toMatchObject({
		message: 'Somebody else has the lock of a reference',
		entries: new Map([['INV-1', 'funding']]),
	});
	expect(request.isLocked).toBe(false);
	await withTimers(request.release());
	expect(await inspected()).toEqual({ 'INV-1': 'funding', 'INV-2': 'claimed' });
});

test('a request that was refused releases its lock', async () => {
	const request = new LockedRequest(fastLock(row), BOTH);
	await withTimers(request.beforeSend());
	await withTimers(request.release());
	expect(await inspected()).toEqual({ 'INV-1': 'claimed', 'INV-2': 'claimed' });
});

test('a request that succeeded is settled', async () => {
	const request = new LockedRequest(fastLock(row), BOTH);
	await withTimers(request.beforeSend());
	await withTimers(request.settle());
	expect(await inspected()).toEqual({ 'INV-1': 'funded', 'INV-2': 'funded' });
});

test('a success that cannot be stored is no error', async () => {
	const store: KeyStore = {
		...workerStore(row, () => 1),
		remove: async (keys) => {
			await Promise.resolve();
			if (keys.length > 0) throw new Error('The database is gone');
		},
	};
	const request = new LockedRequest(new RequestLock(store), BOTH);
	await withTimers(request.beforeSend());
	await withTimers(request.settle());
	expect(await inspected()).toEqual({ 'INV-1': 'funding', 'INV-2': 'funding' });
});

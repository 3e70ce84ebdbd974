import type { LedgerRecord } from '../../../nodes/PartnerPayments/ledger/dataTable/ledgerTable';
import { outputOf } from '../../../nodes/PartnerPayments/resources/payout/ledgerOutput';

const MINUTE_MS = 60_000;

const NOW = Date.parse('2026-03-01T12:00:00.000Z');

const record = (change: Partial<LedgerRecord>): LedgerRecord => ({
	id: 1,
	reference: 'INV-1',
	kind: 'payout',
	environment: 'sandbox',
	workspaceId: '7d6d4b1e-0f3c-4a53-9b0e-2f1c8f7a5e10',
	payee: 'ada@example.com',
	amount: 100,
	content: '1.00 to ada@example.com',
	state: 'funding',
	writtenState: 'funding',
	writtenRun: 'run',
	batch: 'batch',
	facts: { payable_id: 'pay_1' },
	isApprovalUnanswered: false,
	isHeld: true,
	execution: '7',
	createdAt: '2026-03-01T11:00:00.000Z',
	updatedAt: '2026-03-01T11:59:59.000Z',
	...change,
});

const minutesAgo = (minutes: number): string => new Date(NOW - minutes * MINUTE_MS).toISOString();

beforeEach(() => {
	jest.useFakeTimers({ now: NOW });
});

afterEach(() => {
	jest.useRealTimers();
});

describe('a ledger entry whose request was sent', () => {
	test.each([
		['funding', true, 1, 'funding', true],
		['funding', true, 20, 'funding', true],
		['funding', true, 21, 'in_doubt', false],
		['funding', false, 0, 'in_doubt', false],
		['creating', true, 1, 'creating', true],
		['creating', true, 21, 'in_doubt', false],
	] as const)(
		'%s, with a run: %s, unchanged for %s minutes, has the status %s and is running: %s',
		(state, isHeld, minutes, status, isRunning) => {
			const updatedAt = minutesAgo(minutes);
			expect(outputOf(record({ state, isHeld, updatedAt }))).toMatchObject({
				status,
				is_running: isRunning,
			});
		},
	);
});

test.each(['claimed', 'created', 'approved'] as const)(
	'%s is never in doubt, however long a run has it',
	(state) => {
		expect(outputOf(record({ state, updatedAt: minutesAgo(1000) }))).toMatchObject({
			status: state,
			is_running: true,
		});
	},
);

test('what is known of an entry comes out with it', () => {
	expect(outputOf(record({ state: 'funded', isHeld: false }))).toEqual({
		status: 'funded',
		unique_reference: 'INV-1',
		operation: 'payout',
		payee: 'ada@example.com',
		amount: 100,
		amount_denomination: 'us_cents',
		payable_id: 'pay_1',
		funding_id: null,
		workspace_id: '7d6d4b1e-0f3c-4a53-9b0e-2f1c8f7a5e10',
		environment: 'sandbox',
		is_running: false,
		execution: '7',
		created_at: '2026-03-01T11:00:00.000Z',
		updated_at: '2026-03-01T11:59:59.000Z',
	});
});

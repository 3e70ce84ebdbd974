import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { ItemParameters } from '../../../nodes/PartnerPayments/execution/itemParameters';
import type { Payment } from '../../../nodes/PartnerPayments/ledger/payment';
import {
	readRequest,
	type PayoutRequest,
} from '../../../nodes/PartnerPayments/resources/payout/request';

const WORKSPACE = '7d6d4b1e-0f3c-4a53-9b0e-2f1c8f7a5e10';

/** An item of a node with these parameters. */
function itemOf(parameters: INodeParameters): ItemParameters {
	const n8n = {
		getTimezone: () => 'UTC',
		getNodeParameter: (name: string, _: number, fallback: unknown) => parameters[name] ?? fallback,
	};

	const node = { type: 'partnerPayments', parameters };

	return new ItemParameters(n8n as unknown as IExecuteFunctions, 0, {}, node);
}

/** Reads a payout of 1.00 to an address or a vendor, of a node that may pay these. */
function read(payee: string, parameters: INodeParameters = {}): PayoutRequest {
	const mode = /^\S+@\S+$/.test(payee) ? 'email' : 'serviceId';
	const allowed = 'Kate@example.com, vnd_4c1B7e';

	return readRequest(
		itemOf({
			uniqueReference: 'INV-1',
			workspaceId: WORKSPACE,
			fundingMethod: 'balance',
			payee: { __rl: true, mode, value: payee },
			amount: '1.00',
			options: { allowedPayees: allowed },
			'options.allowedPayees': allowed,
			...parameters,
		}),
	);
}

test('what a reference stands for is the same however workspace and e-mail address are written', () => {
	const one = read('kATE@EXAMPLE.com', { workspaceId: WORKSPACE.toUpperCase() });

	expect(one.payment).toEqual(read('kate@example.com').payment);
	expect(one.payableBody).toMatchObject({ payee_email: 'kATE@EXAMPLE.com' });
	expect(read('vnd_4c1B7e').payableBody).toMatchObject({ payee_service_id: 'vnd_4c1B7e' });
});

/** The payment of a payout with an option. */
function readWithOption(name: string, value: INodeParameters[string]): Payment {
	const options = { allowedPayees: 'kate@example.com', [name]: value };

	return read('kate@example.com', { options, [`options.${name}`]: value }).payment;
}

describe('who agreed to a payout', () => {
	const readApprover = (value: INodeParameters[string]) =>
		readWithOption('approvedBy', value).approvedBy;

	test.each([
		['Ann Lee', 'Ann Lee'],
		[' ann@example.com\n', 'ann@example.com'],
		[4711, '4711'],
		['a'.repeat(200), 'a'.repeat(200)],
		[' ', undefined],
		['', undefined],
	])('is read without white space at its ends: %j #approver-read', (value, approver) => {
		expect(readApprover(value)).toBe(approver);
	});

	test.each([
		['more than 200 characters', 'a'.repeat(201)],
		['a line break', 'Ann\nBea'],
		['a line separator', 'Ann\u2028Bea'],
		['a list', ['Ann', 'Bea']],
		['an expression as text', '{{ $json.approver }}'],
	])('is refused with %s #approver-refused', (_, value) => {
		expect(() => readApprover(value)).toThrow(/^"Approved By" /);
	});
});

describe('the date of an invoice', () => {
	const readDate = (value: INodeParameters[string]) =>
		readWithOption('invoiceDate', value).invoiceDate;

	test.each([
		['2026-05-31', '2026-05-31'],
		['2026-05-31T00:00:00', '2026-05-31'],
		['', undefined],
	])('is read as a day: %j', (value, day) => {
		expect(readDate(value)).toBe(day);
	});

	test.each(['31.05.2026', '5/31/2026', 'May', '{{ $json.date }}'])(
		'is refused if it is none: %j #invoice-date-refused',
		(value) => {
			expect(() => readDate(value)).toThrow(/^"Invoice Date" /);
		},
	);

	test('is not for a model to choose', () => {
		expect(() => readDate("={{ $fromAI('date') }}")).toThrow(/model.*"Invoice Date"/);
	});
});

test.each([
	['an address with a Kelvin sign', '\u212aate@example.com'],
	['an address with more behind it', 'kate@example.com.evil.example'],
	['an address with full-width letters', 'kate@ex\uff41mple.com'],
	['an ID in other capitals', 'VND_4C1B7E'],
	['an ID that is part of one', 'vnd_4c1B7'],
	['both in one', 'Kate@example.com, vnd_4c1B7e'],
])('%s is no payee that is allowed #allowed-payees-only', (_, payee) => {
	expect(() => read(payee)).toThrow(/is not in "Limit: Allowed Payees"$/);
});

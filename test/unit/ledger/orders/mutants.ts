import type { Change } from './protocolModules';

/** A fault in the protocol, and the scenario and the promise that show it. */
export interface Mutant {
	name: string;
	changes: Change[];
	scenario: string;
	promise: string;
}

const APPROVE_ALL = `await prepareEach(created, fundingRun, async (payout) => {
	await approve(client, payout);
});`;
const CREATED = 'const created = remainingOf(withoutPayable);';

/** Each was found by hand or by argument before; the orders must find it by themselves. */
export const MUTANTS: Mutant[] = [
	{
		name: 'what is read after the mark is ignored',
		changes: [
			{
				file: 'ledger/protocol/claimStarter.ts',
				snippet: 'if (isAlone && allAllowSending(verdicts)) {',
				replacement: 'if (ofPayments.length >= 0) {',
			},
		],
		scenario: 'two runs of one payout',
		promise: '(a)',
	},
	{
		name: 'own rows are not looked for after a mark without an answer',
		changes: [
			{
				file: 'ledger/protocol/claimStarter.ts',
				snippet: 'if (!ofPayments.every((ofPayment) => hasOwnRow(ofPayment, claimId))) {',
				replacement: 'if (ofPayments.length < 0) {',
			},
		],
		scenario: 'two runs of one prepared payout',
		promise: '(a)',
	},
	{
		name: 'a row that is sending is not live',
		changes: [
			{
				file: 'ledger/protocol/rowStates.ts',
				snippet: "isDone(row) || row.state === 'sending' ||",
				replacement: 'isDone(row) ||',
			},
		],
		scenario: 'two runs of one payout',
		promise: '(a)',
	},
	{
		name: 'Funding: Create funds a payable that has a reference',
		changes: [
			{
				file: 'ledger/protocol/classifyRows.ts',
				snippet: 'const ofPayout = rows.find((row) => !isFundedById(row));',
				replacement: 'const ofPayout = rows.filter(isLive).find((row) => !isFundedById(row));',
			},
		],
		scenario: 'two runs, and Funding: Create for any payable of theirs',
		promise: '(a)',
	},
	{
		name: 'the ID of a funding is written only over sending',
		changes: [
			{
				file: 'ledger/protocol/fundingClaim.ts',
				snippet: 'this.updateStep({ funding_id: fundingId }),',
				replacement: 'this.updateStep({ funding_id: fundingId }, SENDING),',
			},
		],
		scenario: 'a run, and the event that its payable is paid',
		promise: '(b)',
	},
	{
		name: 'payables are recorded after their approval',
		changes: [
			{
				file: 'resources/payout/prepare.ts',
				snippet: CREATED,
				replacement: `${CREATED}\n${APPROVE_ALL}`,
			},
			{
				file: 'resources/payout/prepare.ts',
				snippet: 'const recorded = remainingOf(created);',
				replacement: 'const recorded: Payout[] = [];',
			},
		],
		scenario: 'a run, and Funding: Create for its payable',
		promise: '(d)',
	},
	{
		name: 'a claim that sends nothing is not withdrawn',
		changes: [
			{
				file: 'ledger/protocol/fundingClaim.ts',
				snippet: "values: { state: 'preparing' },",
				replacement: 'values: {},',
			},
		],
		scenario: 'two runs of one payout',
		promise: '(f)',
	},
	{
		name: 'the first of several sends while it sees another',
		changes: [
			{
				file: 'ledger/protocol/claimStarter.ts',
				snippet: 'if (isAlone && allAllowSending(verdicts)) {',
				replacement:
					'if (ofPayments.every(({ rows: all }) => isFirstToSend(all, claimId)) && !isChanged && liveOthers.every(isSending)) {',
			},
		],
		scenario: 'two runs of one prepared payout, statement by statement',
		promise: '(a)',
	},
	{
		name: 'another payee is always another invoice',
		changes: [
			{
				file: 'ledger/payment.ts',
				snippet: 'isSamePayee || (isSameAmount && !isToldApart())',
				replacement: 'isSamePayee',
			},
		],
		scenario: 'one reference with two payees',
		promise: '(a)',
	},
	{
		name: 'a number with other words before it is another invoice',
		changes: [
			{
				file: 'ledger/protocol/classifyRows.ts',
				snippet: 'if (row.number_key !== numberKey && row.key !== key) {',
				replacement: 'if (row.key !== key) {',
			},
		],
		scenario: 'one number with and without the words before it',
		promise: '(a)',
	},
	{
		name: 'a payable that lost is forgotten',
		changes: [
			{
				file: 'ledger/protocol/ledgerProtocol.ts',
				snippet: "!row.isNewPayable && leftover !== 'held'",
				replacement: "leftover !== 'held'",
			},
		],
		scenario: 'two runs of one payout',
		promise: '(d)',
	},
	{
		name: 'rows are marked with a deposit whatever another run has marked',
		changes: [
			{
				file: 'ledger/protocol/depositLink.ts',
				snippet: "[...this.fundingConditions(), equals('claim', first.claim), AWAITING]",
				replacement: '[...this.fundingConditions(), AWAITING]',
			},
		],
		scenario: 'two deposits for one invoice',
		promise: '(i)',
	},
	{
		name: 'a mark that the rows do not have is taken for one that they have',
		changes: [
			{
				file: 'ledger/protocol/depositLink.ts',
				snippet: 'ofFunding.length > 0 && ofFunding.every(({ claim }) => claim === this.claimId)',
				replacement: 'ofFunding.length > 0',
			},
		],
		scenario: 'two deposits for one invoice',
		promise: '(i)',
	},
	{
		name: 'another deposit is linked when the answer to the first can no longer come',
		changes: [
			{
				file: 'ledger/protocol/depositLink.ts',
				snippet: "known !== '' && known !== order.depositId",
				replacement: "known === 'none'",
			},
		],
		scenario: 'a deposit, time that passes, and another deposit',
		promise: '(h)',
	},
	{
		name: 'two runs may link the same deposit at the same time, and each withdraws any mark',
		changes: [
			{
				file: 'ledger/protocol/depositLink.ts',
				snippet:
					"const all = [...this.fundingConditions(), equals('claim', this.claimId), AWAITING];",
				replacement: 'const all = [...this.fundingConditions(), AWAITING];',
			},
		],
		scenario: 'one deposit for one invoice, linked twice',
		promise: '(i)',
	},
	{
		name: 'a refusal of a deposit that an earlier run may have linked withdraws its mark',
		changes: [
			{
				file: 'ledger/protocol/depositLink.ts',
				snippet: 'if (!this.mayBeMarked || this.isRepeat) {',
				replacement: 'if (!this.mayBeMarked) {',
			},
		],
		scenario: 'a deposit, time that passes, and the same deposit',
		promise: '(i)',
	},
	{
		name: 'a mark is withdrawn after a link without an answer',
		changes: [
			{
				file: 'resources/funding/sendLink.ts',
				snippet: 'if (hasLinkedNothing(error)) {',
				replacement: 'if (outcomeOf(error).length > 0) {',
			},
		],
		scenario: 'two deposits for one invoice',
		promise: '(h)',
	},
	{
		name: 'a person resolves an invoice while its deposit is being linked',
		changes: [
			{
				file: 'resources/payout/resolve.ts',
				snippet: 'assertNotLinking(rows);',
				replacement: '',
			},
		],
		scenario: 'a deposit, and a person who resolves its invoice as notPaid',
		promise: '(k)',
	},
	{
		name: 'the answer to a link is written only over another state',
		changes: [
			{
				file: 'ledger/protocol/depositLink.ts',
				snippet: "where('state', 'neq', 'paid')",
				replacement: "equals('state', 'sending')",
			},
		],
		scenario: 'two deposits for one invoice',
		promise: '(j)',
	},
];

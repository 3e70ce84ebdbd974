import type { INodeExecutionData } from 'n8n-workflow';

import { FakeDepositTrigger, type Activation } from './fakeDepositTrigger';
import { OTHER_WORKSPACE, WORKSPACE } from './fakeTrigger';

const [first, second, third] = ['dep_1', 'dep_2', 'dep_3'].map((id) => ({ id, amount: 1_999 }));

let trigger: FakeDepositTrigger;

beforeEach(() => {
	trigger = new FakeDepositTrigger();
});

/** Publishes the workflow while these deposits are there. */
async function publish(...deposits: unknown[]) {
	trigger.deposits = deposits;
	const activation = trigger.activate();
	const begun = await activation.run();
	activation.save();

	return { activation, begun };
}

describe('the first poll', () => {
	test('takes note of what is there, and starts nothing', async () => {
		const { activation, begun } = await publish(first, second);

		expect(begun).toEqual([]);
		expect(await activation.run()).toEqual([]);

		trigger.deposits = [first, second, third];

		expect(await activation.run()).toEqual([third]);
		expect(await activation.run()).toEqual([]);
	});

	test('starts with what it took note of once existing deposits are included', async () => {
		await publish(first);
		trigger.includeExisting = true;

		expect((await publish(first, second)).begun).toEqual([first, second]);

		trigger.restart();
		trigger.includeExisting = false;

		expect((await publish(first, second)).begun).toEqual([]);
	});

	test('takes note anew in another workspace, and in another environment', async () => {
		await publish(first);
		trigger.workspaceId = OTHER_WORKSPACE;

		expect((await publish(second)).begun).toEqual([]);

		trigger.credentials = { ...trigger.credentials, environment: 'production' };

		expect((await publish(third)).begun).toEqual([]);

		trigger.restart();

		expect((await publish(third, second)).begun).toEqual([second]);
	});

	test('that fails starts nothing, and takes note of nothing', async () => {
		trigger.status = 403;

		await expect(publish(first)).rejects.toThrow(/could not get the deposits/i);

		trigger.status = 200;

		expect((await publish(first)).begun).toEqual([]);
		expect((await publish(first, second)).begun).toEqual([second]);
	});
});

describe('a deposit starts one execution', () => {
	test.each([
		['the workflow is published again', () => undefined],
		['n8n is restarted', () => trigger.restart()],
		[
			'another credential of the same workspace is chosen',
			() => {
				trigger.credentials = { ...trigger.credentials, clientId: 'other', clientSecret: 'other' };
			},
		],
		[
			'the workspace is written in other letters',
			() => {
				trigger.workspaceId = WORKSPACE.toUpperCase();
			},
		],
	])('when %s', async (_, change) => {
		const { activation } = await publish(first);
		trigger.deposits = [first, second];

		expect(await activation.run()).toEqual([second]);

		change();

		expect((await publish(first, second)).begun).toEqual([]);

		trigger.deposits = [first, second, third];

		expect((await publish(first, second, third)).begun).toEqual([third]);
	});

	test('when it is linked, and unlinked again', async () => {
		const { activation } = await publish();
		trigger.deposits = [first];

		expect(await activation.run()).toEqual([first]);

		trigger.deposits = [];

		expect(await activation.run()).toEqual([]);

		trigger.deposits = [first];

		expect(await activation.run()).toEqual([]);
	});

	test('when the service names it twice', async () => {
		const { activation } = await publish();
		trigger.deposits = [first, first];

		expect(await activation.run()).toEqual([first]);
	});
});

test('of thousands of deposits that are gone the latest are known, and all that are still there', async () => {
	const { activation } = await publish();
	trigger.deposits = [first];
	await activation.run();
	for (let round = 0; round < 6; round += 1) {
		const many = Array.from({ length: 1000 }, (_, index) => ({ id: `dep_${round}_${index}` }));
		trigger.deposits = [first, ...many];

		expect(await activation.run()).toHaveLength(1000);
	}

	trigger.deposits = [first, { id: 'dep_5_999' }];

	expect(await activation.run()).toEqual([]);
	expect(trigger.stored.length).toBeLessThan(41_000);
});

test('deposits without an ID start once for each, also where two are alike #deposits-without-id', async () => {
	const unnamed = { amount: 500 };
	const { activation } = await publish();
	trigger.deposits = [unnamed];

	expect(await activation.run()).toEqual([unnamed]);

	trigger.deposits = [unnamed, unnamed];

	expect(await activation.run()).toEqual([unnamed]);

	trigger.restart();

	expect((await publish(unnamed, unnamed)).begun).toEqual([]);
});

test('in the editor some deposits are shown, and nothing is remembered', async () => {
	const many = Array.from({ length: 12 }, (_, index) => ({ id: `dep_${index}` }));
	const { activation } = await publish();
	trigger.deposits = many;

	expect(await trigger.fetchTestEvent()).toEqual(many.slice(0, 10));
	expect(await activation.run()).toEqual(many);
});

test('a workspace that is left empty is that of the credential; without one, the message says what to do', async () => {
	trigger.workspaceId = '';

	await expect(publish()).rejects.toThrow('Workspace is empty. Choose it, or set a default');

	trigger.credentials = { ...trigger.credentials, defaultWorkspaceId: WORKSPACE };

	expect(await (await publish()).activation.run()).toEqual([]);
});

describe('a published workflow, to which a deposit comes,', () => {
	let activation: Activation;

	beforeEach(async () => {
		({ activation } = await publish());
		trigger.deposits = [first];
	});

	const deposits = (items: INodeExecutionData[]) => items.map(({ json }) => json);

	/** Has the service answer when told to. */
	function delayAnswer(): () => void {
		let answer: () => void = () => undefined;
		const delayed = new Promise<void>((resolve) => (answer = resolve));
		trigger.onRequest = async () => {
			trigger.onRequest = () => undefined;
			await delayed;
		};

		return answer;
	}

	describe('a deposit is handed over again', () => {
		test.each([
			['before it has stored that', () => undefined],
			['when it has stored that, and the execution has not begun', () => activation.save()],
		])('when n8n ends %s', async (_, store) => {
			await activation.poll();
			store();
			trigger.restart();

			expect(await trigger.activate().run()).toEqual([first]);
		});

		test('when n8n drops it, since the workflow was published anew', async () => {
			await activation.poll();

			expect(await trigger.activate().run()).toEqual([first]);
		});

		test('when the first poll after that fails', async () => {
			await activation.poll();
			const published = trigger.activate();
			trigger.status = 403;

			await expect(published.poll()).rejects.toThrow(/get the deposits/);

			trigger.status = 200;

			expect(await published.run()).toEqual([first]);
		});
	});

	test('a poll that is overtaken, since the workflow was published anew, hands over nothing', async () => {
		const answer = delayAnswer();
		const overtaken = activation.poll();
		const items = await trigger.activate().poll();
		answer();

		expect(await overtaken).toEqual([]);
		expect(await trigger.execute(items)).toEqual([first]);
	});

	describe('a deposit is not handed over again', () => {
		test('while its execution waits for its turn', async () => {
			const items = await activation.poll();

			expect(await activation.run()).toEqual([]);
			expect(await trigger.execute(items)).toEqual([first]);
			expect(await activation.run()).toEqual([]);
		});

		test('when the workflow is published anew and its execution has begun', async () => {
			await trigger.execute(await activation.poll());
			trigger.stored = '{}';

			expect(await trigger.activate().run()).toEqual([]);
		});

		test('by a poll that begins while another one is under way', async () => {
			const answer = delayAnswer();
			const slow = activation.poll();

			expect(await activation.poll()).toEqual([]);

			answer();

			expect(deposits(await slow)).toEqual([first]);
			expect(await activation.poll()).toEqual([]);
		});
	});

	test('on workers, an execution keeps the deposits that no other has begun with', async () => {
		expect(await trigger.executeOnWorker(await activation.poll())).toEqual([first]);

		activation.save();
		trigger.restart();
		trigger.deposits = [first, second];

		const items = await trigger.activate().poll();

		expect(deposits(items)).toEqual([first, second]);
		expect(await trigger.executeOnWorker(items)).toEqual([second]);
	});
});

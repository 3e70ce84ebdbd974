import type { INodeExecutionData } from 'n8n-workflow';

import { OTHER_WORKSPACE } from './fakeTrigger';
import { FakeDepositTrigger, type Activation } from './fakeDepositTrigger';

const [first, second] = ['dep_1', 'dep_2'].map((id) => ({ id, amount: 1_999 }));

let trigger: FakeDepositTrigger;
let activation: Activation;

/** A published workflow, to which a deposit comes. */
beforeEach(async () => {
	trigger = new FakeDepositTrigger();
	activation = trigger.activate();
	expect(await activation.run()).toEqual([]);
	activation.save();
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

describe('a poll that is overtaken, since the workflow was published anew, hands over nothing', () => {
	test('in the same workspace', async () => {
		const answer = delayAnswer();
		const overtaken = activation.poll();
		const items = await trigger.activate().poll();
		answer();
		expect(await overtaken).toEqual([]);
		expect(await trigger.execute(items)).toEqual([first]);
	});

	test('in another workspace, where the new poll takes note anew', async () => {
		const answer = delayAnswer();
		const overtaken = activation.poll();
		trigger.workspaceId = OTHER_WORKSPACE;
		const published = trigger.activate();
		expect(await published.poll()).toEqual([]);
		answer();
		expect(await overtaken).toEqual([]);
		published.save();
		trigger.restart();
		trigger.deposits = [first, second];
		expect(await trigger.activate().run()).toEqual([second]);
	});
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

describe('on workers', () => {
	test('an execution goes on with the deposits that no other has begun with', async () => {
		expect(await trigger.executeOnWorker(await activation.poll())).toEqual([first]);
		activation.save();
		trigger.restart();
		trigger.deposits = [first, second];
		const items = await trigger.activate().poll();
		expect(deposits(items)).toEqual([first, second]);
		expect(await trigger.executeOnWorker(items)).toEqual([second]);
	});
});

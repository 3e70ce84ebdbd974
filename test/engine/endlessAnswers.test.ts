import { executeOperation, funding, startScriptedService } from './support';

const service = startScriptedService();

/** The time that a request may take, shortened. */
beforeEach(() => {
	const timeout = AbortSignal.timeout.bind(AbortSignal);
	jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(100));
});
afterEach(() => {
	jest.restoreAllMocks();
});

test('a funding whose answer comes to no end is in doubt, and is not sent again', async () => {
	service.useScript(() => 'endless');
	const { error } = await executeOperation(service, 'funding.create', funding());
	expect(error?.message).toMatch(/^In doubt whether .*: no answer came in time \[item 0\]$/);
	expect(service.requests).toHaveLength(1);
});

test('an approval whose answer comes to no end is asked for again, and given up', async () => {
	service.useScript(() => 'endless');
	const { error } = await executeOperation(service, 'payable.approve', { payableId: 'p1' });
	expect(error?.message).toMatch(/no answer came in time, tried 5 times \[item 0\]$/);
});

test('a token whose answer comes to no end is given up', async () => {
	service.useScript(() => ({ body: {} }));
	service.tokenAnswer = 'endless';
	const { error } = await executeOperation(service, 'payable.approve', { payableId: 'p1' });
	expect(error?.message).toMatch(/^No access token: .* cannot be reached/);
	expect(service.requests).toEqual([]);
});

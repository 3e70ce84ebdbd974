import { useFixture } from './support/fixture';
import { testOperations } from './operations.suite';

const fixture = useFixture();
const operations = testOperations(fixture);

test('the list of workspaces is that of the user, searched by name #roles-in-list', async () => {
	const { n8n, sandbox } = fixture();
	const { credentials } = operations();

	const all = await n8n.searchWorkspaces(credentials.oAuth2, 'oAuth2');
	const found = await n8n.searchWorkspaces(credentials.oAuth2, 'oAuth2', 'STUDIO');

	expect(all.map(({ value }) => value).sort()).toEqual([
		sandbox.workspaceId,
		sandbox.secondWorkspaceId,
	]);
	expect(found).toEqual([
		{ name: 'Northwind Media Studio (Approver)', value: sandbox.secondWorkspaceId },
	]);
});

test('with client credentials the list says what to do instead', async () => {
	const list = await fixture().n8n.searchWorkspaces(
		operations().credentials.clientCredentials,
		'clientCredentials',
	);

	expect(list).toEqual([{ name: expect.stringMatching(/^Choose By ID or By URL: /), value: '' }]);
});

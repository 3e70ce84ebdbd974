import { NODE_UNDER_TEST, successfulItems, workflowWithNode } from '../../tools/n8n';
import { useFixture } from './support/fixture';
import { testOperations } from './support/operations';

const fixture = useFixture();
const operations = testOperations(fixture);

test('the invoice comes as a PDF file, and no token went along for it', async () => {
	const { n8n, sandbox } = fixture();
	const { credentials, ids } = operations();
	const workflow = await n8n.createWorkflow(
		workflowWithNode({
			credential: credentials.clientCredentials,
			parameters: {
				resource: 'funding',
				operation: 'getInvoicePdf',
				fundingId: ids.invoiceFundingId,
				download: true,
				binaryPropertyName: 'invoice',
			},
		}),
	);
	const [item] = successfulItems(await n8n.runManually(workflow.id), NODE_UNDER_TEST);
	expect(item?.binary?.['invoice']).toMatchObject({
		mimeType: 'application/pdf',
		fileName: `invoice-${ids.invoiceFundingId}.pdf`,
	});
	if (item === undefined) throw new Error('No item');
	const file = await n8n.client.binary(item, 'invoice');
	expect(file.subarray(0, 5).toString()).toBe('%PDF-');
	const downloads = (await sandbox.control.requests()).filter(({ path }) =>
		path.startsWith('/documents/'),
	);
	expect(downloads).not.toEqual([]);
	for (const { tokenFingerprint } of downloads) expect(tokenFingerprint).toBeNull();
});

test('the list of workspaces is that of the user, searched by name #roles-in-list', async () => {
	const { n8n, sandbox } = fixture();
	const { credentials } = operations();
	const all = await n8n.searchWorkspaces(credentials.oAuth2, 'oAuth2');
	expect(all.map(({ value }) => value).sort()).toEqual([
		sandbox.workspaceId,
		sandbox.secondWorkspaceId,
	]);
	expect(await n8n.searchWorkspaces(credentials.oAuth2, 'oAuth2', 'STUDIO')).toEqual([
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

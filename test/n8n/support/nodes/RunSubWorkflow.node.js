/**
 * A node of the tests' own, which n8n loads from this folder: it runs the sub-workflow that a webhook's body
 * holds, as the ledger does it in a node, and puts out the items or the error.
 */
exports.RunSubWorkflow = class {
	description = {
		displayName: 'Run Sub-workflow',
		name: 'runSubWorkflow',
		group: ['transform'],
		version: 1,
		description: 'Runs the sub-workflow that it is given',
		defaults: { name: 'Run Sub-workflow' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [],
	};

	async execute() {
		const [{ json }] = this.getInputData();
		const { workflow, items } = json.body;

		try {
			const { data } = await this.executeWorkflow({ code: workflow }, items);
			return [data[0]];
		} catch (error) {
			return [[{ json: { error: error.message } }]];
		}
	}
};

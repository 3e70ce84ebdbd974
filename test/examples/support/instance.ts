import { useFixtureOn, useOwnN8n } from '../../n8n/support/fixture';
import { useSlack } from './slack';

/** What speaks to n8n in place of Slack. */
export const slack = useSlack();

beforeEach(() => {
	slack().requests.length = 0;
});

const n8n = useOwnN8n(() => ({ env: slack().environment }));

/** The n8n in which all examples run, each group of tests with a sandbox and a ledger of its own. */
export const useExamples = () => useFixtureOn(n8n);

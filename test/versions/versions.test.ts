import { useFixture } from '../n8n/support/fixture';
import { testRenewal } from './renewal';
import { onEachVersion } from './support/versions';

onEachVersion((host) => {
	const fixture = useFixture(undefined, host);

	describe('renewal', () => {
		testRenewal(fixture);
	});
});

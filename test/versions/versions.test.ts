import { useFixture } from '../n8n/support/fixture';
import { testOperations } from '../n8n/support/operations';
import { testExamples } from './examples';
import { testLoading } from './loading';
import { testPayouts } from './payouts';
import { testRenewal } from './renewal';
import { onEachVersion } from './support/versions';
import { testTrigger } from './trigger';

onEachVersion((host) => {
	const fixture = useFixture(undefined, host);

	describe('loading', () => {
		testLoading(fixture);
	});
	describe('operations', () => {
		testOperations(fixture);
	});
	describe('payouts', () => {
		testPayouts(fixture, host);
	});
	describe('examples', () => {
		testExamples(fixture, host);
	});
	describe('trigger', () => {
		testTrigger(fixture);
	});
	describe('renewal', () => {
		testRenewal(fixture);
	});
});

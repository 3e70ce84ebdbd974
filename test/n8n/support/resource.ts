/**
 * Starts something before the tests of a file, and stops it after them.
 *
 * @returns a function that returns it to a test
 */
export function useResource<Resource>(
	start: () => Promise<Resource>,
	stop: (resource: Resource) => Promise<void> | void,
	timeoutMs?: number,
): () => Resource {
	let resource: Resource | undefined;

	beforeAll(async () => {
		resource = await start();
	}, timeoutMs);

	afterAll(async () => {
		if (resource !== undefined) {
			await stop(resource);
		}
	}, timeoutMs);

	return () => {
		if (resource === undefined) {
			throw new Error('It is not started');
		}

		return resource;
	};
}

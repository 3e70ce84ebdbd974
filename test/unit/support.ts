/** What a call throws; fails the test when it throws nothing. */
export function thrownBy(call: () => unknown): unknown {
	try {
		call();
	} catch (error) {
		return error;
	}
	throw new Error('Nothing was thrown');
}

/** What a promise is rejected with; fails the test when it is not. */
export async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
	return await promise.then(
		() => {
			throw new Error('Nothing was thrown');
		},
		(error: unknown) => error,
	);
}

import { payWhatIsDue, resumeSettlement } from '../domain/settlement';
import { notFound } from '../shared/errors';
import { object } from '../shared/jsonSchema';
import {
	allSnapshots,
	findSnapshot,
	loadState,
	removeSnapshot,
	savedStateSchema,
	saveState,
	takeSnapshot,
	type SavedState,
} from '../store/savedState';
import { get, post, type ControlContext } from './routeTypes';

const name = { type: 'string', minLength: 1, maxLength: 80, title: 'Name' } as const;
const named = object({ name }, ['name']);

const LARGEST_STATE = 512 * 1024 * 1024;

/** Routes that keep the whole state and bring it back. */
export function stateRoutes(context: ControlContext) {
	const { network, background, deliveries } = context;
	const { store, clock, settings } = network;

	/** Replaces the state, and goes on with it as after a restart. */
	const replace = async (state: SavedState): Promise<void> => {
		await background.idle();
		store.transaction(() => {
			loadState(store, state);
			clock.reload();
			settings.reload();
			context.faults.clear();
			context.rateLimit.clear();
			deliveries.restart();
			resumeSettlement(network);
			payWhatIsDue(network);
		});

		await background.idle();
	};

	return {
		exportState: get('/export', 'The whole state in one document', () =>
			saveState(store, clock.iso()),
		),
		importState: post(
			'/import',
			'Replace the whole state by an exported one',
			savedStateSchema,
			async (state) => {
				// The schema knows tables and rows; what is in them is as it was exported.
				await replace(state as SavedState);
			},
			{ bodyLimit: LARGEST_STATE },
		),
		snapshots: get(
			'/snapshots',
			'States that were kept under a name',
			() => ({ snapshots: allSnapshots(store) }),
			{ result: 'snapshots' },
		),
		takeSnapshot: post(
			'/snapshots',
			'Keep the state under a name',
			named,
			(wanted) => ({ snapshot: takeSnapshot(store, wanted.name, clock.iso()) }),
			{ args: ['name'], result: 'snapshot' },
		),
		restoreSnapshot: post(
			'/snapshots/restore',
			'Go back to the state under a name',
			named,
			async (wanted) => {
				const state = findSnapshot(store, wanted.name);
				if (state === undefined) {
					throw notFound('snapshot', wanted.name);
				}

				await replace(state);
			},
			{ args: ['name'] },
		),
		removeSnapshot: post(
			'/snapshots/remove',
			'Forget the state under a name',
			named,
			(wanted) => {
				if (!removeSnapshot(store, wanted.name)) {
					throw notFound('snapshot', wanted.name);
				}
			},
			{ args: ['name'] },
		),
	};
}

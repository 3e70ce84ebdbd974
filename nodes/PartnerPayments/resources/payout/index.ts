import type { Resource } from '../../execution/operation';
import { send } from './send';

export const payout: Resource = { name: 'Payout', value: 'payout', operations: [send] };

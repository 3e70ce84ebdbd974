/** Whom an access token stands for: an integrator's client, or a user who consented. */
export interface Caller {
	kind: 'client' | 'user';
	/** Client id, or the user's UUID. */
	id: string;
}

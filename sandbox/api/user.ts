import { findUser, presentUser, workspacesOfUser } from '../domain/users';
import { notFound } from '../shared/errors';
import type { Handler } from './handler';

export const getCurrentUser: Handler<'getCurrentUser'> = ({ caller }, network) => {
	const user = findUser(network, caller.id);
	if (user === undefined) throw notFound('user', caller.id);
	return presentUser(user);
};

export const getCurrentUserWorkspaces: Handler<'getCurrentUserWorkspaces'> = (
	{ caller },
	network,
) => ({ data: workspacesOfUser(network, caller.id) });

/** Who pressed a button in Slack, for the ledger. A person can change their name there, and not the ID. */
function approverOf({ data }) {
	const { email, name, username, id } = data.responder;

	return `${email ?? name ?? username ?? ''} (Slack ${id})`.trim();
}

import { Money, nameOfState, UserText } from '../../ui/text';
import { cellOf } from './cells';

/** A partner or payable in an event: whatever was accepted, which need not be all of one. */
type Subject = Record<string, unknown>;

const textAt = (subject: Subject, name: string): string => {
	const value = subject[name];
	return typeof value === 'string' ? value : '';
};

const stateOf = (subject: Subject): string => {
	const status = textAt(subject, 'status');
	return status === '' ? 'in no state' : nameOfState(status).toLowerCase();
};

/** What an event is about, from its data as it was recorded. */
export const EventSubject = (props: { data: string }) => {
	const data = JSON.parse(props.data) as { partner?: Subject; payable?: Subject };
	if (data.partner !== undefined) {
		const email = textAt(data.partner, 'email');
		return <UserText>{`${email || 'A partner'} is ${stateOf(data.partner)}`}</UserText>;
	}

	const payable = data.payable ?? {};
	const id = textAt(payable, 'id');
	const { amount } = payable;
	return (
		<>
			{id === '' ? 'A payable' : cellOf('id', id)} is {stateOf(payable)}
			{Number.isSafeInteger(amount) && (
				<>
					: <Money amount={Number(amount)} /> for{' '}
					<UserText>{textAt(payable, 'payee_email')}</UserText>
				</>
			)}
		</>
	);
};

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ComponentChildren } from 'preact';
import { completeSignup, signupState, type SignupState } from '../domain/signups';
import { findVendor } from '../domain/vendors';
import { findWorkspace, type WorkspaceRow } from '../domain/workspaces';
import type { Network } from '../network/network';
import { email as emailSchema, object } from '../shared/json-schema';
import {
	addFormat,
	ErrorSummary,
	Fields,
	formOf,
	isClean,
	queryOf,
	readForm,
	type Errors,
	type FormSchema,
	type Values,
} from '../ui/form';
import { Page, sendPage } from '../ui/page';
import { UserText } from '../ui/text';

const WEIGHTS = [3, 7, 1, 3, 7, 1, 3, 7, 1];

/** A routing number's digits, weighted, add up to a multiple of ten. */
addFormat('routing-number', (text) => {
	const digits = text.replace(/[\s-]/g, '');
	const sum = WEIGHTS.reduce((total, weight, at) => total + weight * Number(digits.charAt(at)), 0);
	return /^\d{9}$/.test(digits) && sum % 10 === 0;
});

/** ISO 3166-1: every country's code. */
const COUNTRIES =
	'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW';
const regions = new Intl.DisplayNames('en', { type: 'region' });
const countries = COUNTRIES.split(' ')
	.map((code): [string, string] => [code, regions.of(code) ?? code])
	.sort(([, a], [, b]) => a.localeCompare(b, 'en'));

const line = (title: string, problem: string, autocomplete: string) =>
	({
		type: 'string',
		minLength: 1,
		maxLength: 120,
		pattern: '^[^\\p{Cc}]*$',
		title,
		problem,
		autocomplete,
	}) as const;

const taxFields = {
	tax_form: {
		type: 'string',
		enum: ['W-9', 'W-8BEN'],
		control: 'radio',
		title: 'Tax form',
		names: { 'W-9': 'Form W-9 (United States)', 'W-8BEN': 'Form W-8BEN (elsewhere)' },
		problem: 'Choose a form. In the United States the form is W-9.',
	},
	tax_id: {
		type: 'string',
		pattern: '^\\d{4}$',
		title: 'Tax ID, last four digits',
		problem: 'Enter the last four digits of your tax ID.',
	},
	certify: {
		const: 'yes',
		title: 'I certify that this is true.',
		problem: 'Certify that this is true.',
	},
} as const;

const taxSchema = object(taxFields, ['tax_form', 'tax_id', 'certify']);

const signupSchema = {
	...object(
		{
			legal_name: line(
				'Legal or business name',
				'Enter your legal name or the name of your business, in at most 120 characters.',
				'organization',
			),
			country: {
				type: 'string',
				enum: countries.map(([code]) => code),
				title: 'Country',
				names: Object.fromEntries(countries),
				problem: 'Choose a country.',
			},
			account_holder: line('Account holder', 'Enter the name of the account holder.', 'name'),
			account_number: {
				type: 'string',
				pattern: '^[\\s-]*(\\d[\\s-]*){4,17}$',
				control: 'secret',
				title: 'Account number',
				maxLength: 40,
				problem: 'Use 4 to 17 digits for the account number.',
			},
			routing_number: {
				type: 'string',
				format: 'routing-number',
				title: 'Routing number',
				maxLength: 20,
				description: 'Nine digits, for example 110000000.',
				problem: 'Enter a routing number: nine digits of which the last checks the others.',
			},
			...taxFields,
		},
		[
			...(['legal_name', 'country', 'account_holder', 'account_number', 'routing_number'] as const),
			...(['tax_form', 'tax_id', 'certify'] as const),
		],
	),
	if: { properties: { country: { const: 'US' } }, required: ['country'] },
	then: { properties: { tax_form: { const: 'W-9' } } },
};

const addressSchema = object({ email: emailSchema }, ['email']);

/** What each state asks for before the vendor joins. */
const asked: Partial<Record<SignupState, FormSchema>> = {
	new: signupSchema,
	known: object({}),
	tax: taxSchema,
};

interface Invited {
	workspace: WorkspaceRow;
	email: string;
}

/**
 * Serves the page behind an invite link, which asks for an address and then, at the same address, for
 * what is missing. Nothing is stored before all is there: sending a form twice, going back and
 * reloading do no harm. Bank and tax numbers are checked and not kept.
 */
export function serveSignup(app: FastifyInstance, network: Network): void {
	app.get('/join', async (request, reply) => {
		const query = queryOf(request);
		const workspace = findWorkspace(network, query.get('invitationId') ?? '');
		if (workspace === undefined) {
			await sendPage(reply, <NoInvitation />, 404);
			return;
		}
		const values = Object.fromEntries(query);
		const { errors } = readForm(addressSchema, values);
		if (!query.has('email') || !isClean(errors)) {
			const shown = query.has('email') ? errors : {};
			const page = <AskAddress workspace={workspace} values={values} errors={shown} />;
			await sendPage(reply, page, isClean(shown) ? 200 : 422);
			return;
		}
		await show(reply, { workspace, email: query.get('email')?.trim() ?? '' });
	});
	app.post('/join', async (request, reply) => {
		const invited = invitedBy(request);
		if (invited === undefined) {
			await sendPage(reply, <NoInvitation />, 404);
			return;
		}
		const { workspace, email } = invited;
		const values = formOf(request);
		const schema = asked[signupState(network, workspace.id, email)];
		const { errors } =
			schema && values['skip'] !== 'yes' ? readForm(schema, values) : { errors: {} };
		if (!isClean(errors)) {
			await show(reply, invited, values, errors);
			return;
		}
		const name = values['legal_name'] ?? '';
		network.store.transaction(() => {
			completeSignup(network, workspace.id, email, name === '' ? null : name);
		});
		await reply.redirect(request.url, 303);
	});

	function invitedBy(request: FastifyRequest): Invited | undefined {
		const query = queryOf(request);
		const workspace = findWorkspace(network, query.get('invitationId') ?? '');
		const email = query.get('email') ?? '';
		const isValid = isClean(readForm(addressSchema, { email }).errors);
		return workspace === undefined || !isValid ? undefined : { workspace, email };
	}

	async function show(
		reply: FastifyReply,
		invited: Invited,
		values: Values = { tax_form: 'W-9' },
		errors: Errors = {},
	): Promise<void> {
		const state = signupState(network, invited.workspace.id, invited.email);
		const vendor = findVendor(network, invited.email);
		const props = {
			...{ workspace: invited.workspace.display_name, email: invited.email, values, errors },
			...{ name: vendor?.business_name ?? invited.email, vendorId: vendor?.id ?? '' },
		};
		const StatePage = pages[state];
		await sendPage(reply, <StatePage {...props} />, isClean(errors) ? 200 : 422);
	}
}

interface StateProps {
	workspace: string;
	email: string;
	/** What the network calls the vendor. */
	name: string;
	vendorId: string;
	values: Values;
	errors: Errors;
}

/** A form of the sign-up. */
const Form = (
	props: Pick<StateProps, 'values' | 'errors'> & {
		title: string;
		heading?: ComponentChildren;
		schema: FormSchema;
		button: string;
		method?: string;
		/** What is sent along and not shown. */
		kept?: Values;
		children: ComponentChildren;
	},
) => {
	const { title, heading = title, schema, values, errors, button, kept = {}, children } = props;
	return (
		<Page title={`${isClean(errors) ? '' : 'Error: '}${title}`} heading={heading}>
			<ErrorSummary errors={errors} />
			{children}
			<form method={props.method ?? 'post'} novalidate>
				{Object.entries(kept).map(([name, value]) => (
					<input key={name} type="hidden" name={name} value={value} />
				))}
				<Fields schema={schema} values={values} errors={errors} />
				<button>{button}</button>
			</form>
		</Page>
	);
};

const AskAddress = (props: { workspace: WorkspaceRow; values: Values; errors: Errors }) => {
	const { display_name: name, id } = props.workspace;
	const { email: _, ...kept }: Values = { ...props.values, invitationId: id };
	return (
		<Form
			{...{ ...props, kept, method: 'get', schema: addressSchema, button: 'Continue' }}
			title={`${name} wants to pay you`}
			heading={
				<>
					<UserText>{name}</UserText> wants to pay you
				</>
			}
		>
			<p>
				Join the payouts network to get paid. It takes one form; if you are in the network already,
				it takes one button.
			</p>
		</Form>
	);
};

/** The end of a sign-up. */
const End = (props: {
	title: string;
	heading?: ComponentChildren;
	children: ComponentChildren;
	vendorId: string;
}) => (
	<Page title={props.title} heading={props.heading ?? props.title}>
		{props.children}
		<p>
			<a href={`/vendor/${encodeURIComponent(props.vendorId)}`}>See your wallet and payments</a>
		</p>
	</Page>
);

const pages: Record<SignupState, (props: StateProps) => ComponentChildren & object> = {
	new: (props) => (
		<Form {...props} title="Sign up" schema={signupSchema} button="Sign and finish">
			<p>
				So that <UserText>{props.workspace}</UserText> can pay <UserText>{props.email}</UserText>.
			</p>
			<p class="note">
				Make the answers up: no bank and no tax authority receives them, and the numbers are not
				kept.
			</p>
			<form method="post" class="inline">
				<input type="hidden" name="skip" value="yes" />
				<button class="second">Skip this form</button>
			</form>
		</Form>
	),
	known: (props) => (
		<Form
			{...props}
			title={`Accept ${props.workspace}`}
			heading={
				<>
					Let <UserText>{props.workspace}</UserText> pay you?
				</>
			}
			schema={{}}
			button="Accept the invitation"
		>
			<p>
				<UserText>{props.name}</UserText> is in the network and verified: there is nothing more to
				fill in. Payments go to the account that you have given before.
			</p>
		</Form>
	),
	tax: (props) => (
		<Form {...props} title="Renew your tax form" schema={taxSchema} button="Renew and accept">
			<p>
				You are verified, but your tax form has expired. Payments to{' '}
				<UserText>{props.email}</UserText> wait until you renew it.
			</p>
		</Form>
	),
	waiting: ({ vendorId, workspace }) => (
		<End title="You are not verified yet" vendorId={vendorId}>
			<p class="notice" role="status" tabIndex={-1} autofocus>
				You have joined <UserText>{workspace}</UserText>. Payments wait until the network has
				verified you.
			</p>
		</End>
	),
	joined: ({ workspace, name, email, vendorId }) => (
		<End
			title="You can be paid"
			heading={
				<>
					<UserText>{workspace}</UserText> can pay you now
				</>
			}
			vendorId={vendorId}
		>
			<p class="notice" role="status" tabIndex={-1} autofocus>
				You are verified. What has been waiting for you is paid as soon as its money is there.
			</p>
			<p>
				Payments to <UserText>{email}</UserText> go to{' '}
				<strong>
					<UserText>{name}</UserText>
				</strong>
				.
			</p>
		</End>
	),
	declined: ({ workspace, email }) => (
		<Page title="You cannot be paid through this network">
			<p class="error">
				The network has checked <UserText>{email}</UserText> before and declined it, so{' '}
				<UserText>{workspace}</UserText> cannot pay this address here.
			</p>
			<p>
				Signing up again does not change this. Ask <UserText>{workspace}</UserText> about it. In
				this sandbox, verify the vendor on the buyer console, then open the invite link again.
			</p>
		</Page>
	),
};

/** Behind a link that leads to no workspace. */
const NoInvitation = () => (
	<Page title="This invitation does not work">
		<p class="error">The link is incomplete, or its workspace is not there any more.</p>
		<p>Open the whole link from your invitation mail, or ask for a new one.</p>
	</Page>
);

import { isRecord } from '../../shared/json';

/** Names that say of themselves that they hold the secret, in lower case and without separators. */
const SECRET_NAME =
	/secrets?$|secret(key|token|value)$|(signing|signature|hmac|shared|webhook)keys?$/;
/** A property that says so together with the object that it stands in, such as `signing.key`. */
const NESTED_SECRET_NAME = /(secrets?|signing|signature|hmac)(key|value)$/;
/** Secrets that sign something else, and keys that everybody knows. */
const OTHER_NAME = /client|public|api|access/;
/**
 * What can be a secret. A masked one (`whsec_****`, `[hidden]`) can be guessed: whoever checked
 * signatures with it would take forged ones for true.
 */
const SECRET_VALUE = /^[^\s*•…<>[\]]{20,500}$/;
/** What stands in its place all the same: words, a header, an algorithm, a shortened one, one letter again and again. */
const PLACEHOLDER = /^(?:[a-z]+_)?(?:(?:[a-z]+-)*[a-z]+|(.)\1+)$|^x-|^hmac|^sha-?\d|\.\./i;

interface Property {
	name: string;
	/** The name of the object or list that it stands in. */
	parent: string;
	value: unknown;
}

/**
 * Finds the secret that signs the deliveries of a subscription, wherever the answer to the subscription
 * holds it, the outermost one first. A property that is merely called `key` may be anything.
 */
export function signingSecret(answer: unknown): string | undefined {
	let level: Property[] = [{ name: '', parent: '', value: answer }];
	while (level.length > 0) {
		const found = level.find(isSecret);
		if (found !== undefined) return found.value;
		level = level.flatMap(propertiesOf);
	}
	return undefined;
}

const isSecret = (property: Property): property is Property & { value: string } => {
	const { name, parent, value } = property;
	return (
		typeof value === 'string' &&
		SECRET_VALUE.test(value) &&
		!PLACEHOLDER.test(value) &&
		!OTHER_NAME.test(name) &&
		(SECRET_NAME.test(name) || NESTED_SECRET_NAME.test(parent + name))
	);
};

/** What stands in an object, or in a list, whose elements have its name. */
function propertiesOf({ name: parent, value }: Property): Property[] {
	if (Array.isArray(value)) {
		const elements: unknown[] = value;
		return elements.map((element) => ({ name: parent, parent, value: element }));
	}
	if (!isRecord(value)) return [];
	return Object.entries(value).map(([name, inner]) => ({
		name: name.toLowerCase().replace(/[^a-z]/g, ''),
		parent,
		value: inner,
	}));
}

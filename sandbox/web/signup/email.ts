import Ajv from 'ajv';
import addFormats from 'ajv-formats';

const ajv = new Ajv();
addFormats(ajv);
const isAddress = ajv.compile({ type: 'string', format: 'email', maxLength: 254 });

/** Whether the API would take this for an e-mail address too. */
export const isEmail = (text: string): boolean => isAddress(text);

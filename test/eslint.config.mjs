// n8n's rules are for what is published. What is here is checked by eslint.strict.config.mjs.
export default [{ ignores: ['**'] }];

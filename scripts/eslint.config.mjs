// `n8n-node lint` lints every folder, with rules for what is published. This one is linted by scripts/lint.
export default [{ ignores: ['**'] }];

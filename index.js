// n8n finds the nodes and credentials through the `n8n` block of package.json; there is nothing to import.
module.exports = {};

#!/usr/bin/env node
'use strict';

// The state lives in node:sqlite, which an older Node.js does not have, or not whole.
const [major] = process.versions.node.split('.');
if (Number(major) < 24) {
	process.stderr.write(`The sandbox needs Node.js 24 or later, and this is ${process.version}.\n`);
	process.exit(1);
}

// What was compiled once is not compiled again.
require('node:module').enableCompileCache();
require('./sandbox.js');

#!/usr/bin/env node
// What an older Node can still read, so that it can say why the rest does not run (docs/tools.md#command-line).
const oldest = 22;
const [major = 0] = process.versions.node.split('.').map(Number);
if (major < oldest) {
  process.stderr.write(`modelbench needs Node ${oldest} or newer. This is Node ${process.versions.node}.\n`);
  process.exitCode = 2;
} else void import('#cli/main.ts').then(({ start }) => start());

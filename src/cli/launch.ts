#!/usr/bin/env node
// What an older Node can still read, so that it can say why the rest does not run (docs/tools.md#command-line).
const oldest = 22;
const [major = 0] = process.versions.node.split('.').map(Number);
if (major < oldest) {
  process.stderr.write(`modelbench needs Node ${oldest} or newer. This is Node ${process.versions.node}.\n`);
  process.exitCode = 2;
} else void launch();

async function launch(): Promise<void> {
  // Nothing of it may be loaded by an older Node.
  const { keepCompiled } = await import('./compile-cache.ts');
  keepCompiled();
  const { start } = await import('#cli/main.ts');
  start();
}

#!/usr/bin/env node
// An older Node can run this file, so that it can report why the rest does not run (docs/tools.md#command-line).
const oldest = 22;
const [major = 0] = process.versions.node.split('.').map(Number);
if (major < oldest) {
  process.stderr.write(`modelbench needs Node ${oldest} or newer. This is Node ${process.versions.node}.\n`);
  process.exitCode = 2;
} else void launch();

async function launch(): Promise<void> {
  // An older Node must not load any of this.
  const { keepCompiled } = await import('./compile-cache.ts');
  keepCompiled();
  const { start } = await import('#cli/main.ts');
  start();
}

import { join } from 'node:path';
import type { dataClientOf } from '#tools/platform/open-platform.ts';
import { stateFolder } from '#sync/disk/state-folder.ts';
import { runProcess } from './run-process.ts';

// The editor's tools for agents come from this bundle, too, so that the package contains the tools once.
export { tools } from '#tools/tools.ts';
export { ToolError } from '#tools/tool.ts';
export { portsOf } from './ports.ts';

/** Loads the code that sends requests, which only some tools need. */
export async function dataClients(): Promise<{ readonly dataClientOf: typeof dataClientOf }> {
  return import('#tools/platform/open-platform.ts');
}

/** Runs the command line of this process. */
export function start(): void {
  void runProcess(process, {
    state: stateFolder(process.env),
    hashWorker: join(__dirname, 'hash-worker.js'),
    engine: {
      program: join(__dirname, 'engine-process.js'),
      bundle: join(__dirname, 'engine.js'),
      renderer: join(__dirname, 'templates.js'),
      templates: join(__dirname, 'minijinja_js_bg.wasm'),
    },
  });
}

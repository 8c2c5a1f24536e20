// The local platform as a process: node test/platform/main.ts [--port N] [--data DIR] [--faults] [--seed NAME] [--mode NAMES]
import { flushCompileCache } from 'node:module';
import { parseArgs } from 'node:util';
import { createPlatform } from './app.ts';
import type { Mode } from './modes/mode.ts';
import { readModes } from './modes/modes.ts';
import { seedNames } from './seed/index.ts';
import { serve } from './serve.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    data: { type: 'string', default: '.platform' },
    faults: { type: 'boolean', default: false },
    seed: { type: 'string', default: 'demo' },
    mode: { type: 'string', default: 'generous' },
  },
});
const port = Number(values.port);
const seed = seedNames.find((name) => name === values.seed);
if (!Number.isInteger(port) || port < 0 || port > 65_535)
  fail(`--port must be a number from 0 to 65535, not "${values.port}".`);
if (seed === undefined) fail(`--seed must be one of ${seedNames.join(', ')}, not "${values.seed}".`);

const platform = await createPlatform({
  dataDir: values.data,
  faults: values.faults,
  modes: modesOf(values.mode),
  seed,
  agentUrl: process.env['AGENT_URL'],
}).catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void platform.close().then(() => process.exit(0));
  });
}

const served = await serve(platform, port).catch((error: unknown) => fail(String(error)));
process.stdout.write(`${JSON.stringify(served)}\n`);
// Where Node keeps what it has compiled (`NODE_COMPILE_CACHE`), it writes that at the end, which a killed process does not reach.
flushCompileCache();

function modesOf(names: string): readonly Mode[] {
  try {
    return readModes(names);
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

// npm run test:cube-core: installs a Cube Core server from the registry, queries it unmodified, and records how it judges tokens.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '#base/clock.ts';
import { silentLogger } from '#base/log.ts';
import { Queries, type QueryPorts } from '#features/data/queries.ts';
import { signedJwt } from '#features/data/jwt.ts';
import { MemorySecrets } from '#support/memory-secrets.ts';
import { MemoryState } from '#support/memory-state.ts';
import { type Child, startNode } from './children.ts';
import { freePort } from './local-platform.ts';
import { root } from './run.ts';

const version = '1.7.43';
const secret = 'cube-core-secret';
const sources = join(root, 'test/support/cube-core');
const recorded = join(root, 'test/fixtures/cube-core/answers.json');
const folder = join(process.env['MODELBENCH_CACHE'] ?? join(root, '.vscode-test'), `cube-core-${version}`);
const query = { measures: ['orders.count'], dimensions: ['orders.status'] };

/** A server's response to a request. */
interface Recorded {
  readonly status: number;
  readonly error: string;
}

interface Server {
  readonly restUrl: string;
  readonly child: Child;
}

install();
const isWhole = await hasNative();
const answers: Record<string, Recorded> = {};
for (const mode of ['development', 'production'] as const) {
  const { restUrl, child } = await start(mode);
  try {
    await record(mode, restUrl);
    if (isWhole) await queryAs(mode, restUrl);
  } finally {
    await child.stop();
  }
}
mkdirSync(join(recorded, '..'), { recursive: true });
writeFileSync(recorded, `${JSON.stringify({ version, answers }, undefined, 2)}\n`);
console.log(
  isWhole
    ? `Cube Core ${version} was queried in both modes.`
    : `Cube Core ${version} judged tokens in both modes. Its native library could not be downloaded, so nothing was queried.`,
);

/** Installs the server. It is large (about 400 MB), so it is not a dependency of the repository. */
function install(): void {
  mkdirSync(folder, { recursive: true });
  cpSync(join(sources, 'model'), join(folder, 'model'), { recursive: true });
  if (existsSync(join(folder, 'node_modules/@cubejs-backend/server'))) return;
  writeFileSync(join(folder, 'package.json'), '{ "name": "cube-core", "private": true }\n');
  try {
    installPackages();
  } catch {
    // Their scripts download programs from GitHub; without those, the server still validates tokens.
    installPackages('--ignore-scripts');
  }
}

function installPackages(...options: readonly string[]): void {
  const packages = ['server', 'duckdb-driver'].map((name) => `@cubejs-backend/${name}@${version}`);
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--save-dev', ...options, ...packages], {
    cwd: folder,
    stdio: 'inherit',
  });
}

async function hasNative(): Promise<boolean> {
  const native = join(folder, 'node_modules/@cubejs-backend/native');
  const child = startNode(['-e', `require(${JSON.stringify(native)}).loadNative()`]);
  return (await child.ended) === 0;
}

async function start(mode: 'development' | 'production'): Promise<Server> {
  const port = await freePort(14_000);
  const preload = isWhole ? [] : ['--import', join(sources, 'without-native.ts')];
  const program = join(folder, 'node_modules/@cubejs-backend/server/bin/server');
  const child = startNode(
    [...preload, program, 'server'],
    {
      CUBEJS_DEV_MODE: String(mode === 'development'),
      CUBEJS_DB_TYPE: 'duckdb',
      CUBEJS_TELEMETRY: 'false',
      CUBEJS_API_SECRET: secret,
      CUBEJS_SCHEMA_PATH: 'model',
      CUBEJS_CACHE_AND_QUEUE_DRIVER: 'memory',
      PORT: String(port),
    },
    folder,
  );
  await child.line(/is listening on/);
  return { restUrl: `http://localhost:${port}/cubejs-api/v1`, child };
}

/** Records the responses to the tokens that the broker’s test uses. */
async function record(mode: string, restUrl: string): Promise<void> {
  const times = { now: Date.now(), lifetimeMs: 60_000 };
  const tokens: Readonly<Record<string, string | undefined>> = {
    'no token': undefined,
    'a token of its secret': await signedJwt(secret, {}, times),
    'a token of another secret': await signedJwt('other', {}, times),
    'an expired token': await signedJwt(secret, {}, { ...times, now: times.now - 3_600_000 }),
  };
  for (const [name, token] of Object.entries(tokens)) {
    const response = await fetch(`${restUrl}/load`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: token }) },
      body: '{"query":{}}',
    });
    const { error } = (await response.json()) as { readonly error: string };
    answers[`${name} in ${mode}`] = { status: response.status, error };
  }
}

/** Queries the server with the product’s own query service; the user enters the secret if the service asks for it. */
async function queryAs(mode: string, restUrl: string): Promise<void> {
  let questions = 0;
  // A Cube Core server needs nothing from the platform.
  const platform = {} as Pick<QueryPorts, 'data' | 'session' | 'capabilitiesOf'>;
  const queries = new Queries({
    ...platform,
    storage: { secrets: new MemorySecrets(), user: new MemoryState(), window: new MemoryState() },
    clock: systemClock,
    logger: silentLogger,
    ask: async (_question, check) => {
      questions += 1;
      await check(secret, new AbortController().signal);
    },
  });
  if (!(await queries.answers(restUrl))) throw new Error(`The ${mode} server was not found.`);
  const outcome = await queries.run({ kind: 'cubeCore', restUrl }, query);
  if (outcome.kind !== 'rows' || outcome.rows.length !== 2)
    throw new Error(`The ${mode} server answered ${JSON.stringify(outcome)}.`);
  if (questions !== (mode === 'production' ? 1 : 0))
    throw new Error(`The ${mode} server led to ${questions} questions.`);
  const cubes = await queries.meta({ kind: 'cubeCore', restUrl });
  if (cubes.length !== 1) throw new Error(`The ${mode} server has ${cubes.length} cubes.`);
}

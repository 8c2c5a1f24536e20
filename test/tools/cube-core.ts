// npm run test:cube-core: installs Cube Core servers from the registry, queries them unmodified, and records their answers.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataQuery } from '#api/data/data.ts';
import { systemClock } from '#base/clock.ts';
import { silentLogger } from '#base/log.ts';
import { Queries, type QueryPorts } from '#features/data/queries.ts';
import { signedJwt } from '#features/data/jwt.ts';
import { cubeCoreQueries } from '#support/cube-core/queries.ts';
import { MemorySecrets } from '#support/memory-secrets.ts';
import { MemoryState } from '#support/memory-state.ts';
import { type Child, startNode } from './children.ts';
import { freePort } from './local-platform.ts';
import { root } from './run.ts';

const secret = 'cube-core-secret';
const sources = join(root, 'test/support/cube-core');
const fixtures = join(root, 'test/fixtures/cube-core');
const query = { measures: ['orders.count'], dimensions: ['orders.status'] };
const modes = ['development', 'production'] as const;
type Mode = (typeof modes)[number];

/** A server in a folder of its own. */
interface Installed {
  readonly version: string;
  readonly folder: string;
  /** Whether its native library could be downloaded. */
  readonly isWhole: boolean;
}

interface Server {
  readonly restUrl: string;
  readonly child: Child;
}

/** A server's response to a request without rows. */
interface Recorded {
  readonly status: number;
  readonly error: string;
}

const current = await installed('1.7.43');
const answers: Record<string, Recorded> = {};
for (const mode of modes) {
  await withServer(current, mode, async ({ restUrl }) => {
    await recordTokens(mode, restUrl, answers);
    if (current.isWhole) await queryAs(mode, restUrl);
  });
}
write('answers', { version: current.version, answers });

// The latest release that runs queries without the native library, and with it a dialect for DuckDB.
const older = await installed('0.35.81');
for (const mode of modes) await withServer(older, mode, ({ restUrl }) => queryAs(mode, restUrl));
await withServer(older, 'development', async ({ restUrl }) => {
  const recorded: Record<string, readonly Answer[]> = {};
  for (const [name, each] of Object.entries(cubeCoreQueries)) recorded[name] = await answersTo(restUrl, each);
  write('rows', { version: older.version, answers: recorded });
});

console.log(
  current.isWhole
    ? `Cube Core ${current.version} and ${older.version} were queried in both modes.`
    : `Cube Core ${older.version} was queried in both modes; ${current.version} only judged tokens, because its native library could not be downloaded.`,
);

/** Installs a server. It is large (about 400 MB), so it is not a dependency of the repository. */
async function installed(version: string): Promise<Installed> {
  const folder = join(process.env['MODELBENCH_CACHE'] ?? join(root, '.vscode-test'), `cube-core-${version}`);
  mkdirSync(folder, { recursive: true });
  cpSync(join(sources, 'model'), join(folder, 'model'), { recursive: true });
  if (!existsSync(join(folder, 'node_modules/@cubejs-backend/server'))) {
    // The registry has one version of the driver, which must use the compiler of the server.
    const overrides = { '@cubejs-backend/duckdb-driver': { '@cubejs-backend/schema-compiler': version } };
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'cube-core', private: true, overrides }));
    try {
      installPackages(folder, version);
    } catch {
      // Their scripts download programs from GitHub; without those, templates and the SQL interface are absent.
      installPackages(folder, version, '--ignore-scripts');
    }
  }
  return { version, folder, isWhole: await hasNative(folder) };
}

function installPackages(folder: string, version: string, ...options: readonly string[]): void {
  const packages = [`@cubejs-backend/server@${version}`, '@cubejs-backend/duckdb-driver@1.7.43'];
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--save-dev', ...options, ...packages], {
    cwd: folder,
    stdio: 'inherit',
  });
}

async function hasNative(folder: string): Promise<boolean> {
  const native = join(folder, 'node_modules/@cubejs-backend/native');
  const child = startNode(['-e', `require(${JSON.stringify(native)}).loadNative()`]);
  return (await child.ended) === 0;
}

/** Starts a server, and stops it after the work. */
async function withServer(server: Installed, mode: Mode, work: (server: Server) => Promise<void>): Promise<void> {
  const started = await start(server, mode);
  try {
    await work(started);
  } finally {
    await started.child.stop();
  }
}

async function start({ folder, isWhole }: Installed, mode: Mode): Promise<Server> {
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

/** A server's response, as it sends it; paths of this machine and ids of requests are left out. */
interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Resolves to the responses to a query until the server no longer asks to wait. */
async function answersTo(restUrl: string, each: DataQuery): Promise<readonly Answer[]> {
  const all: Answer[] = [];
  for (;;) {
    const response = await fetch(`${restUrl}/load`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: each }),
    });
    const body = (await response.json()) as Readonly<Record<string, unknown>>;
    const { requestId: _, transformedQuery: __, stack, ...kept } = body;
    const own = typeof stack === 'string' ? { ...kept, stack: stack.split('\n', 1)[0] } : kept;
    all.push({ status: response.status, body: own });
    if (body['error'] !== 'Continue wait') return all;
  }
}

function write(name: string, content: unknown): void {
  mkdirSync(fixtures, { recursive: true });
  writeFileSync(join(fixtures, `${name}.json`), `${JSON.stringify(content, undefined, 2)}\n`);
}

/** Records the responses to the tokens that the broker’s test uses. */
async function recordTokens(mode: Mode, restUrl: string, into: Record<string, Recorded>): Promise<void> {
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
    into[`${name} in ${mode}`] = { status: response.status, error };
  }
}

/** Queries the server with the product’s own query service; the user enters the secret if the service asks for it. */
async function queryAs(mode: Mode, restUrl: string): Promise<void> {
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
  if (cubes.length !== 2) throw new Error(`The ${mode} server has ${cubes.length} cubes.`);
}

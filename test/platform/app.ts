import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '#base/clock.ts';
import type { ServerType } from '@hono/node-server';
import { Hono } from 'hono';
import { type Control, createControl } from './control.ts';
import { Core } from './core/core.ts';
import { recover } from './core/journal.ts';
import { Refusal } from './core/refusal.ts';
import { expireUploads } from './core/uploads.ts';
import type { PartOptions } from './deps.ts';
import { createEngine, type Engine } from './engine/index.ts';
import { Faults, type Wire } from './faults.ts';
import { closeServer, listen, type Listening } from './listen.ts';
import { createParts, type Part } from './mounts.ts';
import { routes } from './routes/index.ts';
import { Requests } from './requests.ts';
import { inModes } from './modes/modes.ts';
import type { Mode } from './modes/mode.ts';
import { pathOf } from './routes/route.ts';
import { signInPage } from './routes/sign-in.ts';
import { type SeedName, seed } from './seed/index.ts';
import { demo } from './seed/names.ts';
import { renewCredentials } from './seed/renew.ts';
import { Database } from './state/database.ts';

export interface PlatformOptions extends PartOptions {
  /** Where everything is kept; by default a fresh folder that goes when the platform closes. */
  readonly dataDir?: string | undefined;
  /** What a new data folder starts with; `demo` unless said otherwise. */
  readonly seed?: SeedName | undefined;
  /** Opens `POST /_faults` and `GET /_log`. */
  readonly faults?: boolean | undefined;
  readonly clock?: Clock | undefined;
  /** Other ways of answering that the documented API allows, the outermost first (`modes/`). */
  readonly modes?: readonly Mode[] | undefined;
  /** Instead of the real model compiler. */
  readonly engine?: Engine | undefined;
}

/** The local platform: the same app in memory (`fetch`) and on a port of the loopback interface (`listen`). */
export interface Platform {
  readonly dataDir: string;
  /** The demo account's unscoped API key. */
  readonly apiKey: string;
  /** What tests do behind the API's back. */
  readonly control: Control;
  fetch(request: Request): Promise<Response>;
  /** @param port 0 (the default): any free one */
  listen(port?: number): Promise<Listening>;
  /** Ends every request and everything that runs in the background; nothing is written or printed afterwards. */
  close(): Promise<void>;
}

/** Opens the data folder (and seeds a new one), finishes what a killed platform left, and serves. */
export async function createPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'platform-'));
  const clock = options.clock ?? systemClock;
  const engine = options.engine ?? createEngine();
  const db = Database.open(dataDir);
  const core = new Core({ db, dataDir, clock, engine });
  await recover(core);
  await expireUploads(core);
  await seed(core, options.seed ?? 'demo');
  renewCredentials(core);
  const chunks = createParts(core, engine, options);
  const requests = new Requests();
  const app = createApp(core, chunks, requests.closing);
  const faults = new Faults({ enabled: options.faults === true, core, closing: requests.closing });
  const serve = inModes(options.modes ?? [], async (request) => app.fetch(request));
  const fetch = (request: Request, wire?: Wire): Promise<Response> =>
    requests.serve(() => faults.around(request, serve, wire));
  const servers: ServerType[] = [];
  return {
    dataDir,
    apiKey: demo.keys.unscoped,
    control: createControl(core, faults),
    fetch: (request) => fetch(request),
    listen: (port = 0) => listen(fetch, port, servers),
    close: async () => {
      const ended = requests.close();
      await Promise.all(servers.map((server) => closeServer(server)));
      await ended;
      // The chat queries the data API's warehouse, so it ends first.
      for (const chunk of chunks.toReversed()) await chunk.close();
      core.builds.stop();
      if (options.engine === undefined) await engine.close();
      await core.builds.idle();
      db.close();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

function createApp(core: Core, chunks: readonly Part[], closing: AbortSignal): Hono {
  const app = new Hono();
  for (const route of routes) {
    const path = pathOf(route.operation).replaceAll(/\{(\w+)\}/g, ':$1');
    app.on(route.operation.method, path, (context) => route.handle(core, context.req.raw, context.req.param()));
  }
  app.route('/', signInPage(core));
  for (const chunk of chunks) app.all(`${chunk.path}/*`, (context) => chunk.fetch(context.req.raw));
  app.notFound((context) => context.json({ error: `There is no ${context.req.method} ${context.req.path}.` }, 404));
  app.onError((error) => failure(error, closing));
  return app;
}

function failure(error: Error, closing: AbortSignal): Response {
  if (error instanceof Refusal) {
    return Response.json({ error: error.message, ...error.extra }, { status: error.status, headers: error.headers });
  }
  // A request whose connection the closing platform has cut did not fail by a fault of ours.
  if (!closing.aborted) process.stderr.write(`${error.stack ?? error.message}\n`);
  return Response.json({ error: `Internal error: ${error.message}` }, { status: 500 });
}

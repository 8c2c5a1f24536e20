import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Client } from '#api/client/client.ts';
import { isPlatformError, type PlatformError } from '#api/errors.ts';
import { outcomeChecks } from '#api/lost-replies/outcome-checks.ts';
import type { Operation, RequestOf } from '#api/operation.ts';
import { operations } from '#api/resources/operations.ts';
import { silentLogger } from '#base/log.ts';
import type { World } from '#support/api/story/step.ts';
import { openWorld, story } from '#support/api/story/world.ts';
import { patientClient } from '../../support/api/patient-client.ts';

/** Every change of the platform whose reply is lost: it is made once at most, and its outcome is reported truly. */

const isChange = ({ method, host, anonymous, tag }: Operation): boolean =>
  method !== 'GET' && host !== 'chat' && anonymous !== true && tag !== 'Data API';
const changes = operations.filter((op) => isChange(op));

/** How a reply is lost; `after`: after the change was made. */
type Loss = 'reset before' | '502 after' | 'cut after';
const losses: readonly Loss[] = ['reset before', '502 after', 'cut after'];

interface Told {
  readonly op: Operation;
  /** How often the change was made. */
  readonly made: number;
  readonly error: PlatformError | undefined;
}

/** The platform does not show whether these were made, so the user is asked to check. */
const unseen = [
  'advanceCreationStep',
  'commit',
  'connectGithub',
  'createDataToken',
  'createDeployment',
  'createEmbedTenantGroup',
  'createMetadataToken',
  'createNotification',
  'createOauthIntegration',
  'createOidcTokenConfig',
  'createUser',
  'createUserAttribute',
  'deleteDataModelFiles',
  'duplicateWorkbook',
  'finishUpload',
  'initiateUserOauthToken',
  'merge',
  'mergeToDefault',
  'publishDashboard',
  'pull',
  'renameDataModelFiles',
  'resetCreationStep',
  'runPythonReport',
  'setAiWidgetThread',
  'setDashboardEmbedding',
  // Of a secret only a mask is shown.
  'setEnvVars',
  'startDbtSync',
  'startUpload',
  'updateUser',
  'uploadFile',
  'writeDataModelFiles',
];

it('every change has an entry in the table of looks', () => {
  expect(Object.keys(outcomeChecks).toSorted()).toEqual(changes.map(({ id }) => id).toSorted());
});

describe.each(losses)('a reply that is lost (%s)', (loss) => {
  const told = new Map<string, Told>();
  beforeAll(async () => {
    for (const each of await playLosing(loss)) if (!told.has(each.op.id)) told.set(each.op.id, each);
  });
  const changed = loss.endsWith('after');

  it('was played for every change', () => {
    expect([...told.keys()].toSorted()).toEqual(changes.map(({ id }) => id).toSorted());
  });

  it.each(changes)('$id is made once at most, and the outcome is reported truthfully', ({ id }) => {
    const { made, error } = told.get(id) ?? { made: -1, error: undefined };
    // What was not made and cannot be seen may also be reported as doubtful.
    const words = made === 1 ? /may have been done/ : /may have been done|did not show the change/;
    const isTrue = error === undefined ? made === 1 : made <= 1 && words.test(error.message);
    expect({ made, message: error?.message, isTrue }).toMatchObject({ isTrue: true });
  });

  it('is reported with one advice', () => {
    const twice = [...told.values()].flatMap(({ op, error }) => {
      const given = (error?.message ?? '').match(/\b(?:try again|check)\b/gi) ?? [];
      // “refresh and check before you try again” is one.
      return given.length > (/may have been done/.test(error?.message ?? '') ? 2 : 1) ? [[op.id, error?.message]] : [];
    });
    expect(twice).toEqual([]);
  });

  it('shows when the platform is read again, wherever that is possible', () => {
    const doubtful = [...told.values()].filter(({ error }) => error?.mayBeDone && changed).map(({ op }) => op.id);
    const seen = doubtful.filter((id) => !unseen.includes(id));
    expect(seen.toSorted()).toEqual([]);
  });
});

/** Plays the story; the first reply to each change is lost, and the story continues with what it said. */
async function playLosing(loss: Loss): Promise<readonly Told[]> {
  let lost: { readonly method: string; readonly path: string; isOver: boolean; made: Response[] } | undefined;
  const dataDir = mkdtempSync(join(tmpdir(), 'lost-'));
  cpSync(inject('demoSeed'), dataDir, { recursive: true });
  const world = await openWorld({
    dataDir,
    attempts: 2,
    around: async (request, serve) => {
      const isLost = lost?.method === request.method && lost.path === new URL(request.url).pathname;
      if (!lost || !isLost) return serve(request);
      const first = !lost.isOver;
      lost.isOver = true;
      if (first && loss.endsWith('before')) return broken(loss);
      const response = await serve(request);
      if (response.ok) lost.made.push(response.clone());
      return first ? broken(loss, response) : response;
    },
  });
  const told: Told[] = [];
  const lossy: Client = {
    open: (op, request, options) => world.client.open(op, request, options),
    call: async <Op extends Operation>(op: Op, request: RequestOf<Op>) => {
      if (!isChange(op)) return world.client.call(op, request);
      lost = { method: op.method, path: pathOf(op, request), isOver: false, made: [] };
      const { made } = lost;
      const error = await world.client.call(op, request).then(() => undefined, platformError);
      lost = undefined;
      told.push({ op, made: made.length, error });
      const [answer] = made;
      return answer ? answering(answer).call(op, request) : world.client.call(op, request);
    },
  };
  const telling: World = { ...world, client: lossy };
  for (const { play } of story) await play(telling);
  opened.push({ world, dataDir });
  return told;
}

const opened: { readonly world: World; readonly dataDir: string }[] = [];
afterAll(async () => {
  for (const { world, dataDir } of opened) {
    await world.platform.close();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
  }
});

async function broken(loss: Loss, response?: Response): Promise<Response> {
  if (loss.startsWith('502')) return new Response('Bad gateway', { status: 502 });
  if (loss.startsWith('reset') || !response) throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
  const whole = new Uint8Array(await response.arrayBuffer());
  const half = whole.slice(0, Math.floor(whole.length / 2));
  return whole.length === 0
    ? Promise.reject(Object.assign(new Error('reset'), { code: 'ECONNRESET' }))
    : new Response(half, { status: response.status, headers: { 'content-type': 'application/json' } });
}

/** A client that is answered what the lost reply said. */
function answering(response: Response): Client {
  const credential = { kind: 'none' } as const;
  return patientClient({
    baseUrl: 'https://platform.example',
    credential: () => credential,
    logger: silentLogger,
    fetch: () => Promise.resolve(response.clone()),
  });
}

function pathOf(op: Operation, request: object): string {
  const params = ((request as { readonly params?: unknown }).params ?? {}) as Readonly<Record<string, unknown>>;
  return op.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
}

function platformError(error: unknown): PlatformError {
  if (isPlatformError(error)) return error;
  throw error;
}

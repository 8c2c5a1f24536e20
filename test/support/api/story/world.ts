import { originOf } from '#base/origin.ts';
import type { Client } from '#api/client/client.ts';
import type { Credential } from '#api/client/credential.ts';
import { resolveLostReply } from '#api/lost-replies/lost-replies.ts';
import { silentLogger } from '#base/log.ts';
import { createPlatform } from '#platform/app.ts';
import type { Mode } from '#platform/modes/mode.ts';
import { namedModes } from '#platform/modes/modes.ts';
import { signJwt } from '#platform/auth/jwt.ts';
import { demo } from '#platform/seed/names.ts';
import { quickEngine } from '#support/quick-engine.ts';
import { accountStory } from './account.ts';
import { modelStory } from './model.ts';
import { outsideStory } from './outside.ts';
import type { Step, World } from './step.ts';
import { workspaceStory } from './workspace.ts';
import { patientClient } from '../patient-client.ts';

/** Every operation, ordered so that each finds what it needs. */
export const story: readonly Step[] = [...modelStory, ...workspaceStory, ...accountStory, ...outsideStory];

type Serve = (request: Request) => Promise<Response>;

const address = 'https://platform.example';
/** The origin that may receive the keys of a world's clients. */
export const worldOrigin = originOf(address);

interface WorldOptions {
  readonly dataDir?: string | undefined;
  /** Intercepts every exchange of the clients. */
  readonly around?: ((request: Request, serve: Serve) => Promise<Response>) | undefined;
  readonly modes?: readonly Mode[] | undefined;
  /** The maximum number of attempts per request. */
  readonly attempts?: number | undefined;
}

/** Opens a platform in memory, with a client for each kind of credential. */
export async function openWorld({ dataDir, around, modes = [], attempts }: WorldOptions = {}): Promise<World> {
  const platform = await createPlatform({ engine: quickEngine(), chatDelayMs: 0, dataDir, modes });
  const serve: Serve = (request) => platform.fetch(request);
  const fetch: Serve = around === undefined ? serve : (request) => around(request, serve);
  const token = signJwt({ externalId: 'noah', scope: ['chat'] }, demo.apiSecret);
  return {
    platform,
    client: clientOf(fetch, { kind: 'bearer', token: platform.apiKey, origin: worldOrigin }, attempts),
    withToken: clientOf(fetch, { kind: 'serviceToken', token, origin: worldOrigin }),
    anonymous: clientOf(fetch, { kind: 'none' }),
    known: new Map(),
    isBare: modes.some((mode) => mode === namedModes['bare']),
  };
}

/** Returns another client of a world. */
export const clientOfWorld = ({ platform }: World, credential: Credential): Client =>
  clientOf((request) => platform.fetch(request), credential);

function clientOf(serve: Serve, credential: Credential, attempts = 1): Client {
  return patientClient({
    baseUrl: address,
    chatUrl: address,
    credential: () => credential,
    logger: silentLogger,
    fetch: (input, init) => serve(new Request(input, init)),
    resolveLostReply,
    limits: { attempts, backoffMs: 0 },
  });
}

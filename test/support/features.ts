import { originOf } from '#base/origin.ts';
import type { Client } from '#api/client/client.ts';
import { resolveLostReply } from '#api/lost-replies/lost-replies.ts';
import { silentLogger } from '#base/log.ts';
import { type Account, Accounts, type EnvironmentKey } from '#features/accounts/accounts.ts';
import { PlatformData } from '#features/platform/platform-data.ts';
import { Session } from '#features/platform/session.ts';
import type { Platform } from '#platform/app.ts';
import type { Engine } from '#platform/engine/index.ts';
import type { Mode } from '#platform/modes/mode.ts';
import { MemorySecrets } from './memory-secrets.ts';
import { MemoryState } from './memory-state.ts';
import { openPlatform } from './platform.ts';
import { patientClient } from './api/patient-client.ts';

const tenantUrl = 'https://platform.test';

/** The services of a signed-in user on a fresh local platform in memory. */
export interface Desk {
  readonly platform: Platform;
  readonly accounts: Accounts;
  readonly account: Account;
  readonly data: PlatformData;
  readonly session: Session;
  readonly client: Client;
}

export interface DeskOptions {
  readonly key?: string;
  /** Intercepts requests between the client and the platform, to return another platform’s responses. */
  readonly through?: Through;
  /** The modes of the local platform. */
  readonly modes?: readonly Mode[];
  /** An engine that runs queries, for tests that need one: the quick engine compiles no SQL. It stays open. */
  readonly engine?: Engine;
}

type Through = (request: Request, send: (request: Request) => Promise<Response>) => Promise<Response>;

export async function openDesk(options: DeskOptions = {}): Promise<Desk> {
  const opened = await openPlatform({
    modes: options.modes,
    ...(options.engine ? { engine: options.engine } : {}),
  });
  const { through } = options;
  const platform: Platform = through
    ? { ...opened, fetch: async (request) => through(request, async (sent) => opened.fetch(sent)) }
    : opened;
  const { accounts } = memoryAccounts();
  const account = await accounts.add(tenantUrl, options.key ?? platform.apiKey);
  const data = new PlatformData({ accounts, connect: (each) => clientOf(platform, accounts, each) });
  const session = new Session({ accounts, window: new MemoryState(), userState: new MemoryState() });
  return { platform, accounts, account, data, session, client: data.client(account.id) };
}

export function memoryAccounts(environment?: EnvironmentKey): {
  readonly accounts: Accounts;
  readonly secrets: MemorySecrets;
  readonly state: MemoryState;
} {
  const secrets = new MemorySecrets();
  const state = new MemoryState();
  return { accounts: new Accounts({ secrets, state, environment }), secrets, state };
}

function clientOf(platform: Platform, accounts: Accounts, account: Account): Client {
  return patientClient({
    baseUrl: account.tenantUrl,
    credential: async () => ({
      kind: 'bearer',
      token: (await accounts.key(account)) ?? '',
      origin: originOf(account.tenantUrl),
    }),
    fetch: (input, init) => platform.fetch(new Request(input, init)),
    logger: silentLogger,
    resolveLostReply,
    limits: { attempts: 1, backoffMs: 0 },
  });
}

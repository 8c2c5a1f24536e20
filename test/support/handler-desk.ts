import { type Capabilities, parseDescription } from '#api/description/capabilities.ts';
import { Store } from '#base/store.ts';
import { silentLogger } from '#base/log.ts';
import { apiDescription } from '#platform/openapi.ts';
import { runDirectly } from '#support/operations.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { type Desk, type DeskOptions, openDesk } from './features.ts';
import { GitAttempts } from '#features/history/git-attempt.ts';
import { MessageDrafts } from '#features/history/message-drafts.ts';
import { MemoryState } from './memory-state.ts';
import { oncePerWorker } from './once-per-worker.ts';
import { Wire } from './wire/wire.ts';

/** The environment of command handlers, on a local platform in memory. */
export interface HandlerDesk extends Desk {
  /** Pass it to a handler: it contains the extension’s services that the handlers of these tests need. */
  readonly services: never;
  readonly target: DeploymentTarget;
  /** The handlers' state that outlives a window. */
  readonly memory: MemoryState;
  /** The requests that were sent. */
  readonly wire: Wire;
}

/** What every local platform offers: each desk would read a long description to learn it. */
const offered = (): Capabilities => oncePerWorker('capabilities', () => parseDescription(apiDescription()));

const groups = [
  'addresses',
  'branches',
  'comparison',
  'conflicts',
  'deletion',
  'devMode',
  'folders',
  'list',
  'lost',
  'ofFolder',
  'ofStep',
  'picking',
  'pruning',
  'pushMode',
  'refreshing',
  'resolved',
  'steps',
  'transfers',
  'trash',
];

/** Opens a desk for handlers; deployment 1 of the demo is selected. */
export async function openHandlerDesk({ through }: Pick<DeskOptions, 'through'> = {}): Promise<HandlerDesk> {
  const wire = new Wire();
  const desk = await openDesk({
    through: async (request, send) => {
      wire.note(request);
      return through ? through(request, send) : send(request);
    },
  });
  const target = { accountId: desk.account.id, deploymentId: '1' };
  await desk.session.select(target);
  const capabilities = offered();
  const memory = new MemoryState();
  const memento = {
    get: (key: string) => memory.get(key),
    update: async (key: string, to: unknown) => memory.set(key, to),
  };
  const services = {
    ...desk,
    attempts: new GitAttempts(new MemoryState()),
    boundary: (_: string, error: unknown) => Promise.reject(error),
    builds: { follow: async () => undefined, stateOf: () => undefined, validated: () => undefined },
    deploymentWork: async () => Promise.reject(new Error('The work on deployments is not loaded here.')),
    context: { globalState: memento, workspaceState: memento },
    documents: { refresh: () => undefined },
    drafts: new MessageDrafts(memory),
    favourites: { add: async () => undefined, remove: async () => undefined },
    isTrusted: new Store(true),
    capabilitiesOf: async () => capabilities,
    learnOffers: async () => undefined,
    logger: silentLogger,
    offers: (_: string, id: string) => capabilities.has(id),
    operations: runDirectly(),
    review: async () => Promise.reject(new Error('Reviews are not loaded here.')),
    syncs: { all: new Store([]), ofBranch: () => [], ofFolder: () => undefined },
  };
  // Handlers get their services in groups; here each group contains all of them.
  const grouped = Object.assign(services, Object.fromEntries(groups.map((name) => [name, services])));
  return { ...desk, services: grouped as never, target, memory, wire };
}

import { silentLogger } from '#base/log.ts';
import { Store } from '#base/store.ts';
import type { TargetState } from '#chat-core/ports.ts';
import { ChatService } from '#chat-core/service.ts';
import type { HostToView, ViewOwner, ViewToHost } from '#features/chat/messages.ts';
import { MemoryFiles } from '#support/chat/memory-files.ts';
import { MemoryProposals } from '#support/chat/memory-proposals.ts';
import { RecordedTransport } from '#support/chat/recorded-transport.ts';
import { ManualClock } from '#support/manual-clock.ts';
import type { ChatHost, ContextOffer, QuestionSources } from '#features/chat/host.ts';
import type { Attachment } from '#chat-core/attachments.ts';
import type { Mention } from '#features/chat/mentions.ts';
import { Emitter } from '#base/event.ts';
import { ChartFailures } from '#features/chat/vscode/chart-failures.ts';
import type { LastThread } from '#features/chat/last-threads.ts';
import { UnsentAttachments } from '#features/chat/unsent-attachments.ts';
import { ChatSurface } from '#features/chat/surface.ts';
import { MemoryState } from '#support/memory-state.ts';

/**
 * Returns a surface of the chat on a transport and a host that only record; `hasOpen` sets what the user has open, and `state`
 * outlives the window.
 */
export function surfaceDesk(files = new MemoryFiles(), remembered?: LastThread, state = new MemoryState()) {
  const clock = new ManualClock();
  const transport = new RecordedTransport();
  const ready = (branch: string, scope = 'shop'): TargetState => ({
    kind: 'ready',
    target: { scope, label: 'Shop', branch: { name: branch, isDefault: branch === 'main' }, transport },
  });
  const target = new Store<TargetState>(ready('main'));
  const newKey = (): string => crypto.randomUUID();
  const service = new ChatService({ target, files, clock, random: () => 0.5, newKey, logger: silentLogger });
  const owner = new Store<ViewOwner>({ account: 'ada', erased: {} });
  const posted: HostToView[] = [];
  const asked: unknown[][] = [];
  const problems: string[] = [];
  const proposals = new MemoryProposals();
  const contextChanged = new Emitter<void>();
  const offers: ContextOffer[] = [];
  const context = { offers: () => offers, onDidChange: contextChanged.event };
  const mentions = (): Promise<readonly Mention[]> => Promise.resolve([orders]);
  const definitions = (names: readonly string[]): Promise<readonly Attachment[]> =>
    Promise.resolve(names.map((label) => ({ id: label, label, detail: 'a.yml:1', text: `${label} is defined` })));
  /** Returns methods that record their calls, except those that are given. */
  const recording = <Group extends object>(own: Partial<Group> = {}): Group =>
    new Proxy(own as Group, {
      get: (known, name) =>
        known[name as keyof Group] ??
        ((...args: unknown[]) => {
          asked.push([name, ...args]);
          return Promise.resolve(name === 'confirmDelete' ? true : undefined);
        }),
    });
  const host = recording<ChatHost>({
    proposals,
    texts: recording(),
    results: recording(),
    threads: recording(),
    sources: recording<QuestionSources>({ context, mentions, definitions }),
  });
  const surface = new ChatSurface({
    service,
    host,
    chartFailures: new ChartFailures(new MemoryState()),
    clock,
    logger: { ...silentLogger, warn: (message) => problems.push(message) },
    post: (message) => posted.push(structuredClone(message)),
    settings: () => ({ sendWith: 'enter', fontSize: 0 }),
    memory: { lastThread: remembered, attachments: new UnsentAttachments(state), owner },
  });
  const send = (message: ViewToHost): Promise<void> => surface.receive(message);
  const last = <T extends HostToView['type']>(type: T) =>
    posted.findLast((message): message is Extract<HostToView, { type: T }> => message.type === type);
  const hasOpen = (...now: readonly ContextOffer[]): void => {
    offers.splice(0, offers.length, ...now);
    contextChanged.fire();
  };
  const desk = { clock, transport, target, ready, owner, service, surface, posted, asked, problems };
  return { ...desk, send, last, files, proposals, hasOpen };
}

/** A cube that can be mentioned. */
export const orders: Mention = {
  id: 'name:orders',
  kind: 'cube',
  label: 'orders',
  detail: 'model/orders.yml',
  read: () => Promise.resolve({ id: 'name:orders', label: 'orders', detail: 'model/orders.yml:1', text: 'cube text' }),
};

/** Returns an item that the user has open. */
export function offered(kind: ContextOffer['kind'], isOn: boolean, text = `the ${kind}`): ContextOffer {
  const read = () => Promise.resolve({ id: kind, label: kind, detail: 'a.yml', text });
  return { kind, id: kind, label: kind, detail: `all of ${kind}`, isOn, read };
}

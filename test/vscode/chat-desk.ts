import type * as vscode from 'vscode';
import { modelComparison } from '#compose/model-comparison.ts';
import { Emitter } from '#base/event.ts';
import { silentLogger } from '#base/log.ts';
import { systemClock } from '#base/clock.ts';
import { Store } from '#base/store.ts';
import type { ChatTurn } from '#chat-core/thread.ts';
import type { HostToView, ViewToHost } from '#features/chat/messages.ts';
import { Chat } from '#features/chat/vscode/chat.ts';
import type { ChatDeps } from '#features/chat/vscode/deps.ts';
import type { ChatContext } from '#features/chat/chat-context.ts';
import { ChartFailures } from '#features/chat/vscode/chart-failures.ts';
import { UnsentAttachments } from '#features/chat/unsent-attachments.ts';
import { ChatSurface } from '#features/chat/surface.ts';
import { theExtension } from './extension.ts';
import type { SuitePlatform } from './platform.ts';
import { MemoryState } from '#support/memory-state.ts';

/** The chat with VS Code's own dialogs and editors; what a page would send is given to it, what a page would get is kept. */
export interface ChatDesk {
  readonly told: readonly HostToView[];
  /** What a click in the page asks for; resolves when it is done. */
  does(message: ViewToHost): Promise<void>;
  /** Asks, and resolves to the turn when it has ended. */
  asks(prompt: string): Promise<ChatTurn>;
  leave(): Promise<void>;
}

/** Sits down at a chat of one's own that speaks to the platform's demo agent; its threads are kept in `folder`. */
export async function atChat(platform: SuitePlatform, folder: vscode.Uri): Promise<ChatDesk> {
  const chat = new Chat(depsFor(platform, folder));
  const told: HostToView[] = [];
  const { service, host } = chat;
  const surface = new ChatSurface({
    service,
    host,
    memory: { attachments: new UnsentAttachments(new MemoryState()), owner: new Store({ account: 'ada', erased: {} }) },
    chartFailures: new ChartFailures(new MemoryState()),
    clock: systemClock,
    logger: silentLogger,
    post: (message) => void told.push(message),
    settings: () => ({ sendWith: 'enter', fontSize: 0 }),
  });
  await surface.receive({ type: 'ready' });
  return {
    told,
    does: (message) => surface.receive(message),
    asks: (prompt) =>
      new Promise((resolve) => {
        const listening = service.onDidEnd(({ turn }) => {
          listening.dispose();
          resolve(turn);
        });
        void surface.receive({ type: 'send', prompt, branch: 'ask' });
      }),
    leave: async () => {
      surface.dispose();
      await service.flush();
      chat.dispose();
    },
  };
}

function depsFor({ url, apiKey, chatApiUrl }: SuitePlatform, storageUri: vscode.Uri): ChatDeps {
  const kept = new Map<string, unknown>();
  const secrets = new Map<string, string>();
  const context: ChatContext = {
    kind: 'ready',
    accountId: url,
    tenantUrl: url,
    deploymentId: '1',
    deploymentName: 'Shop analytics',
    branch: { name: 'main', isDefault: true },
  };
  return {
    store: {
      extensionUri: theExtension().extension.extensionUri,
      storageUri,
      secrets: {
        get: (key) => Promise.resolve(secrets.get(key)),
        set: (key, value) => Promise.resolve(void secrets.set(key, value)),
        delete: (key) => Promise.resolve(void secrets.delete(key)),
        names: () => Promise.resolve([...secrets.keys()]),
        onDidChange: new Emitter<string>().event,
      },
      queries: () => Promise.reject(new Error('There are no queries at this desk.')),
      state: {
        get: (key) => kept.get(key),
        set: (key, value) => Promise.resolve(void kept.set(key, value)),
      },
      logger: silentLogger,
      requests: { userAgent: 'modelbench-suite' },
      report: (_what, error) => Promise.reject(error),
    },
    window: {
      context: new Store(context),
      account: new Store(url),
      isTrusted: new Store(true),
      isModelFile: () => true,
      settings: () => ({
        sendWith: 'enter',
        fontSize: 0,
        url: chatApiUrl,
        serviceTokenHeader: 'X-Service-Auth-Token',
        externalId: 'suite',
        internalId: '',
        session: {},
        notifyWhenReady: false,
        context: [],
        keepThreads: 0,
      }),
      onDidChangeSettings: new Emitter<void>().event,
      reportFacts: () => undefined,
    },
    platform: {
      accounts: new Store([{ id: 'desk' }]),
      apiKey: () => Promise.resolve(apiKey),
      environments: () => Promise.resolve([]),
      environmentOf: () => Promise.reject(new Error('There is no branch at this desk.')),
      linkTo: (chatId) => `link:${chatId}`,
      showPlayground: () => Promise.reject(new Error('There is no playground at this desk.')),
    },
    model: {
      modelFolders: () => [],
      takeBackOf: () => Promise.resolve(undefined),
      branchTexts: () => Promise.resolve(new Map()),
      setAside: () => Promise.resolve(),
      proposals: {
        check: () => Promise.resolve({ state: 'skipped', reason: 'There is no engine at this desk.' }),
        open: (page) => Promise.resolve(page.close()),
        model: modelComparison(async () => Promise.resolve(null)),
        impact: () => Promise.reject(new Error('There is no branch at this desk.')),
      },
    },
    around: {
      branches: () => [],
      changedPaths: () => [],
      changedTexts: () => Promise.resolve([]),
      failedBuild: () => undefined,
      onDidChangeBranches: new Emitter<void>().event,
    },
  };
}

import { describe, expect, it } from 'vitest';
import * as vscode from '#support/fake-vscode.ts';
import { Playgrounds } from '#features/playground/vscode/playground.ts';
import type { MetaCube } from '#api/data/data-operations.ts';
import { Emitter } from '#base/event.ts';
import { silentLogger } from '#base/log.ts';
import type { BuildFinished } from '#features/platform/index.ts';
import type { PlaygroundMessage } from '#features/playground/messages.ts';
import type { PlaygroundDeps } from '#features/playground/vscode/deps.ts';
import { MemoryState } from '#support/memory-state.ts';
import { cube, draft } from '#support/playground-session.ts';
import type { QueryOptions } from '#features/data/query-service.ts';

/** A panel of VS Code from its page's side. */
function pageOf() {
  /** Called with each model that the page hears of. */
  const hears = { model: (_phase: string): unknown => undefined };
  let receive: (message: unknown) => Promise<void> = () => Promise.resolve();
  const webview = {
    options: {},
    html: '',
    cspSource: '',
    asWebviewUri: String,
    postMessage: ({ message }: { readonly message: PlaygroundMessage }) => {
      if (message.type === 'model') hears.model(message.phase);
      return Promise.resolve(true);
    },
    onDidReceiveMessage: (listener: typeof receive) => void (receive = listener),
  };
  let closed: () => void = () => undefined;
  const panel = {
    webview,
    reveal: () => undefined,
    dispose: () => closed(),
    onDidDispose: (listener: typeof closed) => {
      closed = listener;
      return { dispose: () => undefined };
    },
  };
  Object.assign(vscode.window, { createWebviewPanel: () => panel });
  return { hears, panel, say: (message: object) => receive({ ...message, page: 'page' }) };
}

const branch = { accountId: 'a', deploymentId: '1', branchName: 'dev-ann' };

/** An open playground of a branch whose queries run until they are cancelled. */
async function openPlayground() {
  const page = pageOf();
  const finished = new Emitter<BuildFinished>();
  const chosen = new Emitter<string>();
  const place: { target: object } = { target: { kind: 'environment', ...branch } };
  const reads: string[] = [];
  const begun = Promise.withResolvers<AbortSignal | undefined>();
  const queries = {
    choices: { onDidChoose: chosen.event, whereFor: () => Promise.resolve(place.target) },
    meta: () => Promise.resolve([cube] as readonly MetaCube[]),
    forgetMeta: () => void reads.push('again'),
    nameOf: () => Promise.resolve('Shop · dev-ann'),
    environment: () => Promise.resolve({ ok: true, value: { restUrl: 'https://shop.example/cubejs-api/v1' } }),
    run: (_target: unknown, _query: unknown, { signal }: QueryOptions) => {
      begun.resolve(signal);
      return new Promise((resolve) => signal?.addEventListener('abort', () => resolve({ kind: 'cancelled' })));
    },
  };
  const deps = {
    builds: { onDidFinish: finished.event },
    queries: () => Promise.resolve(queries),
    context: { extensionUri: vscode.Uri.file('/ext'), workspaceState: new MemoryState() },
    logger: silentLogger,
    boundary: () => Promise.resolve(),
  } as unknown as PlaygroundDeps;
  const playgrounds = new Playgrounds(deps);
  const isShown = await playgrounds.show({ folder: 'file:///shop', branch: undefined });
  return { page, finished, chosen, place, reads, begun, playgrounds, isShown };
}

describe('an open playground', () => {
  it('reads the members again when a build of its deployment has ended, and of no other', async () => {
    const { page, finished, reads, playgrounds, isShown } = await openPlayground();
    expect(isShown).toBe(true);
    await page.say({ type: 'opened' });
    const again = Promise.withResolvers<void>();
    page.hears.model = (phase) => phase === 'ready' && again.resolve();

    const built = { phase: 'built', at: 0 } as BuildFinished['state'];
    finished.fire({ target: branch, state: built, isNews: false });
    finished.fire({ target: { ...branch, deploymentId: '2' }, state: built, isNews: true });
    expect(reads).toEqual([]);
    finished.fire({ target: branch, state: built, isNews: true });
    await again.promise;
    expect(reads).toEqual(['again']);
    playgrounds.dispose();
  });

  it.each([
    ['its editor is closed', ({ page }: Opened) => page.panel.dispose()],
    ['its user signs out', ({ playgrounds }: Opened) => playgrounds.keepOnly(new Set(['another']))],
    ['the extension stops', ({ playgrounds }: Opened) => playgrounds.dispose()],
    [
      'its folder queries another branch',
      ({ place, chosen }: Opened) => {
        place.target = { kind: 'environment', ...branch, branchName: 'main', environmentId: '9' };
        chosen.fire('file:///shop');
      },
    ],
  ])('ends its query when %s', async (_, leave) => {
    const opened = await openPlayground();
    await opened.page.say({ type: 'opened', draft });
    const running = opened.page.say({ type: 'run' });
    const signal = await opened.begun.promise;
    opened.playgrounds.keepOnly(new Set([branch.accountId]));
    expect(signal?.aborted).toBe(false);
    leave(opened);
    await running;
    expect(signal?.aborted).toBe(true);
    opened.playgrounds.dispose();
  });
});

type Opened = Awaited<ReturnType<typeof openPlayground>>;

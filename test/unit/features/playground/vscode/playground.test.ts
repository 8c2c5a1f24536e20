import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { MetaCube } from '#api/data-operations.ts';
import { Emitter } from '#base/event.ts';
import { silentLogger } from '#base/log.ts';
import type { BuildFinished } from '#features/platform/index.ts';
import type { PlaygroundMessage } from '#features/playground/messages.ts';
import type { PlaygroundDeps } from '#features/playground/vscode/deps.ts';
import type { Playgrounds as PlaygroundsOf } from '#features/playground/vscode/playground.ts';
import type * as FakeVSCode from '#support/fake-vscode.ts';
import { MemoryState } from '#support/memory-state.ts';
import { cube } from '#support/playground-session.ts';

vi.mock('vscode', () => import('#support/fake-vscode.ts'));

let Playgrounds: typeof PlaygroundsOf;
let vscode: typeof FakeVSCode;
beforeAll(async () => {
  vi.resetModules();
  vscode = await import('#support/fake-vscode.ts');
  ({ Playgrounds } = await import('#features/playground/vscode/playground.ts'));
});
afterAll(() => vi.resetModules());

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
    postMessage: (message: PlaygroundMessage) => {
      if (message.type === 'model') hears.model(message.phase);
      return Promise.resolve(true);
    },
    onDidReceiveMessage: (listener: typeof receive) => void (receive = listener),
  };
  const panel = { webview, reveal: () => undefined, dispose: () => undefined, onDidDispose: () => undefined };
  Object.assign(vscode.window, { createWebviewPanel: () => panel });
  return { hears, say: (message: unknown) => receive(message) };
}

describe('an open playground', () => {
  it('reads the members again when a build of its deployment has ended, and of no other', async () => {
    const page = pageOf();
    const finished = new Emitter<BuildFinished>();
    const branch = { accountId: 'a', deploymentId: '1', branchName: 'dev-ann' };
    const reads: string[] = [];
    const queries = {
      choices: {
        onDidChoose: () => ({ dispose: () => undefined }),
        whereFor: () => Promise.resolve({ kind: 'environment', ...branch }),
      },
      meta: () => Promise.resolve([cube] as readonly MetaCube[]),
      forgetMeta: () => void reads.push('again'),
      nameOf: () => Promise.resolve('Shop · dev-ann'),
      environment: () => Promise.resolve({ ok: true, value: { restUrl: 'https://shop.example/cubejs-api/v1' } }),
    };
    const deps = {
      builds: { onDidFinish: finished.event },
      queries: () => Promise.resolve(queries),
      context: { extensionUri: vscode.Uri.file('/ext'), workspaceState: new MemoryState() },
      logger: silentLogger,
      boundary: () => Promise.resolve(),
    } as unknown as PlaygroundDeps;
    const playgrounds = new Playgrounds(deps);
    expect(await playgrounds.show({ folder: 'file:///shop', branch: undefined })).toBe(true);
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
});

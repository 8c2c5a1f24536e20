import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { silentLogger } from '#base/log.ts';
import type { DashboardData } from '#features/dashboards/dashboard-data.ts';
import type { LayoutPreviews as LayoutPreviewsType } from '#features/dashboards/vscode/layout-previews.ts';
import type { DraftDocuments } from '#features/dashboards/vscode/draft-documents.ts';
import * as fake from '#support/fake-vscode.ts';
import { settled } from '#support/manual-clock.ts';

const closed: string[] = [];

const query = { measures: ['orders.count'] };
const draft = JSON.stringify({ widgets: [{ id: 'c', type: 'CHART', config: { query } }] });

vi.mock('vscode', async () => {
  const { window, workspace, ...rest } = await import('#support/fake-vscode.ts');
  const { panelsNotedIn } = await import('#support/fake-panel.ts');
  const listener = () => ({ dispose: () => undefined });
  return {
    ...rest,
    window: { ...window, createWebviewPanel: panelsNotedIn(closed), onDidChangeTextEditorSelection: listener },
    workspace: {
      ...workspace,
      onDidChangeTextDocument: listener,
      openTextDocument: (uri: fake.Uri) => Promise.resolve({ uri, getText: () => draft }),
    },
  };
});

let LayoutPreviews: typeof LayoutPreviewsType;
beforeAll(async () => {
  vi.resetModules();
  ({ LayoutPreviews } = await import('#features/dashboards/vscode/layout-previews.ts'));
});
afterAll(() => vi.resetModules());

describe('layout previews', () => {
  it('are closed and their queries end once their account is signed out', async () => {
    const signals = new Map<string, AbortSignal>();
    const data = {
      client: ({ accountId }: { readonly accountId: string }) => {
        const load = (_: unknown, { signal }: { readonly signal: AbortSignal }) => {
          signals.set(accountId, signal);
          return new Promise(() => undefined);
        };
        return Promise.resolve({ ok: true, value: { load } });
      },
    };
    const workbookOf = ({ path }: fake.Uri) => {
      const accountId = path.slice(1);
      return { target: { accountId, deploymentId: '1' }, id: '1', name: accountId };
    };
    const previews = new LayoutPreviews(
      { context: { extensionUri: fake.Uri.file('/ext') }, logger: silentLogger, boundary: vi.fn() } as never,
      { workbookOf } as unknown as DraftDocuments,
      data as unknown as DashboardData,
    );
    for (const account of ['a', 'b']) await previews.show(fake.Uri.file(`/${account}`) as never);
    await settled();
    previews.keepOnly(new Set(['b']));
    expect(closed).toEqual(['Layout of a']);
    expect([signals.get('a')?.aborted, signals.get('b')?.aborted]).toEqual([true, false]);
    previews.dispose();
    expect(signals.get('b')?.aborted).toBe(true);
  });
});

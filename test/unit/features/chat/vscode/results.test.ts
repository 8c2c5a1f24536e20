import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLogger } from '#base/log.ts';
import { Store } from '#base/store.ts';
import type { Results as ResultsType } from '#features/chat/vscode/results.ts';
import type { PlaygroundOpening } from '#features/data/index.ts';
import { messageView } from '#features/chat/view-model.ts';
import { panelsNotedIn } from '#support/fake-panel.ts';
import * as fake from '#support/fake-vscode.ts';

const said: string[] = [];
vi.mock('vscode', async () => {
  const fake = await import('#support/fake-vscode.ts');
  const folder = fake.Uri.file('/shop');
  return {
    ...fake,
    workspace: { ...fake.workspace, getWorkspaceFolder: () => ({ uri: folder }) },
    window: {
      ...fake.window,
      showInformationMessage: async (text: string) => Promise.resolve(void said.push(text)),
    },
  };
});

let Results: typeof ResultsType;
beforeAll(async () => {
  vi.resetModules();
  ({ Results } = await import('#features/chat/vscode/results.ts'));
});
afterAll(() => vi.resetModules());
beforeEach(() => said.splice(0));

const sql = 'SELECT status, MEASURE(count) AS count FROM orders GROUP BY 1';
const query = { measures: ['orders.count'], dimensions: ['orders.status'], limit: 50_000 };

/** Results of a window whose deployment has production only, and the playgrounds that they opened. */
function open(accounts = new Store<readonly { readonly id: string }[]>([{ id: 'a' }])) {
  const opened: PlaygroundOpening[] = [];
  const results = new Results(
    {
      extensionUri: fake.Uri.file('/extension') as never,
      queries: async () => Promise.reject(new Error('Nothing is queried here.')),
      logger: silentLogger,
      report: async () => Promise.resolve(),
      environments: async () =>
        Promise.resolve([
          { id: '7', name: 'Production', type: 'production', restUrl: 'https://data.example' } as never,
        ]),
      showPlayground: async (opening) => Promise.resolve(void opened.push(opening)),
      modelFolder: () => ({ uri: fake.Uri.file('/shop/linked') as never, modelPath: 'model' }),
      context: new Store({ kind: 'ready', accountId: 'a', deploymentId: '1' } as never),
    },
    accounts,
  );
  return { results, opened };
}

describe('the rows of an account', () => {
  it('are closed and their query ends once it is signed out, here or in another window', async () => {
    const closed: string[] = [];
    const window = (await import('vscode')).window as object;
    Object.assign(window, { createWebviewPanel: panelsNotedIn(closed) });
    const accounts = new Store<readonly { readonly id: string }[]>([{ id: 'a' }, { id: 'b' }]);
    const { results } = open(accounts);
    const signals = new Map<string, AbortSignal | undefined>();
    const show = (title: string, accountId: string | undefined): void => {
      const client = {
        // oxlint-disable-next-line require-yield -- the query is cancelled before its first event
        async *cubeSql(_: string, options?: { readonly signal?: AbortSignal | undefined }) {
          signals.set(title, options?.signal);
          await new Promise((resolve) => options?.signal?.addEventListener('abort', resolve));
        },
      };
      results.show({ sql, title, source: '', client, accountId });
    };
    show('Rows of a', 'a');
    show('Rows of b', 'b');
    show('Rows of Cube Core', undefined);
    accounts.set([{ id: 'b' }]);
    expect(closed).toEqual(['Rows of a']);
    expect([...signals.values()].map((signal) => signal?.aborted)).toEqual([true, false, false]);
    accounts.set([]);
    expect(closed).toEqual(['Rows of a', 'Rows of b']);
    results.dispose();
  });
});

describe('a result in the playground', () => {
  it('is a query of its deployment and branch', async () => {
    const { results, opened } = open();
    await results.openPlayground(sql, { name: 'main', isDefault: true });
    const branch = { kind: 'environment', accountId: 'a', deploymentId: '1', branchName: 'main' };
    expect(opened).toEqual([{ folder: 'file:///shop', branch, isFixed: true, query }]);
  });

  it('is refused where its branch has no environment', async () => {
    const { results, opened } = open();
    await results.openPlayground(sql, { name: 'dev', isDefault: false });
    expect(said).toEqual(['“dev” has no environment: start dev mode on it, or enable its staging environment.']);
    expect(opened).toEqual([]);
  });

  it('is refused where no query says the same', async () => {
    const { results, opened } = open();
    await expect(results.openPlayground('SELECT 1', { name: 'main', isDefault: true })).rejects.toThrow(
      'The playground has no query that means the same as this SQL.',
    );
    expect(opened).toEqual([]);
  });

  it.each([
    [sql, { schema: [], data: [] }, true],
    ['SELECT 1', { schema: [], data: [] }, false],
    [sql, { error: 'No such column' }, false],
  ])('is offered for %s with the result %j: %s', (sqlQuery, result, isOffered) => {
    const toolCall = { name: 'serviceSqlApi', input: JSON.stringify({ sqlQuery }), result: JSON.stringify(result) };
    const message = { id: 'm', role: 'assistant', text: '', thinking: '', toolCall, graphPath: [], isInProcess: false };
    expect(messageView(message as never, false).tool?.detail).toMatchObject({ kind: 'sql', query: isOffered });
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LiveSqlPane as PaneOf } from '#features/language/vscode/live-sql.ts';

/** What the window reports; each kind of event has one listener here. */
const events: Record<string, (event: unknown) => void> = {};
const listen = (name: string) => (listener: (event: never) => void) => {
  events[name] = listener as (event: unknown) => void;
  return { dispose: () => delete events[name] };
};

vi.mock('vscode', async () => {
  const fake = await import('#support/fake-vscode.ts');
  return {
    ...fake,
    Uri: { from: (parts: object) => parts, parse: (path: string) => ({ path }) },
    workspace: {
      ...fake.workspace,
      registerTextDocumentContentProvider: () => ({ dispose: () => undefined }),
      onDidCloseTextDocument: listen('closed'),
      onDidChangeTextDocument: listen('changed'),
      openTextDocument: async () => Promise.resolve({}),
      getWorkspaceFolder: () => undefined,
      createFileSystemWatcher: () => ({
        onDidCreate: listen('created'),
        onDidChange: listen('disk'),
        onDidDelete: listen('deleted'),
        dispose: () => ['created', 'disk', 'deleted'].forEach((name) => delete events[name]),
      }),
    },
    window: {
      ...fake.window,
      onDidChangeTextEditorSelection: listen('selection'),
      onDidChangeActiveTextEditor: listen('active'),
      activeTextEditor: editor,
      showTextDocument: async () => Promise.resolve(),
    },
    languages: { ...fake.languages, setTextDocumentLanguage: async () => Promise.resolve() },
    ViewColumn: { Beside: -2 },
  };
});

const documentOf = (path: string) => ({
  uri: { scheme: 'file', path, toString: () => `file://${path}` },
  languageId: 'yaml',
  getText: () => 'cubes:\n  - name: orders\n',
});
const editor = vi.hoisted(() => ({ document: {} as unknown, selection: { active: { line: 3, character: 1 } } }));

let LiveSqlPane: typeof PaneOf;
beforeAll(async () => {
  vi.resetModules();
  vi.useFakeTimers();
  ({ LiveSqlPane } = await import('#features/language/vscode/live-sql.ts'));
});
afterAll(() => {
  vi.useRealTimers();
  vi.resetModules();
});
beforeEach(() => void (editor.document = documentOf('/m/orders.yml')));

describe('the pane of SQL at the cursor', () => {
  it('asks again when another file of the model changes, in the window or on disk, until it is closed', async () => {
    const asked: string[] = [];
    const pane = new LiveSqlPane({
      ask: ({ uri }) => {
        asked.push(uri);
        return Promise.resolve(null);
      },
      databaseType: () => Promise.resolve('postgres'),
    });
    const pause = async (): Promise<number> => {
      await vi.runAllTimersAsync();
      return asked.length;
    };
    await pane.open();
    expect(await pause()).toBe(1);
    events['changed']?.({ document: documentOf('/m/customers.yml') });
    expect(await pause()).toBe(2);
    events['changed']?.({ document: { ...documentOf('/m/notes.md'), languageId: 'markdown' } });
    expect(await pause()).toBe(2);
    for (const name of ['created', 'disk', 'deleted']) events[name]?.({});
    expect(await pause()).toBe(3);
    expect(new Set(asked)).toEqual(new Set(['file:///m/orders.yml']));
    events['closed']?.({ uri: { scheme: 'modelbench-live-sql' } });
    expect(Object.keys(events)).not.toContain('disk');
    events['changed']?.({ document: documentOf('/m/customers.yml') });
    expect(await pause()).toBe(3);
    pane.dispose();
  });
});

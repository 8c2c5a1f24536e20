import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DocumentFiles as Files } from '#shell/vscode/documents/document-files.ts';
import { DocumentMemory } from '#shell/vscode/documents/document-memory.ts';
import { MemoryState } from '#support/memory-state.ts';

interface Address {
  readonly scheme: string;
  readonly path: string;
}

/** A tab that shows one document: as text, or as a form. */
class OneDocument {
  readonly uri: Address;
  constructor(uri: Address) {
    this.uri = uri;
  }
}
class TabInputText extends OneDocument {}
class TabInputCustom extends OneDocument {}
class TabInputTextDiff {
  readonly original: Address;
  readonly modified: Address;
  constructor(original: Address, modified: Address) {
    this.original = original;
    this.modified = modified;
  }
}

interface FakeTab {
  readonly label: string;
  readonly input: object;
  readonly isDirty: boolean;
}

const window = { tabs: [] as FakeTab[], closed: [] as string[] };
const nothing = () => ({ dispose: () => undefined });

vi.mock('vscode', async () => ({
  ...(await import('#support/fake-vscode.ts')),
  TabInputText,
  TabInputCustom,
  TabInputTextDiff,
  Uri: { from: (address: Address) => ({ ...address, toString: () => `${address.scheme}:${address.path}` }) },
  workspace: {
    textDocuments: [],
    registerFileSystemProvider: nothing,
    onDidSaveTextDocument: nothing,
    onWillSaveTextDocument: nothing,
  },
  window: {
    registerFileDecorationProvider: nothing,
    tabGroups: {
      get all() {
        return [{ tabs: window.tabs }];
      },
      close: (tabs: readonly FakeTab[]) => Promise.resolve(void window.closed.push(...tabs.map(({ label }) => label))),
    },
  },
}));

let DocumentFiles: typeof Files;
beforeAll(async () => {
  vi.resetModules();
  ({ DocumentFiles } = await import('#shell/vscode/documents/document-files.ts'));
});
afterAll(() => vi.resetModules());

const secrets = { get: async () => undefined, store: async () => undefined, delete: async () => undefined };

describe('documents of an account that is signed out', () => {
  it('are closed as text, as a form and in a diff, except with unsaved changes', async () => {
    const memory = new DocumentMemory(new MemoryState(), secrets, 'documents');
    const files = new DocumentFiles('modelbench', { memory, make: async () => undefined });
    const hold = async (accountId: string) =>
      files.hold({
        path: `/${accountId}/user.json`,
        recipe: { kind: 'user', accountId },
        read: async () => ({ name: 'Ada' }),
        save: async () => undefined,
      });
    const [gone, stays] = [await hold('gone'), await hold('stays')];
    const other = { scheme: 'file', path: '/a.yml' };
    const tabs: [string, object, boolean?][] = [
      ['text', new TabInputText(gone)],
      ['form', new TabInputCustom(gone)],
      ['diff', new TabInputTextDiff(gone, other)],
      ['unsaved form', new TabInputCustom(gone), true],
      ['form of another account', new TabInputCustom(stays)],
      ['file', new TabInputText(other)],
      ['picture', new TabInputCustom({ ...other, path: '/a.png' })],
    ];
    window.tabs = tabs.map(([label, input, isDirty = false]) => ({ label, input, isDirty }));
    await files.keepOnly(new Set(['stays']));
    expect(window.closed).toEqual(['text', 'form', 'diff']);
    files.dispose();
  });
});

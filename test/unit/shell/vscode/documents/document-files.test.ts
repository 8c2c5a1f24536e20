import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DocumentFiles as Files } from '#shell/vscode/documents/document-files.ts';
import { DocumentMemory } from '#shell/vscode/documents/document-memory.ts';
import { memoryRecords } from '#support/memory-records.ts';
import { MemoryState } from '#support/memory-state.ts';
import type { UnsentRecord } from '#shell/unsent-record.ts';
import type { PlatformDocument } from '#shell/vscode/documents/platform-document.ts';

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
class TabInputWebview {
  readonly viewType = 'mainThreadWebview-markdown.preview';
}
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
type WillSave = (event: { readonly document: { readonly uri: Address }; readonly reason: number }) => void;
const saving = { listeners: new Set<WillSave>() };

vi.mock('vscode', async () => ({
  ...(await import('#support/fake-vscode.ts')),
  TabInputText,
  TabInputCustom,
  TabInputTextDiff,
  TabInputWebview,
  Uri: { from: (address: Address) => ({ ...address, toString: () => `${address.scheme}:${address.path}` }) },
  workspace: {
    textDocuments: [],
    registerFileSystemProvider: nothing,
    onDidSaveTextDocument: nothing,
    onWillSaveTextDocument: (listener: WillSave) => {
      saving.listeners.add(listener);
      return { dispose: () => saving.listeners.delete(listener) };
    },
  },
  TextDocumentSaveReason: { Manual: 1, AfterDelay: 2 },
  FileChangeType: { Changed: 1 },
  FileType: { File: 1 },
  commands: { executeCommand: () => Promise.resolve() },
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
    const memory = new DocumentMemory({ state: new MemoryState(), secrets, records: memoryRecords() }, 'documents');
    const files = new DocumentFiles('modelbench', { memory, make: async () => undefined });
    const hold = async (accountId: string) =>
      files.hold({
        path: `/${accountId}/user.json`,
        recipe: { kind: 'user', accountId },
        read: async () => ({ name: 'Ada' }),
        save: async () => undefined,
      });
    const [gone, stays] = [await hold('gone'), await hold('stays')];
    const review = { accountId: 'gone', path: '/reviews/dev → main.md' };
    await files.hold({ ...review, read: async () => '', save: async () => undefined });
    const owners = (): readonly (string | undefined)[] => files.loaded.map((uri) => files.ownerOf(uri));
    expect(owners()).toEqual(['gone', 'stays', 'gone']);
    const elsewhere = { scheme: 'file', path: stays.path } as never;
    expect(files.ownerOf(elsewhere)).toBeUndefined();
    files.drop(elsewhere);
    files.drop(gone);
    expect(owners()).toEqual(['stays', 'gone']);
    files.dispose();
  });
});

describe('what is typed into a document', () => {
  const step = fc.constantFrom('auto save', 'save', 'save button', 'read again');

  it('is on the platform or stored, whatever is saved, stored and read at the same time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(step, { minLength: 1, maxLength: 8 }), async (s, steps) => {
        const records = new Map<string, UnsentRecord>();
        const later = async <T>(what: string, work: () => T): Promise<T> =>
          s.schedule(Promise.resolve(), what).then(() => work());
        const state = new MemoryState();
        const memory = new DocumentMemory(
          {
            state: {
              get: (key) => state.get(key),
              set: (key, value) => later('state', () => undefined).then(() => state.set(key, value)),
            },
            secrets,
            records: {
              read: async (path) => later('read record', () => records.get(path)),
              write: async (record) => later('write record', () => void records.set(record.path, record)),
              remove: async (path) => later('remove record', () => void records.delete(path)),
            },
          },
          'documents',
        );
        const platform: { text: string } = { text: '{}' };
        const document: PlatformDocument = {
          path: '/thing.json',
          recipe: { kind: 'thing', accountId: 'one' },
          restoreBase: () => undefined,
          read: async () => later('read', () => platform.text),
          save: async (edited) => later('send', () => void (platform.text = JSON.stringify(edited))),
        };
        const files = new DocumentFiles('modelbench', { memory, make: async () => Promise.resolve(document) });
        const ready = files.hold(document);
        await s.waitFor(ready);
        const uri = await ready;
        const written = { text: '{}' };
        let saves = Promise.resolve();
        const write = async (text: string, isAsked: boolean): Promise<void> => {
          for (const listener of saving.listeners) listener({ document: { uri }, reason: isAsked ? 1 : 2 });
          await files.writeFile(uri, new TextEncoder().encode(text));
        };
        const works = steps.map(async (what, at) => {
          await s.schedule(Promise.resolve(), what);
          if (what === 'read again') return files.hold(document);
          if (what === 'save button') {
            const open = { uri, isDirty: false, getText: () => written.text } as unknown as Parameters<
              typeof files.saveActive
            >[0];
            return files.saveActive(open);
          }
          const text = JSON.stringify({ at });
          // VS Code saves a document once at a time.
          saves = saves.then(async () => {
            written.text = text;
            await write(text, what === 'save');
          });
          return saves;
        });
        const all = Promise.all(works);
        await s.waitFor(all);
        const unsent = memory.unsent('/thing.json');
        await s.waitFor(unsent);
        const read = new TextDecoder().decode(await files.readFile(uri));
        const isUnsent = files.provideFileDecoration(uri) !== undefined;
        expect(await unsent).toBe(isUnsent ? read : undefined);
        // A user who reads a document again agrees to discard what is stored by then.
        const discarded = steps.includes('read again') ? [written.text] : [];
        expect([platform.text, await unsent, ...discarded]).toContain(written.text);
        files.dispose();
      }),
      { numRuns: 500 },
    );
  });
});

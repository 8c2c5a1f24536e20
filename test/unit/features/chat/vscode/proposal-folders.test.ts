import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { KeyedList } from '#base/keyed-list.ts';
import { Store } from '#base/store.ts';
import { type ChatMessage, type ChatTurn, finalAnswer } from '#chat-core/thread.ts';
import { type ModelFolder, ModelFolders } from '#features/chat/model-folders.ts';
import type { Proposals as ProposalsType } from '#features/chat/vscode/proposals.ts';
import * as fake from '#support/fake-vscode.ts';
import { MemoryFiles } from '#support/chat/memory-files.ts';
import { recordsIn } from '#support/chat/memory-proposals.ts';
import { MemoryState } from '#support/memory-state.ts';

/** Files of the window, by URI, and the label that the user picks next. */
const disk = vi.hoisted(() => ({ files: new Map<string, string>(), picks: '', offered: [] as unknown[] }));

vi.mock('vscode', async () => {
  const fake = await import('#support/fake-vscode.ts');
  const { Uri } = fake;
  type AnyUri = ReturnType<typeof Uri.file>;
  const none = (): object => ({ dispose: () => undefined });
  class NotFound extends Error {
    readonly code = 'FileNotFound';
  }
  const edits: (() => void)[] = [];
  return {
    ...fake,
    FileSystemError: NotFound,
    RelativePattern: class {
      readonly isPattern = true;
    },
    WorkspaceEdit: class {
      createFile(uri: AnyUri, { contents }: { readonly contents: Uint8Array }): void {
        edits.push(() => disk.files.set(String(uri), new TextDecoder().decode(contents)));
      }
      deleteFile(uri: AnyUri): void {
        edits.push(() => disk.files.delete(String(uri)));
      }
    },
    languages: {
      createDiagnosticCollection: () => ({ set: none, delete: none, dispose: none }),
      onDidChangeDiagnostics: none,
      getDiagnostics: () => [],
    },
    workspace: {
      ...fake.workspace,
      get textDocuments(): readonly object[] {
        return [...disk.files].map(([uri, text]) => ({ uri: Uri.parse(uri), getText: () => text, isDirty: false }));
      },
      registerTextDocumentContentProvider: none,
      ...{ onDidChangeTextDocument: none, onDidSaveTextDocument: none, onDidCloseTextDocument: none },
      onDidDeleteFiles: none,
      findFiles: async () => Promise.resolve([]),
      openTextDocument: async () => Promise.resolve({}),
      applyEdit: async () => {
        for (const edit of edits.splice(0)) edit();
        return Promise.resolve(true);
      },
      fs: {
        readFile: async (uri: AnyUri) => {
          const text = disk.files.get(String(uri));
          if (text === undefined) throw new NotFound();
          return Promise.resolve(new TextEncoder().encode(text));
        },
      },
    },
    window: {
      ...fake.window,
      showQuickPick: async (items: readonly { readonly label: string }[]) => {
        disk.offered.push(items.map(({ label }) => label));
        return Promise.resolve(items.find(({ label }) => label === disk.picks));
      },
    },
  };
});

let Proposals: typeof ProposalsType;
beforeAll(async () => {
  vi.resetModules();
  ({ Proposals } = await import('#features/chat/vscode/proposals.ts'));
});
afterAll(() => vi.resetModules());
beforeEach(() => disk.files.clear());

const NEW = 'model/cubes/new.yml';
const CUBE = 'cubes:\n  - name: fresh\n    sql_table: fresh\n';
const turnOf = (id: string): ChatTurn => ({
  id,
  prompt: 'Propose',
  phase: 'complete',
  startedAt: 0,
  messages: KeyedList.of<ChatMessage>([
    {
      id: 'm',
      text: `\`\`\`yaml ${NEW}\n${CUBE}\`\`\``,
      thinking: '',
      graphPath: ['final'],
      isInProcess: false,
      revision: 0,
    },
  ]),
});

/** Proposals of a window in which these folders are linked to one deployment. */
async function open(...names: readonly string[]) {
  const linked = names.map((name): ModelFolder => ({ id: `mem:///${name}`, name, modelPath: 'model' }));
  const folders = new ModelFolders(() => linked, new MemoryState());
  const stored = new MemoryFiles();
  const records = recordsIn(stored);
  const setAside: unknown[] = [];
  const refuse = async (): Promise<never> => Promise.reject(new Error('Not asked for here.'));
  const proposals = new Proposals(
    {
      account: new Store('a'),
      context: new Store({ kind: 'signedOut' } as never),
      isTrusted: new Store(true),
      report: async () => Promise.resolve(),
      folders,
      model: {
        modelFolders: () => linked,
        takeBackOf: async () => Promise.resolve(undefined),
        branchTexts: async () => Promise.resolve(new Map()),
        setAside: async (...asked) => Promise.resolve(void setAside.push(asked)),
        proposals: {
          check: async () => Promise.resolve({ state: 'accepted' }),
          open: refuse,
          model: {} as never,
          impact: refuse,
        },
      },
    },
    { of: async () => Promise.resolve(records) },
    stored,
  );
  const turn = turnOf('1-message');
  expect(finalAnswer(turn)).toContain(NEW);
  await records.begin(turn.id, { local: new Map(), branch: new Map(), isComplete: true });
  await records.keepFiles(turn.id, [NEW]);
  const review = () => proposals.reviewOf('thread', turn);
  const folder = () => proposals.folders.of('thread', turn);
  const choose = async (name: string): Promise<void> => {
    disk.picks = name;
    await proposals.folders.choose();
  };
  const accept = async (): Promise<void> => {
    const now = await review();
    await now.changes([NEW]);
    await now.accept([NEW], {});
  };
  return { proposals, review, folder, choose, accept, setAside, fresh: turnOf('2-message') };
}

const written = (): readonly string[] => [...disk.files.keys()];
const at = (name: string): string => String(fake.Uri.joinPath(fake.Uri.parse(`mem:///${name}`), NEW));

describe('a proposal where several folders are linked to one deployment', () => {
  it('names none where only one is linked', async () => {
    const { folder, accept } = await open('first');
    expect(await folder()).toBeUndefined();
    await accept();
    expect(written()).toEqual([at('first')]);
  });

  it('goes to the folder that the user chooses, and keeps it once a file is accepted there', async () => {
    const { proposals, review, folder, choose, accept, setAside, fresh } = await open('first', 'second');
    let changes = 0;
    proposals.onDidChangeFiles(() => (changes += 1));
    expect(await folder()).toEqual({ name: 'first', isFixed: false });
    await choose('second');
    expect([changes, disk.offered.at(-1)]).toEqual([1, ['first', 'second']]);
    expect(await folder()).toEqual({ name: 'second', isFixed: false });
    await accept();
    expect(written()).toEqual([at('second')]);
    await choose('first');
    expect(await folder()).toEqual({ name: 'second', isFixed: true });
    expect(await proposals.folders.of('thread', fresh)).toEqual({ name: 'first', isFixed: false });
    await (await review()).undo([NEW]);
    expect(written()).toEqual([]);
    expect(setAside).toEqual([['mem:///second', NEW]]);
  });

  it('stays where it is while the user chooses nothing', async () => {
    const { folder, choose, accept } = await open('first', 'second');
    await choose('none of them');
    expect(await folder()).toEqual({ name: 'first', isFixed: false });
    await accept();
    expect(written()).toEqual([at('first')]);
  });
});

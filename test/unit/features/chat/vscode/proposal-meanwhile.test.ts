import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { KeyedList } from '#base/keyed-list.ts';
import { Store } from '#base/store.ts';
import type { ChatMessage, ChatTurn } from '#chat-core/thread.ts';
import type { ChatContext } from '#features/chat/chat-context.ts';
import { type ModelFolder, ModelFolders } from '#features/chat/model-folders.ts';
import { ProposalDesk } from '#features/chat/proposal-desk.ts';
import type { Proposals as ProposalsType } from '#features/chat/vscode/proposals.ts';
import type { ReviewSource } from '#features/review/source.ts';
import { modelComparison } from '#compose/model-comparison.ts';
import { MemoryFiles } from '#support/chat/memory-files.ts';
import { recordsIn } from '#support/chat/memory-proposals.ts';
import { MemoryState } from '#support/memory-state.ts';

/** The files of the window by URI, what it was asked and shown, and what happens next at a moment. */
const host = vi.hoisted(() => ({
  files: new Map<string, string>(),
  asked: [] as string[],
  happen: (_moment: string): void => undefined,
}));

vi.mock('vscode', async () => {
  const fake = await import('#support/fake-vscode.ts');
  const { Uri } = fake;
  type AnyUri = ReturnType<typeof Uri.file>;
  const none = (): object => ({ dispose: () => undefined });
  /** Each returns `false` if it cannot be made. */
  const edits: (() => unknown)[] = [];
  const documentOf = (uri: string) => ({
    uri: Uri.parse(uri),
    getText: () => host.files.get(uri) ?? '',
    isDirty: false,
  });
  class NotFound extends Error {
    readonly code = 'FileNotFound';
  }
  return {
    ...fake,
    FileSystemError: NotFound,
    RelativePattern: class {
      readonly isPattern = true;
    },
    ProgressLocation: {},
    WorkspaceEdit: class {
      createFile(uri: AnyUri, { contents }: { readonly contents: Uint8Array }): void {
        edits.push(
          () => !host.files.has(String(uri)) && host.files.set(String(uri), new TextDecoder().decode(contents)),
        );
      }
      replace(uri: AnyUri, _range: object, text: string): void {
        edits.push(() => host.files.set(String(uri), `${host.files.get(String(uri)) ?? ''}${text}`));
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
        return [...host.files.keys()].map(documentOf);
      },
      registerTextDocumentContentProvider: none,
      ...{ onDidChangeTextDocument: none, onDidSaveTextDocument: none, onDidCloseTextDocument: none },
      onDidDeleteFiles: none,
      findFiles: async () => Promise.resolve([]),
      openTextDocument: async () => Promise.resolve({}),
      // As VS Code does, all of it or nothing.
      applyEdit: async () => {
        const before = [...host.files];
        const isMade = edits.splice(0).every((edit) => edit() !== false);
        if (!isMade) host.files.clear();
        if (!isMade) for (const [uri, text] of before) host.files.set(uri, text);
        return Promise.resolve(isMade);
      },
      fs: {
        readFile: async (uri: AnyUri) => {
          const text = host.files.get(String(uri));
          if (text === undefined) throw new NotFound();
          return Promise.resolve(new TextEncoder().encode(text));
        },
      },
    },
    window: {
      ...fake.window,
      tabGroups: { ...fake.window.tabGroups, activeTabGroup: {} },
      withProgress: async (_options: object, work: (progress: object, token: object) => Promise<unknown>) =>
        work({}, { onCancellationRequested: none }),
      showInformationMessage: async (message: string) => Promise.resolve(void host.asked.push(message)),
      // The user agrees to what a dialog asks.
      showWarningMessage: async (message: string, _options: object, button: string) => {
        host.asked.push(message);
        host.happen(message.includes('engine') ? 'refusal' : 'question');
        return Promise.resolve(button);
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

const OLD = 'model/cubes/old.yml';
const NEW = 'model/cubes/new.yml';
const agreed = 'cubes:\n  - name: old\n    sql_table: old\n';
const fresh = 'cubes:\n  - name: fresh\n    sql_table: fresh\n';
const answer = `\`\`\`yaml ${OLD}\n${agreed}    title: Old\n\`\`\`\n\n\`\`\`yaml ${NEW}\n${fresh}\`\`\``;
const at = (path: string): string => `mem:///shop/${path}`;
const turn: ChatTurn = {
  ...{ id: '1-message', prompt: 'Propose', phase: 'complete', startedAt: 0 },
  branch: { name: 'dev-a', isDefault: false },
  messages: KeyedList.of<ChatMessage>([
    { id: 'm', text: answer, thinking: '', graphPath: ['final'], isInProcess: false, revision: 0 },
  ]),
};
const ready: ChatContext = {
  ...{ kind: 'ready', accountId: 'ada', tenantUrl: 'https://tiny.test', deploymentId: '1', deploymentName: 'Shop' },
  branch: { name: 'dev-a', isDefault: false },
};
const shop: ModelFolder = { id: 'mem:///shop', name: 'shop', modelPath: 'model' };

/** A view of an answer with two proposed files, in a window whose state a test changes. */
async function open() {
  host.files.clear();
  host.asked = [];
  host.happen = () => undefined;
  host.files.set(at(OLD), agreed);
  const context = new Store<ChatContext>(ready);
  let linked: readonly ModelFolder[] = [shop];
  const folders = new ModelFolders(() => linked, new MemoryState());
  const stored = new MemoryFiles();
  const records = recordsIn(stored);
  const pages: ReviewSource[] = [];
  const posted: unknown[] = [];
  let isRefused = false;
  let isPressed = false;
  const proposals = new Proposals(
    {
      account: new Store('ada'),
      context,
      isTrusted: new Store(true),
      report: async () => Promise.resolve(),
      folders,
      model: {
        modelFolders: () => linked,
        takeBackOf: async () => Promise.resolve(undefined),
        branchTexts: async () => Promise.resolve(new Map()),
        setAside: async () => Promise.resolve(host.happen('trash')),
        proposals: {
          check: async () => {
            // The engine has no verdict when the button is pressed.
            if (!isPressed) throw new Error('The engine is busy.');
            host.happen('check');
            return Promise.resolve(isRefused ? { state: 'refused', errors: [] } : { state: 'accepted' });
          },
          open: async (page) => Promise.resolve(void pages.push(page)),
          model: modelComparison(async () => Promise.resolve(null)),
          impact: async () => Promise.reject(new Error('Not asked for here.')),
        },
      },
    },
    { of: async () => Promise.resolve(records) },
    stored,
  );
  await records.begin(turn.id, { local: new Map([[OLD, agreed]]), branch: new Map(), isComplete: true });
  await records.keepFiles(turn.id, [NEW, OLD]);
  const thread = { key: 'thread', turns: [turn], scope: 'ada' };
  const desk = new ProposalDesk({
    host: proposals,
    thread: () => thread as never,
    post: (message) => void posted.push(message),
  });
  const review = await proposals.reviewOf('thread', turn);
  await desk.handle({ type: 'proposal', turn: turn.id, action: 'review', paths: [OLD, NEW] });
  const [page] = pages;
  if (!page) throw new Error('No page was opened.');
  return {
    ...{ context, desk, page, pages, posted, review },
    press: () => (isPressed = true),
    link: (now: readonly ModelFolder[]) => (linked = now),
    refuse: () => (isRefused = true),
  };
}

type Opened = Awaited<ReturnType<typeof open>>;

const changes: Readonly<Record<string, (opened: Opened) => void>> = {
  'another branch is chosen': ({ context }) => context.set({ ...ready, branch: { name: 'dev-b', isDefault: false } }),
  'dev mode ends': ({ context }) => context.set({ ...ready, branch: { name: 'main', isDefault: true } }),
  'production is built from the branch': ({ context }) =>
    context.set({ ...ready, branch: { name: 'dev-a', isDefault: true } }),
  'the branch is deleted': ({ context }) => context.set({ ...ready, branch: undefined }),
  'another deployment is chosen': ({ context, link }) => {
    context.set({ ...ready, deploymentId: '2' });
    link([]);
  },
  'another account is chosen': ({ context }) => context.set({ ...ready, accountId: 'bob' }),
  'the user signs out': ({ context }) => context.set({ kind: 'signedOut' }),
  'the folder is linked to another deployment': ({ link }) => link([]),
  'the folder has another model': ({ link }) => link([{ ...shop, modelPath: 'other' }]),
  'the file changes': () => host.files.set(at(OLD), `# Mine.\n${agreed}`),
  'the new file appears': () => host.files.set(at(NEW), '# Mine.\n'),
};

/** The moments between the press and the write, and what brings the step there. */
const moments: Readonly<Record<string, (opened: Opened) => void>> = {
  check: () => undefined,
  refusal: ({ refuse }) => refuse(),
  trash: () => undefined,
  // The window has another branch than the answer is about, and the user agrees to that.
  question: ({ context }) => context.set({ ...ready, branch: { name: 'dev-c', isDefault: false } }),
};

const presses: Readonly<Record<string, (opened: Opened) => Promise<unknown>>> = {
  'the page': async ({ page }) => page.apply({ message: '', options: [], typed: '' }),
  'the chat': async ({ desk }) => desk.handle({ type: 'proposal', turn: turn.id, action: 'accept', paths: [OLD, NEW] }),
};

const cases = Object.entries(presses).flatMap(([where, press]) =>
  Object.entries(moments).flatMap(([moment, prepare]) =>
    Object.entries(changes).map(([name, change]) => ({ where, press, moment, prepare, name, change })),
  ),
);

describe('files that an agent proposes, accepted after they were shown', () => {
  beforeEach(() => void (host.asked = []));

  it.each(Object.entries(presses))('are written where nothing changes, on %s', async (_where, press) => {
    const opened = await open();
    await press(opened);
    expect(host.files.get(at(NEW))).toBe(fresh);
    expect(host.files.get(at(OLD))).toContain('title: Old');
    expect(host.asked).toEqual([]);
  });

  it.each(cases)('are written nowhere else where $name at the $moment, on $where', async (example) => {
    const { press, moment, prepare, change } = example;
    const opened = await open();
    await opened.review.changes([OLD, NEW]);
    prepare(opened);
    opened.press();
    let before: ReadonlyMap<string, string> | undefined;
    host.happen = (now) => {
      if (now !== moment || before) return;
      change(opened);
      before = new Map(host.files);
    };
    const refused = await press(opened).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(before).toBeDefined();
    // A file that changed stays open, with its new version; the other one may be accepted.
    const own = { 'the file changes': OLD, 'the new file appears': NEW }[example.name];
    const left = own === undefined ? [OLD, NEW] : [own];
    expect(left.map((path) => host.files.get(at(path)))).toEqual(left.map((path) => before?.get(at(path))));
    const items = (await opened.review.items()).filter(({ path }) => left.includes(path));
    expect(items.map(({ state }) => state)).toEqual(left.map(() => 'open'));
    expect(own !== undefined || String(refused).includes('nothing was written')).toBe(true);
  });

  it.each(Object.entries(changes).filter(([name]) => !name.includes('file') && !name.includes('account')))(
    'are not written without a question where %s before the press',
    async (_name, change) => {
      const opened = await open();
      change(opened);
      opened.press();
      const before = [...host.files];
      const shown = opened.posted.length;
      host.happen = (now) => {
        // Whoever is asked about the new branch does not have to agree.
        if (now === 'question') throw new Error('The dialog was closed.');
      };
      const said = await presses['the chat']?.(opened).then(
        () => '',
        (error: unknown) => String(error),
      );
      expect([...host.files]).toEqual(before);
      // A question, the reason, or what the files are in the other model.
      expect([...host.asked, said].join('') !== '' || opened.posted.length > shown).toBe(true);
    },
  );
});

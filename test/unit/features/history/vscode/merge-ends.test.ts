import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DisposableStore } from '#base/disposable.ts';
import { Emitter } from '#base/event.ts';
import { Store } from '#base/store.ts';
import { BegunMerges } from '#features/folders/begun-merges.ts';
import type * as EndMerge from '#features/history/vscode/end-merge.ts';
import type { mergeEnds as MergeEnds } from '#features/history/vscode/merge-ends.ts';
import type { TrashCause } from '#sync/core/ports.ts';
import { MemoryState } from '#support/memory-state.ts';

// Of linked folders only the addresses of their files: the rest needs more of VS Code.
vi.mock('#features/folders/vscode/index.ts', () => import('#features/folders/vscode/folder-uris.ts'));

/** VS Code as the module sees it: tabs, one file, and a user who answers. */
const host = vi.hoisted(() => ({
  text: '',
  isThere: true,
  /** What changes the document before the next edit is applied: VS Code reads the file again, or someone types. */
  newer: undefined as { readonly text: string; readonly isDirty: boolean } | undefined,
  version: 1,
  isDirty: false,
  edit: '',
  saves: 0,
  answer: undefined as string | undefined,
  asked: [] as string[],
  ran: [] as string[],
  open: [] as object[],
  closes: (_tabs: readonly object[]): void => undefined,
}));

vi.mock('#shell/vscode/guarded/vscode.ts', () => {
  const closed = new Emitter<{ readonly closed: readonly object[] }>();
  host.closes = (tabs) => closed.fire({ closed: tabs });
  class Uri {
    readonly path: string;
    constructor(path: string) {
      this.path = path;
    }
    static parse(text: string): Uri {
      return new Uri(text);
    }
    static joinPath(folder: Uri, path: string): Uri {
      return new Uri(`${folder.path}/${path}`);
    }
    toString(): string {
      return this.path;
    }
  }
  class WorkspaceEdit {
    replace(_uri: Uri, _range: object, text: string): void {
      host.edit = text;
    }
  }
  return {
    Uri,
    WorkspaceEdit,
    Range: Object,
    window: {
      tabGroups: {
        onDidChangeTabs: closed.event,
        all: [host].map((all) => ({
          get tabs() {
            return all.open;
          },
        })),
      },
      ...Object.fromEntries(
        ['showInformationMessage', 'showWarningMessage'].map((name) => [
          name,
          (question: string) => {
            host.asked.push(question);
            return Promise.resolve(host.answer);
          },
        ]),
      ),
    },
    workspace: {
      fs: {
        stat: () => (host.isThere ? Promise.resolve() : Promise.reject(new Error('no such file'))),
        readFile: () => Promise.resolve(new TextEncoder().encode(host.text)),
        writeFile: (_uri: Uri, bytes: Uint8Array) => {
          Object.assign(host, { text: new TextDecoder().decode(bytes), isThere: true });
          return Promise.resolve();
        },
      },
      onWillSaveTextDocument: () => ({ dispose: () => undefined }),
      // As VS Code does: an edit of an older version of a document is refused.
      applyEdit: () => {
        const isRefused = host.newer !== undefined;
        Object.assign(host, host.newer ?? { text: host.edit, isDirty: true }, { newer: undefined });
        host.version += 1;
        return Promise.resolve(!isRefused);
      },
      openTextDocument: (uri: Uri) =>
        Promise.resolve({
          uri,
          get version() {
            return host.version;
          },
          get isDirty() {
            return host.isDirty;
          },
          getText: () => host.text,
          positionAt: () => 0,
          save: () => {
            host.saves += 1;
            host.isDirty = false;
            return Promise.resolve(true);
          },
        }),
    },
  };
});

vi.mock('#shell/vscode/guarded/commands.ts', () => ({
  execute: (id: string) => {
    host.ran.push(id);
    return Promise.resolve();
  },
}));

const folderId = 'file:///shop';
const file = { folderId, path: 'model/orders.yml' };
/** The tab of a merge as the stable API shows it. */
let ends: typeof EndMerge;
let mergeEnds: typeof MergeEnds;
beforeAll(async () => {
  vi.resetModules();
  ends = await import('#features/history/vscode/end-merge.ts');
  ({ mergeEnds } = await import('#features/history/vscode/merge-ends.ts'));
});
afterAll(() => vi.resetModules());

const tab = { label: 'Merging: orders.yml', input: undefined };
const begun = { mine: 'mine', remote: 'hash', start: 'half merged' };

let contribution = new DisposableStore();

interface Situation {
  /** Files that differ from the platform; `undefined`: the folder is not in sync. */
  readonly differing?: readonly string[];
  readonly readOnly?: 'otherWindow' | undefined;
  /** Files that a stopped Git step waits for. */
  readonly stopped?: readonly string[];
}

interface Started {
  /** What went to the trash, with its text. */
  readonly copies: readonly string[];
  readonly merges: BegunMerges;
  /** Those of an earlier window, in the same memory. */
  readonly before: BegunMerges;
  readonly errors: unknown[];
  /** The folder was compared with the platform. */
  readonly looked: () => void;
}

function started({ differing, stopped = [], readOnly }: Situation): Started {
  const memory = new MemoryState();
  const merges = new BegunMerges(memory);
  const errors: unknown[] = [];
  const copies: string[] = [];
  const target = { accountId: 'a', deploymentId: '1', branchName: 'dev-me' };
  const sync = {
    status: new Store({ conflicts: [], lastChecked: 1, readOnly }),
    keepCopy: (path: string, cause: TrashCause) => {
      copies.push(`${cause} ${path}: ${host.text}`);
      return Promise.resolve();
    },
    plan: () => Promise.resolve({ entries: (differing ?? []).map((path) => ({ path })) }),
  };
  const onLook = contribution.add(new Emitter<object | undefined>());
  const session = differing && { folder: { folderId }, target, sync };
  const services = {
    boundary: (_what: string, error: unknown) => errors.push(error),
    merges,
    session: { links: new Store([{ folderId }]) },
    syncs: { ofFolder: () => session, ofBranch: () => (session ? [session] : []), onDidChange: onLook.event },
    attempts: { of: () => ({ files: stopped.map((path) => ({ path })) }) },
  };
  // It is loaded already: all that a test begins ends before the next turn, and so before the next test.
  void mergeEnds(services as never, async () => Promise.resolve(ends)).register(contribution);
  return { copies, merges, before: new BegunMerges(memory), errors, looked: () => onLook.fire(session) };
}

beforeEach(() => {
  contribution = new DisposableStore();
  Object.assign(host, {
    text: begun.start,
    isThere: true,
    newer: undefined,
    isDirty: false,
    saves: 0,
    answer: undefined,
    asked: [],
    ran: [],
    open: [],
  });
});
afterEach(() => contribution.dispose());

describe('a merge editor that is closed', () => {
  it('is undone without a choice, also in the next window', async () => {
    const { merges, errors } = started({ differing: [file.path] });
    await merges.keep(file, begun);
    host.closes([{ label: 'orders.yml', input: undefined }]);
    host.closes([tab]);
    await expect.poll(() => merges.of(file)).toBeUndefined();
    expect({ text: host.text, saves: host.saves, asked: host.asked, errors }).toEqual({
      text: 'mine',
      saves: 1,
      asked: [],
      errors: [],
    });
  });

  it('keeps both versions where another program writes the file at that moment', async () => {
    const { merges, errors } = started({ differing: [file.path] });
    await merges.keep(file, begun);
    host.newer = { text: 'theirs', isDirty: false };
    host.closes([tab]);
    await expect.poll(() => errors).toHaveLength(1);
    expect(String(errors[0])).toMatch(/“orders.yml” changed just now, so it was left as it is/);
    expect([host.text, host.saves, merges.of(file)]).toEqual(['theirs', 0, begun]);
  });

  it.each([
    ['its editor changes the file', { text: 'opened', isDirty: true }],
    ['VS Code reads the same text again', { text: begun.start, isDirty: false }],
  ])('is undone although %s at that moment', async (_what, newer) => {
    const { merges, errors } = started({ differing: [file.path] });
    await merges.keep(file, begun);
    host.newer = newer;
    host.closes([tab]);
    await expect.poll(() => merges.of(file)).toBeUndefined();
    expect([host.text, host.saves, errors]).toEqual(['mine', 1, []]);
  });

  it('is undone without a choice while the platform cannot be reached', async () => {
    const { merges } = started({});
    await merges.keep(file, begun);
    host.closes([tab]);
    await expect.poll(() => merges.of(file)).toBeUndefined();
    expect(host.text).toBe('mine');
  });

  it.each([
    ['Mark as Resolved', 'merged', ['modelbench.conflict.resolved'], begun, []],
    ['Undo Merge', 'mine', [], undefined, [`unfinishedMerge ${file.path}: merged`]],
    [undefined, 'merged', [], begun, []],
  ])('asks after a choice, and is answered with %s', async (answer, text, ran, left, kept) => {
    const { copies, merges } = started({ differing: [file.path] });
    await merges.keep(file, begun);
    Object.assign(host, { text: 'merged', answer });
    host.closes([tab]);
    await expect.poll(() => host.asked).toHaveLength(1);
    await expect.poll(() => [host.text, host.ran, merges.of(file)]).toEqual([text, ran, left]);
    expect(copies).toEqual(kept);
    expect(host.asked[0]).toContain('Is the merge of “orders.yml” finished?');
  });

  it('is not asked about while it is open elsewhere, and once when that goes too', async () => {
    const { merges } = started({ differing: [file.path] });
    await merges.keep(file, begun);
    Object.assign(host, { text: 'merged', open: [tab] });
    host.closes([tab]);
    host.open = [];
    host.closes([tab]);
    await expect.poll(() => host.asked).toHaveLength(1);
  });

  it('ends for a file that is equal on both sides meanwhile, and the file stays', async () => {
    const { merges } = started({ differing: ['model/customers.yml'] });
    await merges.keep(file, begun);
    host.closes([tab]);
    await expect.poll(() => merges.of(file)).toBeUndefined();
    expect([host.text, host.asked]).toEqual([begun.start, []]);
  });

  it('ends for a file without a known base as for any other', async () => {
    const equal = started({ differing: [] });
    await equal.merges.keep(file, { ...begun, base: 'stand-in' });
    host.closes([tab]);
    await expect.poll(() => equal.merges.of(file)).toBeUndefined();
    expect(host.text).toBe(begun.start);
    const open = started({ differing: [file.path] });
    await open.merges.keep(file, { ...begun, base: 'stand-in' });
    host.closes([tab]);
    await expect.poll(() => open.merges.of(file)).toBeUndefined();
    expect(host.text).toBe('mine');
  });

  it.each([
    ['waits', [file.path], 'mine'],
    ['does not wait any more', [], begun.start],
  ])('lets the stopped step %s for another branch', async (_what, stopped, text) => {
    const { merges } = started({ differing: [file.path], stopped });
    await merges.keep(file, { ...begun, base: 'common', inStep: true });
    host.closes([tab]);
    await expect.poll(() => merges.of(file)).toBeUndefined();
    expect(host.text).toBe(text);
  });
});

describe('a merge editor that VS Code did not bring back', () => {
  it('is undone once the folder was compared, where nothing was merged in it', async () => {
    const { merges, before, looked } = started({ differing: [file.path] });
    await before.keep(file, begun);
    looked();
    await expect.poll(() => host.asked).toHaveLength(1);
    expect([host.text, host.saves, merges.of(file)]).toEqual(['mine', 1, undefined]);
    expect(host.asked[0]).toContain('The merge of “orders.yml” was interrupted. Your version is back in the file.');
  });

  it('ends without a word for a file that has the local version again', async () => {
    const { merges, before, looked } = started({ differing: [file.path] });
    await before.keep(file, begun);
    host.text = begun.mine;
    looked();
    await expect.poll(() => merges.of(file)).toBeUndefined();
    expect([host.saves, host.asked]).toEqual([0, []]);
  });

  it.each([
    { answer: 'Continue Merge', text: 'half', ran: ['modelbench.conflict.merge'], left: begun, kept: [] },
    {
      answer: 'Restore My Version',
      text: 'mine',
      ran: [],
      left: undefined,
      kept: [`unfinishedMerge ${file.path}: half`],
    },
    { answer: undefined, text: 'half', ran: [], left: begun, kept: [] },
  ])('is asked about where its file holds another text, and is answered with $answer', async (example) => {
    const { copies, merges, before, looked } = started({ differing: [file.path] });
    await before.keep(file, begun);
    Object.assign(host, { text: 'half', answer: example.answer });
    looked();
    await expect.poll(() => [host.text, host.ran, merges.of(file)]).toEqual([example.text, example.ran, example.left]);
    expect([copies, host.asked.length]).toEqual([example.kept, 1]);
  });

  it('gives a file that is gone the local version again, if the user wants it', async () => {
    const { copies, merges, before, looked, errors } = started({ differing: [file.path] });
    await before.keep(file, begun);
    Object.assign(host, { text: '', isThere: false, answer: 'Restore My Version' });
    looked();
    await expect.poll(() => merges.of(file)).toBeUndefined();
    expect([host.text, host.isThere, copies, errors]).toEqual(['mine', true, [], []]);
  });

  it.each([
    ['it is there', { open: [tab] }, undefined],
    ['another window writes the folder', {}, 'otherWindow'],
  ] as const)('is left alone where %s', async (_what, state, readOnly) => {
    const { merges, before, looked } = started({ differing: [file.path], readOnly });
    await before.keep(file, begun);
    Object.assign(host, state);
    const text = host.text;
    looked();
    await new Promise(setImmediate);
    expect([host.text, merges.of(file), host.asked]).toEqual([text, begun, []]);
  });

  it('is left alone where it is only being opened', async () => {
    const { merges, looked } = started({ differing: [file.path] });
    await merges.keep(file, begun);
    looked();
    await new Promise(setImmediate);
    expect([host.text, merges.of(file)]).toEqual([begun.start, begun]);
  });
});

import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as AccountEditors from '#compose/account-editors.ts';
import { shortId } from '#shell/short-id.ts';

class TabInputText {
  readonly uri: FakeUri;
  constructor(uri: FakeUri) {
    this.uri = uri;
  }
}
class TabInputCustom extends TabInputText {}
class TabInputWebview {
  readonly viewType = 'mainThreadWebview-markdown.preview';
}
class TabInputTextDiff {
  readonly original: FakeUri;
  readonly modified: FakeUri;
  constructor(original: FakeUri, modified: FakeUri) {
    this.original = original;
    this.modified = modified;
  }
}

interface FakeUri {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly query: string;
}
interface FakeTab {
  readonly label: string;
  readonly isDirty: boolean;
  readonly input: object | undefined;
}

const window = { loaded: [] as FakeUri[], tabs: [] as FakeTab[], documents: [] as object[], isCancelled: false };

vi.mock('#shell/vscode/guarded/vscode.ts', () => ({
  TabInputText,
  TabInputCustom,
  TabInputTextDiff,
  TabInputWebview,
  workspace: {
    get textDocuments() {
      return window.documents;
    },
  },
  window: {
    tabGroups: {
      get all() {
        return [{ tabs: window.tabs }];
      },
      close: (closed: readonly FakeTab[]) => {
        if (!window.isCancelled) window.tabs = window.tabs.filter((tab) => !closed.includes(tab));
        return Promise.resolve(!window.isCancelled);
      },
    },
  },
}));

let editors: typeof AccountEditors;
beforeAll(async () => {
  vi.resetModules();
  editors = await import('#compose/account-editors.ts');
});
afterAll(() => vi.resetModules());
beforeEach(() => Object.assign(window, { loaded: [], tabs: [], documents: [], isCancelled: false }));

const [mine, theirs] = ['https://work.example', 'https://other.example'];
const folders: Readonly<Record<string, string>> = { [mine]: 'file:///mine', [theirs]: 'file:///theirs' };

const uri = (scheme: string, parts: Partial<FakeUri>): FakeUri => ({
  scheme,
  authority: '',
  path: '/a.yml',
  query: '',
  ...parts,
});

/** A document of an account in every scheme that shows its data. */
const documentsOf = (account: string): readonly FakeUri[] => [
  uri('modelbench', { authority: `1.${shortId(account)}` }),
  uri('modelbench-api', { path: `/${shortId(account)}/answer/1/list 200.json` }),
  uri('modelbench-proposal', { query: `3 ${shortId(account)}` }),
  uri('modelbench-version', { query: JSON.stringify({ folder: folders[account], side: 'remote' }) }),
  uri('modelbench-version', { query: JSON.stringify({ branch: { accountId: account }, id: 'x' }) }),
  uri('modelbench-object', { path: `/${account}/variables.json` }),
  uri('modelbench-admin', { path: `/${account}/user.json` }),
];

const local = uri('file', { path: '/work/orders.yml' });
const tab = (input: object | undefined, isDirty = false, label = 'a tab'): FakeTab => ({ label, isDirty, input });
const tabsOf = (account: string, isDirty = false): readonly FakeTab[] =>
  documentsOf(account).flatMap((each) => [
    tab(new TabInputText(each), isDirty),
    tab(new TabInputCustom(each), isDirty),
    tab(new TabInputTextDiff(local, each), isDirty),
    tab({ textDiffs: [new TabInputTextDiff(local, local), new TabInputTextDiff(local, each)] }, isDirty),
  ]);

/** A window in which these accounts are signed in. */
function services(accounts: readonly string[], merging: readonly string[] = []): never {
  const links = Object.values(folders).map((folderId) => ({ folderId }));
  const session = {
    links: { value: links },
    folder: (id: string) => links.find(({ folderId }) => folderId === id),
    targetOf: ({ folderId }: { readonly folderId: string }) => {
      const accountId = accounts.find((account) => folders[account] === folderId);
      return accountId && { accountId, deploymentId: '1' };
    },
  };
  const ownerOf = ({ scheme, path }: FakeUri): string | undefined =>
    /-(?:object|admin)$/.test(scheme) ? path.split('/').slice(1, -1).join('/') : undefined;
  const documents = {
    ownerOf,
    get loaded() {
      return window.loaded;
    },
    drop: (gone: FakeUri) => {
      window.loaded = window.loaded.filter((each) => each !== gone);
    },
  };
  return {
    platform: { session, owners: new Set([documents]) },
    sync: { merges: { paths: (folderId: string) => (merging.includes(folderId) ? ['model/orders.yml'] : []) } },
  } as never;
}

describe('the editors of an account that is signed out', () => {
  it('close in every kind of tab, and no others', async () => {
    const others = [...tabsOf(theirs), tab(new TabInputText(local)), tab(undefined, false, 'Merging: orders.yml')];
    window.tabs = [...tabsOf(mine), ...others];
    await editors.closeEditorsOf(services([theirs]), [mine]);
    expect(window.tabs).toEqual(others);
  });

  it('close with the page that is rendered from a document, and what no editor shows is dropped', async () => {
    const [review, other, unsaved] = [mine, theirs, mine].map((account, at) =>
      uri('modelbench-object', {
        path: `/${account}/dev ${at} → main.md`,
        toString: () => `${at}`,
      } as Partial<FakeUri>),
    );
    if (!review || !other || !unsaved) throw new Error('Three documents.');
    const preview = (of: FakeUri): FakeTab => tab(new TabInputWebview(), false, `Preview ${of.path.split('/').at(-1)}`);
    window.loaded = [review, other, unsaved];
    const stays = [preview(other), tab(new TabInputText(unsaved), true), preview(uri('file', { path: '/README.md' }))];
    window.tabs = [preview(review), ...stays];
    await editors.closeEditorsOf(services([theirs]), [mine]);
    expect(window.tabs).toEqual(stays);
    expect(window.loaded).toEqual([other, unsaved]);
  });

  it('stay where they hold unsaved changes', async () => {
    window.tabs = [...tabsOf(mine, true)];
    await editors.closeEditorsOf(services([]), [mine]);
    expect(window.tabs).toEqual(tabsOf(mine, true));
  });

  // VS Code has an empty list there, and other hosts nothing.
  it.each([
    [mine, undefined, []],
    [mine, { textDiffs: [] }, []],
    [theirs, { textDiffs: [] }, ['dev ↔ main: 2 changed (2 files)']],
  ])('close with several differences only where a document is still shown: %s, %s', async (account, input, left) => {
    const merging = tab(undefined, false, 'Merging: orders.yml');
    window.tabs = [tab(input, false, 'dev ↔ main: 2 changed (2 files)'), merging];
    window.documents = documentsOf(account).map((each) => ({ uri: each, isDirty: false }));
    await editors.closeEditorsOf(services([theirs]), [mine]);
    expect(window.tabs.map(({ label }) => label)).toEqual([...left, merging.label]);
  });
});

describe('what an account has begun', () => {
  it('is asked about before its data is erased, and left alone where the user cancels', async () => {
    const unsaved = tabsOf(mine, true);
    const rest = [...tabsOf(theirs, true), ...tabsOf(mine)];
    window.tabs = [...unsaved, ...rest];
    window.isCancelled = true;
    expect(await editors.endUnfinished(services([mine, theirs]), mine)).toBe(false);
    window.isCancelled = false;
    expect(await editors.endUnfinished(services([mine, theirs]), mine)).toBe(true);
    expect(window.tabs).toEqual(rest);
  });

  it('is a merge that the user has to end first', async () => {
    const merging = services([mine, theirs], ['file:///mine']);
    await expect(editors.endUnfinished(merging, mine)).rejects.toThrow(
      /The merge of “orders\.yml” is not finished, and its local version would be erased\./,
    );
    expect(await editors.endUnfinished(merging, theirs)).toBe(true);
  });
});

describe('the schemes of documents', () => {
  /** Documents whose text is that of local files, or the log. */
  const ofNobody = ['modelbench-edit', 'modelbench-log', 'modelbench-sql', 'modelbench-live-sql'];

  it('are all known to show data of an account or not', () => {
    const sources = globSync('src/**/*.ts').map((path) => readFileSync(path, 'utf8'));
    const registered = sources.filter((text) => /register(?:TextDocumentContent|FileSystem)Provider\(/.test(text));
    // A further registration needs an owner above, or a line here that says why it has none.
    expect(registered).toHaveLength(8);
    const constants = sources.flatMap((text) =>
      [...text.matchAll(/scheme\w* = '(modelbench[\w-]*)'/gi)].map((m) => m[1]),
    );
    expect(new Set(constants)).toEqual(new Set([...ofNobody, ...documentsOf(mine).map(({ scheme }) => scheme)]));
  });
});

describe('the pages in editors', () => {
  it('are all known to close or become empty with their account', () => {
    const made = globSync('src/**/*.ts').filter((path) => readFileSync(path, 'utf8').includes('createWebviewPanel('));
    expect(made.map((path) => path.replace('src/features/', '').replace('/vscode/', '/')).sort()).toEqual([
      'administration/tables.ts',
      // Its threads are forgotten with the account, and the page shows none.
      'chat/chat-views.ts',
      'chat/results.ts',
      'dashboards/layout-previews.ts',
      'lineage/join-graph.ts',
      'logs/logs.ts',
      'playground/playground.ts',
      // Its type has every source name its account.
      'review/review-panels.ts',
    ]);
  });
});

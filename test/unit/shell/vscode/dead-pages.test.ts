import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { closeDeadPages as CloseDeadPages } from '#shell/vscode/dead-pages.ts';
import { adminScheme, formType, objectScheme } from '#shell/view-ids.ts';
import { MemoryState } from '#support/memory-state.ts';

class TabInputWebview {
  readonly viewType: string;
  constructor(type: string) {
    this.viewType = `mainThreadWebview-${type}`;
  }
}
class TabInputCustom {
  readonly viewType: string;
  constructor(type: string) {
    this.viewType = type;
  }
}
class TabInputText {
  readonly uri = 'file:///modelbench.json';
}

/** A window: its tabs, and the session that its extension hosts are told. */
const window = { tabs: [] as object[], closed: [] as object[], sessionId: '' };

vi.mock('vscode', async () => ({
  ...(await import('#support/fake-vscode.ts')),
  TabInputWebview,
  TabInputCustom,
  env: {
    get sessionId() {
      return window.sessionId;
    },
  },
  window: {
    tabGroups: {
      get all() {
        return [{ tabs: window.tabs }];
      },
      close: (tabs: readonly object[]) => Promise.resolve(void window.closed.push(...tabs)),
    },
  },
}));

let closeDeadPages: typeof CloseDeadPages;
beforeAll(async () => {
  vi.resetModules();
  ({ closeDeadPages } = await import('#shell/vscode/dead-pages.ts'));
});
afterAll(() => vi.resetModules());

const sources = globSync('src/**/*.ts').map((path) => readFileSync(path, 'utf8'));

/** The values of constants by name, of all sources. */
const constants = new Map(
  sources.flatMap((text) =>
    [...text.matchAll(/const (\w+) = '(modelbench[\w.]*)'/g)].map(([, name, value]) => [name, value]),
  ),
);

/** The types of all pages that a call in the sources names. */
function typesIn(call: RegExp): readonly string[] {
  const names = sources.flatMap((text) => [...text.matchAll(call)].map(([, name = '']) => name));
  return [...new Set(names.map((name) => constants.get(name) ?? name.replaceAll("'", '')))].sort();
}

const pages = typesIn(/\.createWebviewPanel\(\s*([\w.']+),/g);
const restored = typesIn(/\.registerWebviewPanelSerializer\(\s*([\w.']+),/g);
const forms = [formType(adminScheme), formType(objectScheme)];

const { activationEvents } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly activationEvents: string[];
};

/** A tab of each kind of page, a document, and a page of another extension. */
function open() {
  const tabs = [
    ...pages.map((type) => ({ name: type, input: new TabInputWebview(type), isDirty: false })),
    ...forms.map((type) => ({ name: type, input: new TabInputCustom(type), isDirty: false })),
    { name: 'dirty', input: new TabInputCustom(formType(objectScheme)), isDirty: true },
    { name: 'document', input: new TabInputText(), isDirty: false },
    { name: 'of another extension', input: new TabInputWebview('another.page'), isDirty: false },
  ];
  Object.assign(window, { tabs, closed: [] });
}

const contextOf = (workspaceState: MemoryState) =>
  ({
    workspaceState: mementoOf(workspaceState),
    extension: { packageJSON: { activationEvents } },
  }) as unknown as Parameters<typeof closeDeadPages>[0];

const mementoOf = (state: MemoryState) => ({
  get: (key: string) => state.get(key),
  update: async (key: string, value: unknown) => state.set(key, value),
});

/** Starts an extension host in a window with a page of each kind, and returns the names of those that it closed. */
async function start(state: MemoryState, sessionId: string): Promise<readonly string[]> {
  open();
  window.sessionId = sessionId;
  await closeDeadPages(contextOf(state));
  return (window.closed as readonly { readonly name: string }[]).map(({ name }) => name).sort();
}

const notRestored = pages.filter((type) => !restored.includes(type));

describe('pages of an extension host that is gone', () => {
  it('are of these kinds', () => {
    expect(pages).toMatchInlineSnapshot(`
      [
        "modelbench.chatPanel",
        "modelbench.dashboard",
        "modelbench.joinGraph",
        "modelbench.list",
        "modelbench.log",
        "modelbench.playground",
        "modelbench.results",
        "modelbench.review",
      ]
    `);
    expect(restored).toMatchInlineSnapshot(`
      [
        "modelbench.chatPanel",
        "modelbench.dashboard",
        "modelbench.log",
      ]
    `);
    // A kind that VS Code restores wakes the extension, which is how it is recognised.
    expect(activationEvents.flatMap((event) => /^onWebviewPanel:(.*)/.exec(event)?.[1] ?? []).sort()).toEqual(restored);
    expect(activationEvents.flatMap((event) => /^onCustomEditor:(.*)/.exec(event)?.[1] ?? []).sort()).toEqual(forms);
  });

  it('are all closed after a crash, except one with unsaved changes', async () => {
    const state = new MemoryState();
    await start(state, 'one window');
    expect(await start(state, 'one window')).toEqual([...pages, ...forms].sort());
  });

  it('stay for VS Code to restore after a reload of the window', async () => {
    const state = new MemoryState();
    await start(state, 'one window');
    // VS Code restores no page of the other kinds, so one that is there is dead.
    expect(await start(state, 'another window')).toEqual(notRestored);
  });

  it('stay for VS Code to restore where windows cannot be told apart', async () => {
    const state = new MemoryState();
    await start(state, 'someValue.sessionId');
    expect(await start(state, 'someValue.sessionId')).toEqual(notRestored);
  });
});

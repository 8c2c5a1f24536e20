import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DisposableStore } from '#base/disposable.ts';
import { Emitter } from '#base/event.ts';
import type { endDeadPages as EndDeadPages } from '#shell/vscode/dead-pages.ts';
import { adminScheme, formType, objectScheme } from '#shell/view-ids.ts';
import { settled } from '#support/manual-clock.ts';

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

interface FakeTab {
  readonly label: string;
  readonly input: object;
  readonly isActive?: boolean;
}

interface TabChanges {
  readonly opened?: readonly FakeTab[];
  readonly closed?: readonly FakeTab[];
  readonly changed?: readonly FakeTab[];
}

/** A window: its tabs, the output channels that it has numbered, and what the user is offered. */
const window = {
  tabs: [] as FakeTab[],
  closed: [] as string[],
  channels: [] as string[],
  offered: [] as string[],
  /** The output channels that were created and disposed. */
  counted: [] as string[],
  /** Answers the open notification. */
  answer: undefined as ((button: string | undefined) => void) | undefined,
  ran: [] as string[],
  changes: new Emitter<Required<TabChanges>>(),
};

const change = (changes: TabChanges): void => window.changes.fire({ opened: [], closed: [], changed: [], ...changes });

vi.mock('vscode', async () => ({
  ...(await import('#support/fake-vscode.ts')),
  TabInputWebview,
  TabInputCustom,
  commands: {
    getCommands: () =>
      Promise.resolve([
        'workbench.action.files.save',
        'workbench.action.output.show.extension-output-another.modelbench-#7-Modelbench (Window)',
        ...window.channels.map((name) => `workbench.action.output.show.extension-output-Modelbench.modelbench-${name}`),
      ]),
    executeCommand: (id: string) => Promise.resolve(void window.ran.push(id)),
  },
  window: {
    createOutputChannel: (name: string) => {
      window.counted.push(name);
      return { dispose: () => void window.counted.push(`${name} is gone`) };
    },
    showWarningMessage: (message: string, ...buttons: readonly string[]) => {
      window.offered.push([message, ...buttons].join(' | '));
      return new Promise((resolve) => {
        window.answer = resolve;
      });
    },
    tabGroups: {
      get all() {
        return [{ tabs: window.tabs }];
      },
      onDidChangeTabs: (listener: (event: Required<TabChanges>) => void) => window.changes.event(listener),
      close: (tabs: readonly FakeTab[]) => Promise.resolve(void window.closed.push(...tabs.map(({ label }) => label))),
    },
  },
}));

let endDeadPages: typeof EndDeadPages;
beforeAll(async () => {
  vi.resetModules();
  ({ endDeadPages } = await import('#shell/vscode/dead-pages.ts'));
});
afterAll(() => vi.resetModules());
beforeEach(() => {
  Object.assign(window, {
    tabs: [],
    closed: [],
    channels: [],
    offered: [],
    counted: [],
    ran: [],
    changes: new Emitter(),
  });
});

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

const webPage = (type: string, label = type): FakeTab => ({ label, input: new TabInputWebview(type) });

/** A tab of each kind of page, a document, and a page of another extension. */
const everyKind = (): readonly FakeTab[] => [
  ...pages.map((type) => webPage(type)),
  ...forms.map((type) => ({ label: type, input: new TabInputCustom(type) })),
  { label: 'document', input: new TabInputText() },
  webPage('another.page'),
];

/** Starts an extension host in a window with these tabs, whose output channels have these numbers and names. */
async function start(tabs: readonly FakeTab[], ...channels: readonly string[]): Promise<DisposableStore> {
  Object.assign(window, { tabs, channels });
  const store = new DisposableStore();
  const extension = { id: 'modelbench.modelbench', packageJSON: { activationEvents } };
  await endDeadPages({ extension }, store);
  await settled();
  return store;
}

const notRestored = pages.filter((type) => !restored.includes(type));
const offerForLog =
  '“Log: shop” no longer responds because the extension host restarted. Reload the window to restore it. | Reload Window';

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

  it('are closed where VS Code never restores them', async () => {
    await start(everyKind(), '#1-Modelbench (Window)');
    expect(window.closed.sort()).toEqual(notRestored);
  });

  it('stay after a crash where VS Code restores them, and the user is offered to reload the window', async () => {
    await start(everyKind(), '#2-Modelbench (Window)');
    expect(window.closed.sort()).toEqual(notRestored);
    expect(window.offered).toEqual([
      '5 pages of Modelbench no longer respond because the extension host restarted. Reload the window to restore them. | Reload Window',
    ]);
    window.answer?.('Reload Window');
    await settled();
    expect(window.ran).toEqual(['workbench.action.reloadWindow']);
  });

  it('are not reported after a reload of the window, because VS Code restores them', async () => {
    await start(everyKind(), '#1-Modelbench (Window)', '#2-Modelbench Language Server');
    expect(window.offered).toEqual([]);
  });

  it.each([
    [['#3-Modelbench (Window)', '#4-Modelbench Language Server']],
    // Another channel may get its number first.
    [['#3-Modelbench Language Server', '#4-Modelbench (Window)']],
    [['#12-Modelbench (Window)']],
  ])('are reported after each further crash: %j', async (channels) => {
    await start([webPage('modelbench.log', 'Log: shop')], ...channels);
    expect(window.offered).toEqual([offerForLog]);
  });

  it('are not reported where another channel was only created earlier', async () => {
    await start([webPage('modelbench.log', 'Log: shop')], '#1-Modelbench Language Server', '#2-Modelbench (Window)');
    expect(window.offered).toEqual([]);
  });

  it('are reported again whenever the user comes back to one, unless the offer is still open', async () => {
    const log = webPage('modelbench.log', 'Log: shop');
    await start([log], '#2-Modelbench (Window)');
    // VS Code makes new objects for its tabs.
    const shown = { ...webPage('modelbench.log', 'Log: shop'), isActive: true };
    change({ changed: [shown] });
    await settled();
    expect(window.offered).toEqual([offerForLog]);

    window.answer?.(undefined);
    await settled();
    change({ changed: [log, { ...webPage('modelbench.log', 'Log: another'), isActive: true }] });
    await settled();
    expect(window.offered).toEqual([offerForLog]);
    change({ changed: [shown] });
    await settled();
    expect(window.offered).toEqual([offerForLog, offerForLog]);
    expect(window.ran).toEqual([]);
  });

  it.each([[[]], [[webPage('modelbench.log')]], [everyKind()]])(
    'count their window’s hosts in any case: %#',
    async (tabs) => {
      await start(tabs, '#1-Modelbench (Window)');
      await expect.poll(() => window.counted).toEqual(['Modelbench (Window)', 'Modelbench (Window) is gone']);
    },
  );

  it('are not reported once they are closed, or opened again by the new host', async () => {
    const shown = { ...webPage('modelbench.log', 'Log: shop'), isActive: true };
    const chat = { ...webPage('modelbench.chatPanel', 'Chat'), isActive: true };
    await start([shown, chat], '#2-Modelbench (Window)');
    window.answer?.(undefined);
    await settled();
    change({ closed: [shown] });
    change({ opened: [chat] });
    change({ changed: [shown, chat] });
    await settled();
    expect(window.offered).toHaveLength(1);
  });

  it('are not reported by a host that has ended', async () => {
    const shown = { ...webPage('modelbench.log', 'Log: shop'), isActive: true };
    const store = await start([shown], '#2-Modelbench (Window)');
    window.answer?.(undefined);
    await settled();
    store.dispose();
    change({ changed: [shown] });
    await settled();
    expect(window.offered).toHaveLength(1);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { contentHash } from '#base/content-hash.ts';
import { Store } from '#base/store.ts';
import { SeenFiles } from '#features/language/seen-files.ts';
import type { CompileQuestion } from '#features/language/messages.ts';
import { MemoryState } from '#support/memory-state.ts';
import type { ConsentDesk as ConsentDeskClass } from '#features/language/vscode/consent.ts';

interface Editor {
  readonly document: { readonly uri: { toString(): string }; getText(): string };
}

/** VS Code's messages with a user who presses a button, and its editors. */
const host = vi.hoisted(() => ({
  press: undefined as string | undefined,
  said: [] as string[],
  isTrusted: true,
  visible: [] as Editor[],
  active: undefined as Editor | undefined,
  shows: [] as (() => void)[],
  turn: Promise.resolve(),
}));

vi.mock('vscode', () => {
  const names = [
    'TreeItem',
    'CodeLens',
    'Diagnostic',
    'FileDecoration',
    'CompletionItem',
    'FileSystemError',
    'Uri',
    'TestRunRequest',
    'TestMessage',
  ];
  const nothing = (): { dispose: () => void } => ({ dispose: () => undefined });
  return {
    ...Object.fromEntries(names.map((name) => [name, Object])),
    ...Object.fromEntries(
      ['env', 'commands', 'languages', 'scm', 'authentication', 'lm', 'tests'].map((name) => [name, {}]),
    ),
    window: {
      get visibleTextEditors() {
        return host.visible;
      },
      get activeTextEditor() {
        return host.active;
      },
      showInformationMessage: (text: string, ...rest: readonly unknown[]) => {
        host.said.push(text);
        return Promise.resolve(rest.find((item) => item === host.press));
      },
      onDidChangeVisibleTextEditors: (listener: () => void) => {
        host.shows.push(listener);
        return nothing();
      },
    },
    workspace: {
      get isTrusted() {
        return host.isTrusted;
      },
      onDidSaveTextDocument: nothing,
    },
  };
});

const root = 'memory:/shop/model';
let ConsentDesk: typeof ConsentDeskClass;
let seen: SeenFiles;
beforeAll(() => vi.resetModules());
afterAll(() => vi.resetModules());
beforeEach(async () => {
  Object.assign(host, {
    press: undefined,
    said: [],
    isTrusted: true,
    visible: [],
    active: undefined,
    shows: [],
    turn: Promise.resolve(),
  });
  seen = new SeenFiles(new MemoryState());
  ({ ConsentDesk } = await import('#features/language/vscode/consent.ts'));
});

const desk = (roots: readonly string[] = [root]): ConsentDeskClass =>
  new ConsentDesk({ seen, questions: { ask: async (question) => host.turn.then(question) } }, new Store(roots));
const question = async (texts: readonly string[], rest: Partial<CompileQuestion> = {}): Promise<CompileQuestion> => ({
  root,
  files: await Promise.all(
    texts.map(async (text, at) => ({ uri: `${root}/${at}.yml`, hash: await contentHash(text) })),
  ),
  hasScripts: false,
  byCommand: true,
  ...rest,
});
const show = (text: string): void => {
  host.visible = [{ document: { uri: { toString: () => `${root}/0.yml` }, getText: () => text } }];
  for (const listener of host.shows) listener();
};

describe('the question about JavaScript models', () => {
  it('appears on Check Model until it is answered, and an answer counts for the saves after it', async () => {
    const own = desk();
    const scripts = await question(['a'], { hasScripts: true });
    expect((await own.answer(scripts)).may).toBe(false);
    host.press = 'Run in the Sandbox';
    expect((await own.answer(scripts)).may).toBe(true);
    host.said = [];
    expect((await own.answer({ ...scripts, byCommand: false })).may).toBe(true);
    expect(host.said).toEqual([]);
    own.dispose();
  });

  it('waits for its turn after a save, and not after a command, whose answer counts for both', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    host.turn = promise;
    const own = desk();
    const scripts = await question(['a'], { hasScripts: true });
    expect((await own.answer({ ...scripts, byCommand: false })).may).toBe(false);
    expect(host.said).toEqual([]);
    host.press = 'Run in the Sandbox';
    expect((await own.answer(scripts)).may).toBe(true);
    resolve();
    await promise;
    expect(host.said).toHaveLength(1);
    own.dispose();
  });

  it('names the folder as text: a name cannot make links, icons or further sentences in other colours', async () => {
    const hostile = 'memory:/%5Bx%5D(command:a)%20$(zap)%E2%80%AE/%E0%A4%A';
    const own = desk([hostile]);
    await own.chooseScripts();
    expect(host.said).toHaveLength(1);
    expect(host.said[0]).not.toMatch(/\]\(command:|\$\(zap\)|\u202e/u);
    own.dispose();
  });

  it('can be answered again by the command, which overrules the last answer and keeps it when closed', async () => {
    const own = desk();
    const scripts = await question(['a'], { hasScripts: true, byCommand: false });
    await own.chooseScripts('run');
    expect((await own.answer(scripts)).may).toBe(true);
    host.press = 'Do Not Run';
    await own.chooseScripts();
    host.press = undefined;
    await own.chooseScripts();
    expect(await own.answer(scripts)).toMatchInlineSnapshot(`
      {
        "may": false,
        "reason": "you chose not to run the JavaScript files of this model.",
      }
    `);
    own.dispose();
  });

  it('concerns the model of the active editor only, where that is one of several', async () => {
    const own = desk([root, 'memory:/other/model']);
    host.active = { document: { uri: { toString: () => 'memory:/other/model/a.js' }, getText: () => '' } };
    await own.chooseScripts('run');
    expect([seen.scripts(root), seen.scripts('memory:/other/model')]).toEqual([undefined, 'run']);
    own.dispose();
  });

  it('appears for an unlinked folder once its model was checked; until then the command says what to do', async () => {
    const own = desk([]);
    await own.chooseScripts('run');
    expect(host.said).toMatchInlineSnapshot(`
      [
        "No model is open here yet. Link a folder to a deployment, or run Check Model with the Engine on a file of the model first.",
      ]
    `);
    await own.answer(await question(['a'], { hasScripts: true, byCommand: false }));
    await own.chooseScripts('run');
    expect(seen.scripts(root)).toBe('run');
    own.dispose();
  });
});

describe('files that the user has not seen', () => {
  it('wait for a yes on Check Model, and a save never compiles them', async () => {
    const own = desk();
    expect((await own.answer(await question(['a']))).may).toBe(true);
    const pulled = await question(['a', 'pulled']);
    expect(await own.answer({ ...pulled, byCommand: false })).toMatchInlineSnapshot(`
      {
        "may": false,
        "reason": "1.yml has changed outside of the editor since you last saw it. Open it, or run Check Model with the Engine.",
      }
    `);
    expect(host.said).toEqual([]);
    expect((await own.answer(pulled)).may).toBe(false);
    expect(host.said).toMatchInlineSnapshot(`
      [
        "1 file of this model came from a pull, a merge or another program, and you have not opened it yet.",
      ]
    `);
    host.press = 'Check 1 File';
    expect((await own.answer(pulled)).may).toBe(true);
    own.dispose();
  });

  it('count as seen once an editor showed that very text', async () => {
    const own = desk();
    await own.answer(await question(['a']));
    show('pulled');
    expect((await own.answer(await question(['a', 'pulled'], { byCommand: false }))).may).toBe(true);
    expect((await own.answer(await question(['a', 'pulled again'], { byCommand: false }))).may).toBe(false);
    own.dispose();
  });

  it('never reach the compiler in Restricted Mode, whatever was answered', async () => {
    const own = desk();
    await own.chooseScripts('run');
    host.isTrusted = false;
    host.press = 'Check 1 File';
    expect(await own.answer(await question(['a'], { hasScripts: true }))).toMatchInlineSnapshot(`
      {
        "may": false,
        "reason": "this workspace is in Restricted Mode.",
      }
    `);
    own.dispose();
  });
});

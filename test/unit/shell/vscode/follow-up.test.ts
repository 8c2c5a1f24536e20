import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { text } from '#base/user-text.ts';

const { asked, answers, commands } = vi.hoisted(() => ({
  asked: [] as unknown[],
  answers: [] as unknown[],
  commands: new Map<string, () => unknown>(),
}));

vi.mock('vscode', () => {
  const ask = async (options: unknown): Promise<unknown> => {
    asked.push(options);
    return answers.shift();
  };
  return {
    window: {
      state: 'of VS Code',
      showQuickPick: async (items: unknown, options: unknown) => {
        await items;
        return ask(options);
      },
      showInputBox: ask,
    },
    CancellationTokenSource: class {
      readonly cancel = (): void => undefined;
      readonly dispose = (): void => undefined;
    },
    commands: { registerCommand: (id: string, run: () => unknown) => commands.set(id, run) },
  };
});

// Test files share what they have loaded, and each has a VS Code of its own.
beforeAll(() => vi.resetModules());
afterAll(() => vi.resetModules());

const title = text`Which one?`;
const stays = { title, ignoreFocusOut: true };

beforeEach(() => {
  asked.length = 0;
  answers.length = 0;
});

/** Asks in one command, once for each answer. */
async function run(ask: () => Promise<unknown>, ...given: readonly unknown[]): Promise<readonly unknown[]> {
  const { registerCommand } = await import('#shell/vscode/guarded/commands.ts');
  answers.push(...given);
  registerCommand('modelbench.workspace.sort', async () => {
    for (const _ of given) await ask();
  });
  await commands.get('modelbench.workspace.sort')?.();
  return asked.splice(0);
}

const pick = async (): Promise<unknown> => {
  const { window } = await import('#shell/vscode/guarded/window.ts');
  return window.showQuickPick([text`One`], { title });
};

const type = async (): Promise<unknown> => {
  const { window } = await import('#shell/vscode/guarded/window.ts');
  return window.showInputBox({ title });
};

const plain = async (): Promise<unknown> => {
  const { window } = await import('#shell/vscode/guarded/window.ts');
  return window.showInputBox();
};

it.each([
  ['a pick', pick],
  ['an input', type],
])('%s that follows an answer stays open when the focus moves, and the first one closes', async (_what, ask) => {
  expect(await run(ask, 'One', 'One', 'One')).toEqual([{ title }, stays, stays]);
  expect(await run(ask, 'One', 'One')).toEqual([{ title }, stays]);
});

it('a question after one that was closed without an answer closes like the first', async () => {
  expect(await run(pick, undefined, 'One', undefined, 'One')).toEqual([{ title }, { title }, stays, { title }]);
});

it('an input without options stays open as well', async () => {
  expect(await run(plain, 'One', 'One')).toEqual([undefined, { ignoreFocusOut: true }]);
});

it('everything else of the window is VS Code’s own', async () => {
  const { window } = await import('#shell/vscode/guarded/window.ts');
  expect(window.state).toBe('of VS Code');
});

it.each<[string, () => readonly never[] | Promise<readonly never[]>]>([
  ['no rows', () => []],
  ['no rows, which are read first', async () => Promise.resolve([])],
])('says that there is nothing to choose from instead of showing %s', async (_name, rows) => {
  const { window } = await import('#shell/vscode/guarded/window.ts');
  const { isHint } = await import('#shell/user-error.ts');
  const refusal = async (options: Parameters<typeof window.showQuickPick>[1]): Promise<unknown> =>
    Promise.resolve(window.showQuickPick(rows(), options)).then(
      () => undefined,
      (error: unknown) => (isHint(error) ? error.message : error),
    );
  expect(await refusal({ title, none: text`There are no threads yet.` })).toBe('There are no threads yet.');
  expect(await refusal(undefined)).toBe('There is nothing to choose from.');
});

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
      showQuickPick: async (_items: unknown, options: unknown) => ask(options),
      showInputBox: ask,
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

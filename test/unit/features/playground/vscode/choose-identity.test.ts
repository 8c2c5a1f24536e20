import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SavedIdentities as Saved } from '#features/playground/identities.ts';
import type { chooseIdentity as ChooseIdentity } from '#features/playground/vscode/choose-identity.ts';
import { MemoryState } from '#support/memory-state.ts';

interface Item {
  readonly label: string;
  readonly description?: string;
}

/** What the user types, and the items that were offered. */
const user = { typed: [] as string[], offered: [] as readonly Item[], picks: '' };

vi.mock('#shell/vscode/checked-input.ts', () => ({ askChecked: async () => Promise.resolve(user.typed.shift()) }));
vi.mock('vscode', async () => ({
  ...(await import('#support/fake-vscode.ts')),
  window: {
    showQuickPick: async (items: readonly Item[]) => {
      user.offered = items;
      return Promise.resolve(items.find(({ label }) => label.includes(user.picks)));
    },
    showInputBox: async () => Promise.resolve(user.typed.shift()),
  },
}));

let chooseIdentity: typeof ChooseIdentity;
let SavedIdentities: typeof Saved;
beforeAll(async () => {
  vi.resetModules();
  ({ chooseIdentity } = await import('#features/playground/vscode/choose-identity.ts'));
  ({ SavedIdentities } = await import('#features/playground/identities.ts'));
});
beforeEach(() => void Object.assign(user, { typed: [], offered: [], picks: 'Enter Security Context' }));
afterAll(() => vi.resetModules());

const target = { kind: 'cubeCore', restUrl: 'http://localhost:4000/cubejs-api/v1' } as const;
const context = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`attribute_${at}`, `value ${at}`]));

describe('the choice of an identity with ten thousand attributes', () => {
  const choose = async (saved: Saved) => chooseIdentity({} as never, target, saved);

  it('keeps them all, under a short name where the user gives none', async () => {
    user.typed = [JSON.stringify(context), ''];
    const chosen = await choose(new SavedIdentities(new MemoryState(), target));
    expect(chosen).toEqual({ name: `${JSON.stringify(context).slice(0, 80)}…`, securityContext: context });
  });

  it('offers it again by its name, with a description that fits in a list', async () => {
    const saved = new SavedIdentities(new MemoryState(), target);
    user.typed = [JSON.stringify(context), 'Ada'];
    await choose(saved);
    user.picks = 'Ada';
    expect(await choose(saved)).toEqual({ name: 'Ada', securityContext: context });
    expect(Math.max(...user.offered.map(({ description = '' }) => description.length))).toBeLessThanOrEqual(2_001);
  });
});

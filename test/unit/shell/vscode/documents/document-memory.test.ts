import { describe, expect, it } from 'vitest';
import { DocumentMemory } from '#shell/vscode/documents/document-memory.ts';

function memory() {
  const state = new Map<string, unknown>();
  const secrets = new Map<string, string>();
  const made = new DocumentMemory(
    {
      get: (key) => state.get(key),
      set: (key, value) => {
        // As a memento does: what was not there is not kept.
        if (value === undefined) state.delete(key);
        else state.set(key, value);
        return Promise.resolve();
      },
    },
    {
      get: (key) => Promise.resolve(secrets.get(key)),
      store: (key, value) => Promise.resolve(void secrets.set(key, value)),
      delete: (key) => Promise.resolve(void secrets.delete(key)),
    },
    'documents',
  );
  return { made, state, secrets };
}

describe('documents of an earlier window', () => {
  it('are remembered by their path, the newest ones', async () => {
    const { made } = memory();
    for (let at = 0; at < 40; at += 1) await made.set({ path: `/${at}`, recipe: { at }, sum: 's' });
    await made.set({ path: '/39', recipe: { at: 'again' }, sum: 't', base: '{}' });
    expect(made.get('/39')).toEqual({ path: '/39', recipe: { at: 'again' }, sum: 't', base: '{}' });
    expect(made.get('/10')).toMatchObject({ recipe: { at: 10 } });
    expect(made.get('/0')).toBeUndefined();
  });

  it('have nothing that another version of the extension stored', () => {
    const { made, state } = memory();
    state.set('documents', [{ path: 7 }]);
    expect(made.get('/7')).toBeUndefined();
  });

  it('are forgotten with their account', async () => {
    const { made, state, secrets } = memory();
    await made.set({ path: '/a', recipe: { kind: 'variables', target: { accountId: 'one' } }, sum: 's' });
    await made.set({ path: '/b', recipe: { accountId: 'two' }, sum: 's' });
    await made.setUnsent('/a', 'mine', 'nothing secret');
    await made.setUnsent('/b', 'password', 'secrets');
    await made.keepOnly(new Set(['one']));
    expect([made.get('/a')?.path, made.get('/b')]).toEqual(['/a', undefined]);
    expect([await made.unsent('/a'), secrets.size]).toEqual(['mine', 0]);
    await made.keepOnly(new Set());
    expect([...state.values()]).toEqual([[]]);
  });

  it('keep what was not sent; what may be secret only in the secret storage', async () => {
    const { made, state, secrets } = memory();
    await made.setUnsent('/a', 'mine', 'nothing secret');
    await made.setUnsent('/b', 'password', 'secrets');
    expect([await made.unsent('/a'), await made.unsent('/b')]).toEqual(['mine', 'password']);
    expect(JSON.stringify([...state])).not.toContain('password');
    await made.forgetUnsent('/a');
    await made.forgetUnsent('/b');
    expect([await made.unsent('/a'), await made.unsent('/b')]).toEqual([undefined, undefined]);
    expect([state.size, secrets.size]).toEqual([0, 0]);
  });
});

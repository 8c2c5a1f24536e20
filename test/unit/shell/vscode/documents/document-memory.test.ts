import { describe, expect, it } from 'vitest';
import type { UnsentRecord } from '#shell/unsent-record.ts';
import { DocumentMemory, type Remembered } from '#shell/vscode/documents/document-memory.ts';
import { memoryRecords } from '#support/memory-records.ts';

function memory() {
  const state = new Map<string, unknown>();
  const secrets = new Map<string, string>();
  const records = new Map<string, UnsentRecord>();
  const made = new DocumentMemory(
    {
      state: {
        get: (key) => state.get(key),
        set: (key, value) => {
          // As a memento does: what was not there is not kept.
          if (value === undefined) state.delete(key);
          else state.set(key, value);
          return Promise.resolve();
        },
      },
      secrets: {
        get: (key) => Promise.resolve(secrets.get(key)),
        store: (key, value) => Promise.resolve(void secrets.set(key, value)),
        delete: (key) => Promise.resolve(void secrets.delete(key)),
      },
      records: memoryRecords(records),
    },
    'documents',
  );
  return { made, state, secrets, records };
}

const of = (path: string, accountId: string): Remembered => ({ path, recipe: { target: { accountId } }, sum: 's' });

describe('documents of an earlier window', () => {
  it('are remembered by their path, the newest ones', async () => {
    const { made } = memory();
    for (let at = 0; at < 40; at += 1) await made.set({ path: `/${at}`, recipe: { at }, sum: 's' });
    await made.set({ path: '/39', recipe: { at: 'again' }, sum: 't', base: '{}' });
    expect(await made.get('/39')).toEqual({ path: '/39', recipe: { at: 'again' }, sum: 't', base: '{}' });
    expect(await made.get('/10')).toMatchObject({ recipe: { at: 10 } });
    expect(await made.get('/0')).toBeUndefined();
  });

  it('have nothing that another version of the extension stored', async () => {
    const { made, state } = memory();
    state.set('documents', [{ path: 7 }]);
    expect(await made.get('/7')).toBeUndefined();
  });

  it('are restored by their unsent text where VS Code had not stored the rest when the window ended', async () => {
    const { made, state } = memory();
    await made.setUnsent({ ...of('/a', 'one'), base: '{}' }, 'mine', 'nothing secret');
    state.clear();
    expect(await made.get('/a')).toMatchObject({ ...of('/a', 'one'), base: '{}' });
    expect(await made.unsent('/a')).toBe('mine');
  });

  it('are forgotten with their account; only an unsent text without secrets waits for it', async () => {
    const { made, state, secrets, records } = memory();
    for (const document of [of('/a', 'one'), of('/b', 'two'), of('/c', 'two')]) await made.set(document);
    await made.setUnsent(of('/a', 'one'), 'mine', 'nothing secret');
    await made.setUnsent(of('/b', 'two'), 'password', 'secrets');
    await made.setUnsent(of('/c', 'two'), 'draft', 'nothing secret');
    await made.keepOnly(new Set(['one']));
    expect([(await made.get('/a'))?.path, await made.get('/b')]).toEqual(['/a', undefined]);
    expect([await made.unsent('/a'), secrets.size]).toEqual(['mine', 0]);
    expect([...records.keys()].sort()).toEqual(['/a', '/c']);
    // After the next sign-in.
    expect([await made.unsent('/c'), await made.unsent('/b')]).toEqual(['draft', undefined]);
    await made.keepOnly(new Set());
    expect([...state.values()]).toEqual([[]]);
  });

  it('name their account where a secret is stored, so that every sign-out deletes it', async () => {
    const { made, secrets } = memory();
    await made.setUnsent(of('/b', 'two'), 'password', 'secrets');
    expect([...secrets.keys()]).toEqual(['documents.unsent.["two","/b"]']);
    // Signed out in another window: the record is there, the text is not.
    secrets.clear();
    expect(await made.unsent('/b')).toBeUndefined();
  });

  it('keep what was not sent; what may be secret only in the secret storage', async () => {
    const { made, state, secrets, records } = memory();
    await made.setUnsent(of('/a', 'one'), 'mine', 'nothing secret');
    await made.setUnsent(of('/b', 'one'), 'password', 'secrets');
    expect([await made.unsent('/a'), await made.unsent('/b')]).toEqual(['mine', 'password']);
    expect(JSON.stringify([[...state], [...records]])).not.toContain('password');
    await made.forgetUnsent('/a');
    await made.forgetUnsent('/b');
    expect([await made.unsent('/a'), await made.unsent('/b')]).toEqual([undefined, undefined]);
    expect([state.size, secrets.size, records.size]).toEqual([0, 0, 0]);
  });

  it.each(['read', 'stored again', 'forgotten'] as const)(
    'take over what an earlier version stored, when it is %s',
    async (how) => {
      const { made, state, secrets, records } = memory();
      for (const document of [of('/a', 'one'), of('/b', 'one')]) await made.set(document);
      state.set('documents.unsent./a', 'mine');
      secrets.set('documents.unsent./b', 'password');
      if (how === 'stored again') {
        await made.setUnsent(of('/a', 'one'), 'mine, newer', 'nothing secret');
        await made.setUnsent(of('/b', 'one'), 'password, newer', 'secrets');
      } else if (how === 'forgotten') {
        await made.forgetUnsent('/a');
        await made.forgetUnsent('/b');
      }
      const expected = {
        read: ['mine', 'password'],
        'stored again': ['mine, newer', 'password, newer'],
        forgotten: [undefined, undefined],
      }[how];
      for (let again = 0; again < 2; again += 1) {
        expect([await made.unsent('/a'), await made.unsent('/b')]).toEqual(expected);
      }
      expect([...state.keys()]).toEqual(['documents']);
      expect([...secrets.keys()]).toEqual(how === 'forgotten' ? [] : ['documents.unsent.["one","/b"]']);
      expect(records.size).toBe(how === 'forgotten' ? 0 : 2);
    },
  );
});

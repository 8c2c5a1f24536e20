import { describe, expect, it } from 'vitest';
import { Catalogues } from '#features/api-explorer/catalogues.ts';
import { type HistoryEntry, RunHistory } from '#features/api-explorer/history.ts';
import { isPlatformError } from '#api/errors.ts';
import { ClientUnderTest, json, thrown } from '#support/api/client-under-test.ts';
import { canary } from '#support/api/samples.ts';
import { openDesk } from '#support/features.ts';
import { MemoryState } from '#support/memory-state.ts';
import { eraseTexts, type ListedState } from '#shell/erased-texts.ts';

const listed = (state: MemoryState): ListedState => ({
  keys: () => [...state.values.keys()],
  get: (key) => state.get(key),
  set: async (key, value) => state.set(key, value),
});

const entry = (at: number): HistoryEntry => ({
  accountId: 'a',
  name: 'createBranch',
  method: 'POST',
  path: '/x',
  at,
  status: 200,
  milliseconds: 3,
  bytes: 4,
  request: {
    params: { deploymentId: '7', integrationToken: canary },
    query: { search: 's', apiKey: canary },
    body: { secret: canary },
  },
});

describe('the history', () => {
  it('keeps whole requests for the window, and neither bodies nor secrets for the next one', async () => {
    const state = new MemoryState();
    const history = new RunHistory(state);
    await history.add(entry(1));
    await history.add(entry(2));
    expect(history.entries.value.map(({ at, request }) => [at, request.body])).toEqual([
      [2, { secret: canary }],
      [1, { secret: canary }],
    ]);
    expect([...state.values.values()].join('')).not.toContain(canary);
    const [later] = new RunHistory(state).entries.value;
    expect(later).toEqual({ ...entry(2), request: { params: { deploymentId: '7' }, query: { search: 's' } } });
  });

  it('keeps no bodies of an account that is signed out, and nothing of one that was erased', async () => {
    const [user, workspace] = [new MemoryState(), new MemoryState()];
    const history = new RunHistory(user);
    await history.add(entry(1));
    await history.add({ ...entry(2), accountId: 'b' });
    history.keepOnly(new Set(['b']));
    expect(history.entries.value.map(({ accountId, request: { body } }) => [accountId, body !== undefined])).toEqual([
      ['b', true],
      ['a', false],
    ]);
    await eraseTexts({ user: listed(user), workspace: listed(workspace) }, 'a', 1);
    // Signed in again.
    history.keepOnly(new Set(['a', 'b']));
    expect(history.entries.value.map(({ accountId }) => accountId)).toEqual(['b']);
  });

  it('is limited, and starts again from what cannot be read', async () => {
    const state = new MemoryState();
    const history = new RunHistory(state);
    for (let at = 0; at < 60; at += 1) await history.add(entry(at));
    expect(history.entries.value).toHaveLength(50);
    expect(history.entries.value[0]?.at).toBe(59);
    await state.set('apiExplorer.history', [{ odd: true }]);
    expect(new RunHistory(state).entries.value).toEqual([]);
  });
});

describe('the catalogues', () => {
  it('read a server’s description once, for all who ask at once, and again when asked', async () => {
    const under = new ClientUnderTest(() => json({ paths: { '/extra': { get: { operationId: 'extra' } } } }));
    const catalogues = new Catalogues({ client: () => under.client });
    let changes = 0;
    catalogues.onDidChange(() => (changes += 1));
    expect(catalogues.now('a').find('extra')).toBeUndefined();
    const [one, two] = await Promise.all([catalogues.get('a'), catalogues.get('a')]);
    expect(one).toBe(two);
    expect(one.find('extra')).toBeDefined();
    expect(catalogues.now('a')).toBe(one);
    expect(under.sent).toHaveLength(1);
    await catalogues.reload('a');
    expect([under.sent.length, changes]).toEqual([2, 2]);
  });

  it('hold what is documented for a server without a description; a failed one is read again', async () => {
    const under = new ClientUnderTest(() => json({ error: 'none' }, { status: 404 }), { limits: { attempts: 1 } });
    const catalogues = new Catalogues({ client: () => under.client });
    expect((await catalogues.get('a')).find('listDeployments')?.offered).toBe(true);
    under.handler = () => json({ error: 'no' }, { status: 500 });
    expect(isPlatformError(await thrown(catalogues.reload('a')), 'server')).toBe(true);
    expect(catalogues.now('a').find('listDeployments')?.offered).toBe(true);
  });

  it('offer every operation of the local platform and nothing else', async () => {
    const { client } = await openDesk();
    const { entries } = await new Catalogues({ client: () => client }).get('a');
    expect(entries.filter(({ offered, origin }) => !offered || origin === 'server')).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { KnownGroups } from '#features/administration/embed-groups.ts';
import { RunHistory } from '#features/api-explorer/history.ts';
import { PlanTicks } from '#features/folders/plan-ticks.ts';
import { attemptKey } from '#features/folders/begun-keys.ts';
import { BegunMerges } from '#features/folders/begun-merges.ts';
import { UntickedFiles } from '#features/folders/unticked-files.ts';
import { UploadConsent } from '#features/folders/upload-consent.ts';
import { MessageDrafts } from '#features/history/message-drafts.ts';
import { LogChoices } from '#features/logs/log-choice.ts';
import { Favourites } from '#features/platform/favourites.ts';
import { KeyOrigins } from '#shell/key-origins.ts';
import type { Plan } from '#sync/core/planning/plan.ts';
import { targetKey } from '#sync/core/target.ts';
import type { QueryTarget } from '#features/data/query-service.ts';
import { QueryHistory } from '#features/playground/history.ts';
import { SavedIdentities } from '#features/playground/identities.ts';
import { eraseMissed, eraseTexts, noteErased, type ListedState } from '#shell/erased-texts.ts';

const [mine, theirs] = ['https://work.example', 'https://work.example.org'];

function listed(): ListedState & { readonly text: () => string } {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: (key) => values.get(key),
    set: async (key, value) =>
      Promise.resolve(void (value === undefined ? values.delete(key) : values.set(key, value))),
    text: () => JSON.stringify([...values]),
  };
}

const target = (accountId: string) => ({ accountId, deploymentId: '1' });

/** Leaves behind what an account types in a day. */
async function work(user: ListedState, workspace: ListedState, accountId: string, secret: string): Promise<void> {
  const branch = { ...target(accountId), branchName: 'dev' };
  const drafts = new MessageDrafts(workspace);
  drafts.keep('commit', branch, `${secret} message`);
  await new SavedIdentities(workspace, { kind: 'environment', name: 'main', ...target(accountId) } as QueryTarget).save(
    {
      name: `${secret} identity`,
      securityContext: {},
    },
  );
  const draft = { measures: [`${secret}.count`], filters: [] } as never;
  const run = { at: 1, rows: 1, milliseconds: 1, draft };
  await new QueryHistory(workspace, { kind: 'environment', name: 'main', ...target(accountId) } as QueryTarget).add(
    run,
  );
  const request = { params: { name: secret } };
  const sent = { accountId, name: 'get', method: 'GET', path: '/', at: 1, milliseconds: 1, bytes: 1, request };
  await new RunHistory(user).add(sent);
  await workspace.set(attemptKey(branch), { message: `${secret} commit` });
  const file = { folderId: 'file:///work/shop', path: `model/${secret}.yml` };
  await new BegunMerges(workspace).keep(file, { accountId, mine: `${secret} merge`, remote: 'hash' });
}

describe('the texts of an erased account', () => {
  it('are erased in the window that erases, and no others', async () => {
    const [user, workspace] = [listed(), listed()];
    await work(user, workspace, mine, 'bordeaux');
    await work(user, workspace, theirs, 'chablis');
    expect(user.text() + workspace.text()).toMatch(/bordeaux.*chablis/s);
    await eraseTexts({ user, workspace }, mine, 10);
    expect(user.text() + workspace.text()).not.toContain('bordeaux');
    for (const kind of ['message', 'identity', '.count', 'commit', 'merge']) {
      expect(workspace.text()).toContain(kind.startsWith('.') ? `chablis${kind}` : `chablis ${kind}`);
    }
    // Read again: what was held in memory is gone too.
    const drafts = new MessageDrafts(workspace);
    expect(drafts.of('commit', { ...target(mine), branchName: 'dev' })).toBeUndefined();
    expect(drafts.of('commit', { ...target(theirs), branchName: 'dev' })).toBe('chablis message');
  });

  it('are erased in another workspace when it is opened next, but not what the account types there later', async () => {
    const [user, here, there] = [listed(), listed(), listed()];
    await work(user, there, mine, 'bordeaux');
    await eraseTexts({ user, workspace: here }, mine, 10);
    expect(there.text()).toContain('bordeaux');
    await eraseMissed({ user, workspace: there });
    expect(there.text()).not.toContain('bordeaux');
    // Signed in again.
    await work(user, there, mine, 'chablis');
    await eraseMissed({ user, workspace: there });
    expect(there.text()).toContain('chablis');
    await eraseTexts({ user, workspace: here }, mine, 20);
    await eraseMissed({ user, workspace: there });
    expect(there.text()).not.toContain('chablis');
  });

  it('are erased in a window that stays open, as soon as it knows that the accounts changed', async () => {
    const [user, here, there] = [listed(), listed(), listed()];
    await work(user, there, mine, 'bordeaux');
    await noteErased(user, mine, 10);
    // The account is removed, and the other window learns of it before anything else is erased.
    await eraseMissed({ user, workspace: there });
    expect(there.text()).not.toContain('bordeaux');
    // What it wrote until the end is erased when it gets the focus.
    await work(user, there, mine, 'chablis');
    await eraseTexts({ user, workspace: here }, mine, 10);
    await eraseMissed({ user, workspace: there });
    expect(user.text() + there.text()).not.toContain('chablis');
  });
});

/** Everything else that the product stores under an account, each with a class of its own. */
async function choose(state: ListedState, accountId: string, secret: string): Promise<void> {
  const deployment = target(accountId);
  const item = { type: 'report', id: '7', name: `${secret} report`, description: '', folderId: '' };
  await new Favourites(state).add(deployment, [item as never]);
  await new KnownGroups(state).add(accountId, `${secret}-tenant`, `${secret}-group`);
  await new KeyOrigins(state).confirm({ accountId, tenantUrl: accountId }, `https://${secret}.example`);
  const consent = new UploadConsent({ data: undefined as never, userState: state });
  await consent.accept({ ...deployment, deploymentId: secret });
  await new LogChoices(state).remember(
    deployment,
    { container: `${secret}-pod` } as never,
    { containers: [] } as never,
  );
  const plan = JSON.stringify([accountId, '1', 'dev']);
  new UntickedFiles(state).set(`restore ${JSON.stringify([accountId, '1'])}`, new Set([`${secret}.yml`]));
  await state.set('branchDelta.' + plan, { toCommit: [{ path: `${secret}.yml` }] });
  await state.set('selection.' + secret, deployment);
  await state.set('query.chosen', {
    ...(state.get('query.chosen') as object | undefined),
    [`folder of ${secret}`]: { kind: 'environment', ...deployment, name: secret },
  });
}

describe('what is stored for an erased account', () => {
  it('is erased whatever stores it, and nothing of another account', async () => {
    const [user, workspace, before] = [listed(), listed(), listed()];
    await choose(before, theirs, 'chablis');
    for (const state of [user, workspace]) {
      await choose(state, mine, 'bordeaux');
      await choose(state, theirs, 'chablis');
    }
    await eraseTexts({ user, workspace }, mine, 10);
    expect(user.text() + workspace.text()).not.toContain('bordeaux');
    for (const state of [user, workspace]) {
      for (const key of before.keys()) expect({ key, value: state.get(key) }).toEqual({ key, value: before.get(key) });
    }
  });

  it('does not come back with the next request in the history', async () => {
    const [user, workspace] = [listed(), listed()];
    const sent = (accountId: string, secret: string) => ({
      ...{ accountId, name: secret, method: 'GET', path: '/', at: 1, milliseconds: 1, bytes: 1, request: {} },
    });
    const history = new RunHistory(user);
    await history.add(sent(mine, 'bordeaux'));
    await eraseTexts({ user, workspace }, mine, 10);
    await history.add(sent(theirs, 'chablis'));
    expect(user.text()).toContain('chablis');
    expect(user.text()).not.toContain('bordeaux');
    expect(history.entries.value.map(({ accountId }) => accountId)).toEqual([theirs]);
  });

  it('does not come back with the next tick in a plan', async () => {
    const [user, workspace] = [listed(), listed()];
    const ticks = new PlanTicks(workspace);
    const untick = (account: string, path: string): void => {
      const entries = [{ kind: 'upload', path, reason: 'added', hash: 'h', size: 1 }];
      const plan = { target: targetKey({ account, deployment: '1', branch: 'dev' }), entries } as unknown as Plan;
      ticks.decide('push', plan, new Set([path]), false);
    };
    untick(mine, 'bordeaux.yml');
    untick(theirs, 'chablis.yml');
    await Promise.resolve();
    await eraseTexts({ user, workspace }, mine, 10);
    untick(theirs, 'riesling.yml');
    expect(workspace.text()).not.toContain('bordeaux');
    expect(workspace.text()).toMatch(/chablis.*riesling/);
  });
});

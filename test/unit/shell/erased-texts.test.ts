import { describe, expect, it } from 'vitest';
import { RunHistory } from '#features/api-explorer/history.ts';
import { MessageDrafts } from '#features/history/message-drafts.ts';
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
  await workspace.set('gitAttempts', [
    ...((workspace.get('gitAttempts') as unknown[] | undefined) ?? []),
    { target: branch, attempt: { message: `${secret} commit` } },
  ]);
}

describe('the texts of an erased account', () => {
  it('are erased in the window that erases, and no others', async () => {
    const [user, workspace] = [listed(), listed()];
    await work(user, workspace, mine, 'bordeaux');
    await work(user, workspace, theirs, 'chablis');
    expect(user.text() + workspace.text()).toMatch(/bordeaux.*chablis/s);
    await eraseTexts({ user, workspace }, mine, 10);
    expect(user.text() + workspace.text()).not.toContain('bordeaux');
    for (const kind of ['message', 'identity', '.count', 'commit']) {
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

import { describe, expect, it } from 'vitest';
import { changeTree, describeChangesNode } from '#features/changes/change-tree.ts';
import { changeWords } from '#features/folders/change-words.ts';
import { comparingTree, describePlanNode } from '#features/folders/plan-tree.ts';
import { statusWith } from '#support/sync/status.ts';
import type { SyncFacts } from '#sync/core/sync-facts.ts';
import { conflict, plan, prune, upload } from '#support/plan.ts';
import { drawn } from '#support/drawn-tree.ts';

describe('changes tree', () => {
  const facts: Partial<SyncFacts> = {
    plan,
    localChanges: [upload, prune],
    conflicts: [conflict],
    frozen: [{ kind: 'frozen', path: 'model/x', side: 'local', reason: 'symlink' }],
  };
  const status = statusWith(facts);
  const folder = { folderId: 'f', name: 'shop', branch: 'dev-ada-1', problem: undefined, status };

  it('groups by what a person has to do', () => {
    expect(drawn(changeTree([folder]), describeChangesNode)).toEqual([
      'Many files would be deleted. [notice]',
      'Conflicts (1) [changes.conflicts]',
      '  users.yml (changed on both sides · model/cubes) [change.conflicts.conflict]',
      'Local Changes (2) [changes.local]',
      '  orders.yml (modified · model/cubes) [change.local.upload]',
      '  old.yml (deleted · model/cubes) [change.local.deleteRemote]',
      'Not Synced (1) [changes.frozen]',
      '  x (symbolic link · model) [change.frozen.frozen]',
    ]);
  });

  it('says which deployment a folder is linked to while the views show another, and selects it', () => {
    const elsewhere = { accountId: 'a', deploymentId: '1', linked: 'Shop', shown: 'Finance' };
    const input = { folderId: 'g', name: 'shop', branch: undefined, problem: undefined, status: undefined, elsewhere };
    const nodes = changeTree([{ ...input, opening: 'dev-ada-1' }]);
    expect(drawn(nodes, describeChangesNode)).toEqual([
      'Linked to Shop (shown: Finance) [notice]',
      'Comparing with dev-ada-1… [notice]',
    ]);
    expect(nodes[0]).toMatchObject({ accountId: 'a', deploymentId: '1' });
    expect(nodes[0] && describeChangesNode(nodes[0]).command?.id).toBe('modelbench.selectDeployment');
  });

  it('adds a level for several folders and shows a broken link', () => {
    const problem = { title: 'Link cannot be used', message: 'Not JSON.' };
    const broken = { folderId: 'g', name: 'old', branch: undefined, problem, status: undefined };
    const nodes = changeTree([folder, broken]);
    expect(nodes.map(({ kind }) => kind)).toEqual(['link', 'link']);
    expect(drawn(nodes, describeChangesNode)).toContain('  Link cannot be used (Not JSON.) [failure]');
  });

  it('offers the choice between automatic and manual pushes while it is open and something could be pushed', () => {
    const row = (change: Partial<SyncFacts>, isPushOpen: boolean): readonly unknown[] =>
      changeTree([{ ...folder, status: statusWith(change), isPushOpen }])
        .filter((node) => node.kind === 'notice')
        .map((node) => node.command?.id);
    const local = { localChanges: [upload], lastChecked: 1 };
    expect(row(local, true)).toEqual(['modelbench.sync.choosePush']);
    expect(row(local, false)).toEqual([]);
    expect(row({ lastChecked: 1 }, true)).toEqual([]);
    expect(row({ ...local, readOnly: 'branch' }, true)).not.toContain('modelbench.sync.choosePush');
  });

  const busy = { kind: 'unavailable', message: 'the platform answers 503' } as const;

  it.each([
    [{ outage: busy, waiting: 1, outbox: [{ path: 'a', reason: busy }] }, '1 file waiting: the platform answers 503'],
    [{ readOnly: 'otherWindow' }, 'Another window syncs this folder; this one only shows its changes.'],
    [{ paused: ['gitCheckout'] }, 'Paused while Git changes files here; push when it is done.'],
    [{ paused: ['byUser'], waiting: 2 }, 'Paused by you: 2 saved files wait until you resume sync.'],
  ] as const)('says why nothing moves: %j', (change, words) => {
    const nodes = changeTree([{ ...folder, status: statusWith({ ...facts, ...change }) }]);
    expect(nodes[0]).toMatchObject({ kind: 'notice', message: words });
  });

  it('names the files that wait and offers another attempt', () => {
    const outbox = [{ path: 'model/a.yml', reason: { kind: 'refused', message: 'Refused: “no”.' } }] as const;
    const [node] = changeTree([{ ...folder, status: statusWith({ outbox }) }]);
    const drawnAs = node && describeChangesNode(node);
    expect(drawnAs).toMatchObject({
      command: { id: 'modelbench.sync.sendWaiting' },
      label: '1 file waiting: Refused: “no”.',
    });
    expect(drawnAs?.tooltip).toContain('model/a.yml: Refused: “no”.');
  });

  it('keeps a row for resolved files that are not back on the branch, beside whatever else there is', () => {
    const nodes = changeTree([{ ...folder, branch: 'dev-ada-1', unreturned: ['model/a.yml'] }]);
    const node = nodes.find(({ id }) => id.endsWith('/unreturned'));
    const drawnAs = node && describeChangesNode(node);
    expect(drawnAs).toMatchObject({
      label: '1 resolved file is not on “dev-ada-1” yet: a pull was interrupted.',
      command: { id: 'modelbench.sync.putBack' },
    });
    expect(drawnAs?.tooltip).toContain('model/a.yml');
    expect(changeTree([{ ...folder, unreturned: [] }]).some(({ id }) => id.endsWith('/unreturned'))).toBe(false);
  });

  it('says that both sides are being compared before it says that nothing changed', () => {
    const unknown = { plan: undefined, lastChecked: undefined };
    const notices = (nodes: ReturnType<typeof changeTree>): unknown[] =>
      nodes.map((node) => describeChangesNode(node).label);
    expect(notices(changeTree([{ ...folder, status: statusWith({ ...unknown, busy: 'checking' }) }]))).toEqual([
      'Comparing with dev-ada-1…',
    ]);
    const opening = { ...folder, branch: undefined, status: undefined, opening: 'dev-ada-1' };
    expect(notices(changeTree([opening]))).toEqual(['Comparing with dev-ada-1…']);
    expect(changeTree([{ ...folder, status: statusWith({ ...unknown, lastChecked: 1 }) }])).toEqual([]);
    expect(changeTree([{ ...opening, opening: undefined }])).toEqual([]);
    expect(comparingTree('dev-ada-1').map((node) => describePlanNode(node).icon?.id)).toEqual(['loading~spin']);
  });

  it('offers to push where a Git provider holds back what is saved', () => {
    const [node] = changeTree([{ ...folder, status: statusWith({ paused: ['gitProvider'] }) }]);
    expect(node && describeChangesNode(node)).toMatchObject({ command: { id: 'modelbench.push' } });
    expect(node).toMatchObject({ folderId: 'f' });
    // Whether Git feeds the deployment may be unknown: the text must hold either way.
    expect(node && describeChangesNode(node).label).toBe(
      'Saved files wait for a push: a Git repository may overwrite uploads.',
    );
  });

  it('counts what it does not draw', () => {
    const localChanges = Array.from({ length: 1200 }, (_, index) => ({ ...upload, path: `model/${index}.yml` }));
    const nodes = changeTree([{ ...folder, status: statusWith({ ...facts, localChanges }) }]);
    const group = nodes.find(({ id }) => id === 'changes/f/local');
    expect(group && describeChangesNode(group).description).toBe('1200');
    expect(group?.children).toHaveLength(1001);
  });

  it('has words for line endings', () => {
    expect(changeWords({ ...conflict, eolOnly: true })).toBe('conflict: line endings only');
  });
});

import { describe, expect, it } from 'vitest';
import { branchSides } from '#features/changes/branch-change.ts';
import { changeTree } from '#features/changes/change-tree.ts';
import { badgeOf } from '#features/changes/badge.ts';
import type { ChangesNode, ChangeTreeInput } from '#features/changes/change-nodes.ts';
import { describeChangesNode } from '#features/changes/describe-changes.ts';
import { changeText } from '#features/folders/change-text.ts';
import { statusWith } from '#support/sync/status.ts';
import type { SyncFacts } from '#sync/core/status/sync-facts.ts';
import type { GitAttempt } from '#features/history/index.ts';
import { type CommitPlan, commitPlaceholder } from '#features/changes/commit-nodes.ts';
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

  it('groups by what a user has to do', () => {
    expect(drawn(changeTree([folder]), describeChangesNode)).toEqual([
      'Many files would be deleted. [notice.modelbench.push]',
      'Conflicts (1) [changes.conflicts]',
      '  users.yml (changed on both sides · model/cubes) [change.conflicts.conflict]',
      'To Push (2) [changes.local]',
      '  Push 2 Files (to dev-ada-1) [action.push]',
      '  orders.yml (modified · model/cubes) [change.local.upload]',
      '  old.yml (deleted · model/cubes) [change.local.deleteRemote]',
      'Not Synced (1) [changes.frozen]',
      '  x (symbolic link · model) [change.frozen.frozen]',
    ]);
  });

  const emptyPlan = { ...plan, entries: [], guards: [] };
  const commit: CommitPlan = {
    parent: 'main',
    isProduction: true,
    isMixed: false,
    toCommit: [
      { path: 'model/cubes/orders.yml', change: 'changed' },
      { path: 'model/cubes/old.yml', change: 'removed' },
    ],
    incoming: [
      { path: 'model/cubes/new.yml', change: 'added' },
      { path: 'model/cubes/orders.yml', change: 'changed' },
    ],
  };
  const rows = (input: Partial<ChangeTreeInput>, change: Partial<SyncFacts> = {}): readonly string[] =>
    drawn(
      changeTree([{ ...folder, status: statusWith({ plan: emptyPlan, ...change }), ...input }]),
      describeChangesNode,
    );

  it('lists what a commit takes to the parent and what a pull brings, each with its button', () => {
    const download = {
      kind: 'download',
      path: 'a.yml',
      reason: 'changed',
      hash: 'x',
      size: 1,
      expectedLocal: 'y',
    } as const;
    expect(rows({ commit }, { localChanges: [upload], remoteChanges: [download] })).toEqual([
      'To Push (1) [changes.local]',
      '  Push 1 File (to dev-ada-1) [action.push]',
      '  orders.yml (modified · model/cubes) [change.local.upload]',
      'To Production (2 to commit) [changes.commit]',
      '  Commit to main (2 files) [action.commit]',
      '  orders.yml (modified, changed on main too · model/cubes) [change.commit.changed]',
      '  old.yml (deleted · model/cubes) [change.commit.removed]',
      'Incoming (3) [changes.remote]',
      '  Pull 1 File (from dev-ada-1) [action.pullFiles]',
      '  a.yml (modified) [change.remote.download]',
      '  Pull from main (2 files) [action.pull]',
      '  new.yml (added on main · model/cubes) [change.incoming.added]',
      '  orders.yml (modified on main · model/cubes) [change.incoming.changed]',
    ]);
  });

  it('has the button of a push or a pull once while its plan is under review', () => {
    const deletion = { kind: 'deleteLocal', path: 'a.yml', expectedLocal: 'y', size: 1 } as const;
    const facts = { localChanges: [upload], remoteChanges: [deletion] };
    const buttons = (input: Partial<ChangeTreeInput>): readonly string[] =>
      rows(input, facts).filter((row) => row.includes('[action.'));
    expect(buttons({})).toEqual([
      '  Push 1 File (to dev-ada-1) [action.push]',
      '  Pull 1 File (from dev-ada-1) [action.pullFiles]',
    ]);
    expect(buttons({ reviewed: 'push' })).toEqual(['  Pull 1 File (from dev-ada-1) [action.pullFiles]']);
    expect(buttons({ reviewed: 'pull' })).toEqual(['  Push 1 File (to dev-ada-1) [action.push]']);
    expect(rows({ reviewed: 'pull' }, facts)).toContain('Incoming (1) [changes.remote]');
  });

  it('has one row for a file that is only renamed, which is compared with what it was', () => {
    const toCommit = [
      { path: 'model/cubes/suppliers.yml', change: 'removed' },
      { path: 'model/cubes/vendors.yml', change: 'added', from: 'model/cubes/suppliers.yml' },
    ] as const;
    const incoming = [{ path: 'model/cubes/suppliers.yml', change: 'changed' }] as const;
    expect(rows({ commit: { ...commit, toCommit, incoming } }).slice(0, 3)).toEqual([
      'To Production (1 to commit) [changes.commit]',
      '  Commit to main (1 file) [action.commit]',
      '  vendors.yml (renamed from model/cubes/suppliers.yml, changed on main too · model/cubes) [change.commit.added]',
    ]);
    const target = { accountId: 'a', deploymentId: '1', branchName: 'dev-ada-1' };
    const state = { parent: 'main', delta: { toCommit, incoming } };
    expect(branchSides('commit', target, state, 'model/cubes/vendors.yml')).toEqual({
      before: { branchName: 'main', path: 'model/cubes/suppliers.yml', exists: true },
      after: { branchName: 'dev-ada-1', path: 'model/cubes/vendors.yml', exists: true },
    });
  });

  it('says production in the heading, and in all that a screen reader or a pointer reads of the button', () => {
    const [group] = changeTree([{ ...folder, status: statusWith({ plan: emptyPlan }), commit }]);
    const [button] = (group?.children ?? []) as readonly ChangesNode[];
    const said = [group, button].map((node) => (node === undefined ? undefined : describeChangesNode(node)));
    expect(said.map((row) => row?.spoken)).toEqual([
      'To Commit, 2 files, for production',
      'Commit to main (production). Commit 2 files to main, from which production is built.',
    ]);
    expect(said[1]?.tooltip).toBe(
      'Commit to main (production)\nCommit 2 files to main, from which production is built.',
    );
  });

  it('has no group that is empty, and names another destination without production', () => {
    expect(rows({ commit: { ...commit, parent: 'pricing', isProduction: false, incoming: [] } })).toEqual([
      'To Commit (2) [changes.commit]',
      '  Commit to pricing (2 files) [action.commit]',
      '  orders.yml (modified · model/cubes) [change.commit.changed]',
      '  old.yml (deleted · model/cubes) [change.commit.removed]',
    ]);
  });

  it('says “No changes” only when nothing is to push, to commit or to pull', () => {
    const none = { ...commit, toCommit: [], incoming: [] };
    expect(rows({ commit: none })).toEqual(['No changes [notice.modelbench.changes.refresh]']);
    expect(rows({ commit: { ...none, asOf: '09:12' } })).toEqual([
      'No changes (as of 09:12) [notice.modelbench.changes.refresh]',
    ]);
    // A check that runs does not take the row away.
    expect(rows({ commit: none }, { busy: 'checking' })).toEqual(['No changes [notice.modelbench.changes.refresh]']);
    expect(rows({ comparing: { parent: 'main' } })).toEqual(['Comparing with main… [notice]']);
    expect(rows({ comparing: { parent: 'main', error: 'x' } })).toEqual([
      'What can be committed to main is not known [notice.modelbench.changes.refresh]',
    ]);
    expect(rows({ commit: none }, { busy: 'pushing' })).toEqual(['Pushing to dev-ada-1… [notice]']);
    expect(rows({ commit: none }, { outbox: [{ path: 'a', reason: { kind: 'queued', message: '' } }] })).toEqual([
      'Pushing to dev-ada-1… [notice]',
    ]);
  });

  it('names the destination in the input of Source Control, before what a narrow one cuts', () => {
    expect([
      commitPlaceholder(undefined, 'Ctrl+Enter'),
      commitPlaceholder(commit, 'Ctrl+Enter'),
      commitPlaceholder({ ...commit, parent: 'pricing', isProduction: false }, 'Ctrl+Enter'),
      commitPlaceholder({ ...commit, toCommit: [] }, 'Ctrl+Enter'),
    ]).toEqual([
      'Message (Ctrl+Enter to commit)',
      'Commit to main (production): message (Ctrl+Enter)',
      'Commit to pricing: message (Ctrl+Enter)',
      'Nothing to commit to main',
    ]);
  });

  it('offers the pull where the parent has moved and it is unknown whose changes are listed', () => {
    expect(rows({ commit: { ...commit, incoming: [], isMixed: true } }).slice(-2)).toEqual([
      'Incoming [changes.remote]',
      '  Pull from main [action.pull]',
    ]);
  });

  it('says since when it knows what is to commit while it cannot ask', () => {
    expect(rows({ commit: { ...commit, asOf: '09:12' } })[0]).toBe(
      'To Production (2 to commit · as of 09:12) [changes.commit]',
    );
  });

  it('offers no commit and no pull beside one that is being sent, or has stopped and can continue', () => {
    expect(rows({ commit }, { paused: ['ownPull'] }).filter((row) => row.includes('[action'))).toEqual([]);
    const attempt: GitAttempt = { step: 'commit', from: 'main', message: '', files: [] };
    const labels = rows({ commit, attempt }).map((row) => row.trim());
    expect(labels.filter((row) => row.includes('[action'))).toEqual([]);
    expect(labels[0]).toBe('Continue the commit (with main) [attempt.ready]');
  });

  it('offers no push while one is under way or the folder is read-only', () => {
    const actions = (change: Partial<SyncFacts>): readonly string[] =>
      rows({}, { localChanges: [upload], ...change }).filter((row) => row.includes('[action'));
    expect(actions({})).toEqual(['  Push 1 File (to dev-ada-1) [action.push]']);
    expect(actions({ busy: 'pushing' })).toEqual([]);
    expect(actions({ readOnly: 'otherWindow' })).toEqual([]);
  });

  it('counts the files of all groups for the badge, and none that is not synced', () => {
    const nodes = changeTree([{ ...folder, commit }]);
    expect(badgeOf(nodes)).toEqual({ value: 4, tooltip: '4 files: 1 in conflict, 2 to push, 1 incoming' });
    expect(badgeOf(changeTree([folder, { ...folder, folderId: 'g' }]))?.value).toBe(6);
    expect(badgeOf(changeTree([{ ...folder, status: statusWith({ plan: emptyPlan }) }]))).toBeUndefined();
  });

  it('counts a file once that is in conflict, to commit and incoming', () => {
    const both = { path: 'model/cubes/users.yml', change: 'changed' } as const;
    const attempt: GitAttempt = { step: 'commit', from: 'main', message: '', files: [{ path: both.path }] };
    const input = { ...folder, commit: { ...commit, toCommit: [both], incoming: [both] } };
    const badge = (change: Partial<SyncFacts>, more: Partial<ChangeTreeInput> = {}): unknown =>
      badgeOf(changeTree([{ ...input, status: statusWith({ plan: emptyPlan, ...change }), ...more }]));
    const once = { value: 1, tooltip: '1 file: 1 in conflict' };
    expect(badge({ conflicts: [conflict] })).toEqual(once);
    expect(badge({}, { attempt })).toEqual(once);
    expect(badge({}, { attempt: { ...attempt, files: [{ ...both, resolvedAgainst: 'x' }] } })).toEqual({
      value: 1,
      tooltip: '1 file: 1 to commit',
    });
    expect(badge({ localChanges: [{ ...upload, path: both.path }] })).toEqual({
      value: 1,
      tooltip: '1 file: 1 to push',
    });
    expect(badge({})).toEqual({ value: 1, tooltip: '1 file: 1 to commit' });
  });

  it('says of a push and a pull whether they are reviewed first', () => {
    const texts = (change: Partial<SyncFacts>): readonly (string | undefined)[] =>
      changeTree([{ ...folder, status: statusWith({ plan: emptyPlan, ...change }) }])
        .flatMap((node) => (node.kind === 'group' ? node.children : []))
        .flatMap((node) => (node.kind === 'action' ? [describeChangesNode(node).tooltip] : []));
    const sides = { hash: 'x', size: 1, expectedLocal: 'y' };
    const download = { kind: 'download', path: 'a.yml', reason: 'changed', ...sides } as const;
    const reviewed = 'Opens a page to review 1 file; nothing is pushed to dev-ada-1 before you confirm there.';
    expect(texts({ localChanges: [upload] })).toEqual(['Pushes the file to dev-ada-1 at once.']);
    expect(texts({ localChanges: [prune] })).toEqual([reviewed]);
    expect(texts({ localChanges: [upload, prune] })).toEqual([reviewed.replace('1 file', '2 files')]);
    expect(texts({ remoteChanges: [download] })).toEqual(['Pulls the file that changed on dev-ada-1 at once.']);
  });

  it('counts what a branch has to commit once for several folders on it', () => {
    const on = (folderId: string, branch: string): ChangeTreeInput => ({
      ...folder,
      folderId,
      branch,
      deployment: 'Shop',
      status: statusWith({ plan: emptyPlan }),
      commit,
    });
    const badge = (...inputs: readonly ChangeTreeInput[]): string | undefined => badgeOf(changeTree(inputs))?.tooltip;
    expect(badge(on('f', 'dev-ada-1'), on('g', 'dev-ada-1'))).toBe('3 files: 2 to commit, 1 incoming');
    expect(badge(on('f', 'dev-ada-1'), on('g', 'dev-ada-2'))).toBe('6 files: 4 to commit, 2 incoming');
    expect(badge(on('f', 'dev-ada-1'), { ...on('g', 'dev-ada-1'), deployment: 'Finance' })).toBe(
      '6 files: 4 to commit, 2 incoming',
    );
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

  it('gives each of several folders its own state, and never an empty row', () => {
    const idle = { problem: undefined, status: undefined, branch: undefined };
    const deployment = { accountId: 'a', deploymentId: '1' };
    const nodes = changeTree([
      { ...idle, folderId: '1', name: 'retail', deployment: 'Retail', obstacle: { kind: 'noDevMode', ...deployment } },
      { ...idle, folderId: '2', name: 'shop', obstacle: { kind: 'signedOut', tenant: 'acme.example.com' } },
      { ...idle, folderId: '3', name: 'old', obstacle: { kind: 'restricted' } },
      { ...idle, folderId: '4', name: 'new', opening: 'dev-ada-1' },
      { ...idle, folderId: '5', name: 'bare' },
      { ...folder, folderId: '6', deployment: 'Shop', status: statusWith({ plan: emptyPlan, paused: ['byUser'] }) },
    ]);
    expect(drawn(nodes, describeChangesNode)).toEqual([
      'retail (Retail) [link]',
      '  Start Dev Mode (Saved files are not pushed, because dev mode is off.) [obstacle.noDevMode]',
      'shop [link]',
      '  Sign In (You are not signed in to acme.example.com.) [obstacle.signedOut]',
      'old [link]',
      '  Restricted Mode (Nothing is sent or compared. Click to manage trust.) [obstacle.restricted]',
      'new [link]',
      '  Comparing with dev-ada-1… [notice]',
      'bare [link]',
      '  Reading the folder… [notice]',
      'shop (Shop · dev-ada-1) [link]',
      '  Paused by you: saved files wait until you resume sync. [notice.modelbench.sync.resume]',
      '  No changes [notice.modelbench.changes.refresh]',
    ]);
    // The row starts dev mode on its own deployment.
    expect(nodes[0]?.children?.[0]).toMatchObject(deployment);
  });

  it('shows one folder without a session in the empty view, with its buttons', () => {
    const obstacle = { kind: 'restricted' } as const;
    expect(changeTree([{ ...folder, status: undefined, obstacle }])).toEqual([]);
  });

  it('adds a level for several folders and shows a broken link', () => {
    const problem = { title: 'Link cannot be used', message: 'Not JSON.' };
    const broken = { folderId: 'g', name: 'old', branch: undefined, problem, status: undefined };
    const nodes = changeTree([folder, broken]);
    expect(nodes.map(({ kind }) => kind)).toEqual(['link', 'link']);
    expect(drawn(nodes, describeChangesNode)).toMatchInlineSnapshot(`
      [
        "shop (dev-ada-1) [link]",
        "  Many files would be deleted. [notice.modelbench.push]",
        "  Conflicts (1) [changes.conflicts]",
        "    users.yml (changed on both sides · model/cubes) [change.conflicts.conflict]",
        "  To Push (2) [changes.local]",
        "    Push 2 Files (to dev-ada-1) [action.push]",
        "    orders.yml (modified · model/cubes) [change.local.upload]",
        "    old.yml (deleted · model/cubes) [change.local.deleteRemote]",
        "  Not Synced (1) [changes.frozen]",
        "    x (symbolic link · model) [change.frozen.frozen]",
        "old [link]",
        "  Link cannot be used (Not JSON.) [failure]",
      ]
    `);
  });

  it.each([
    ['automatic', 'Auto-push is on (Turn Off · to dev-ada-1) [pushMode.on]', 'manual'],
    ['notChosen', 'Auto-push is off (Turn On) [pushMode.off]', 'automatic'],
    ['risky', 'Auto-push is off (Turn On) [pushMode.off]', 'automatic'],
    ['off', 'Auto-push is off (Turn On) [pushMode.off]', 'automatic'],
  ] as const)('always shows how saved files are pushed, and a click changes it: %s', (pushMode, row, push) => {
    expect(rows({ pushMode })).toEqual([row, 'No changes [notice.modelbench.changes.refresh]']);
    expect(rows({ pushMode }, { localChanges: [upload] })[0]).toBe(row);
    const both = ['a', 'b'].map((folderId) => ({ ...folder, folderId, pushMode }));
    expect(drawn(changeTree(both), describeChangesNode).join().split(' for All Folders')).toHaveLength(3);
    // What holds risky uploads back has no second row.
    expect(rows({ pushMode }, { paused: ['gitProvider'] })).toEqual([
      row,
      'No changes [notice.modelbench.changes.refresh]',
    ]);
    const [node] = changeTree([{ ...folder, pushMode, status: statusWith({ plan: emptyPlan }) }]);
    expect(node).toMatchObject({ folderId: 'f', push });
    expect(node && describeChangesNode(node).command?.id).toBe('modelbench.sync.choosePush');
    expect(rows({ pushMode }, { readOnly: 'otherWindow' }).join(' ')).not.toContain('pushMode');
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
    expect(drawnAs).toMatchInlineSnapshot(`
      {
        "collapsible": "none",
        "command": {
          "id": "modelbench.sync.sendWaiting",
          "title": "Try Again",
        },
        "contextValue": "notice.modelbench.sync.sendWaiting",
        "icon": {
          "color": "problemsWarningIcon.foreground",
          "id": "warning",
        },
        "label": "1 file waiting: Refused: “no”.",
        "tooltip": "1 file waiting: Refused: “no”.
      model/a.yml: Refused: “no”.",
      }
    `);
  });

  it('keeps a row for resolved files that are not back on the branch, beside whatever else there is', () => {
    const nodes = changeTree([{ ...folder, branch: 'dev-ada-1', unreturned: ['model/a.yml'] }]);
    const node = nodes.find(({ id }) => id.endsWith('/unreturned'));
    const drawnAs = node && describeChangesNode(node);
    expect(drawnAs).toMatchInlineSnapshot(`
      {
        "collapsible": "none",
        "command": {
          "id": "modelbench.sync.putBack",
          "title": "Put Back",
        },
        "contextValue": "notice.modelbench.sync.putBack",
        "icon": {
          "color": "problemsWarningIcon.foreground",
          "id": "warning",
        },
        "label": "1 resolved file is not on “dev-ada-1” yet: a pull was interrupted.",
        "tooltip": "1 resolved file is not on “dev-ada-1” yet: a pull was interrupted.
      model/a.yml",
      }
    `);
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
    expect(changeTree([{ ...opening, opening: undefined }])).toEqual([]);
  });

  it('counts what it does not draw', () => {
    const localChanges = Array.from({ length: 1200 }, (_, index) => ({ ...upload, path: `model/${index}.yml` }));
    const nodes = changeTree([{ ...folder, status: statusWith({ ...facts, localChanges }) }]);
    const group = nodes.find(({ id }) => id === 'changes/f/local');
    expect(group && describeChangesNode(group).description).toBe('1200');
    // The button, the files, and the row that counts the rest.
    expect(group?.children).toHaveLength(1002);
  });

  it('has words for line endings', () => {
    expect(changeText({ ...conflict, eolOnly: true })).toBe('conflict: line endings only');
  });
});

import { describe, expect, it } from 'vitest';
import { buildState } from '#features/platform/build-state.ts';
import { statusLine, type StatusLineInput } from '#features/changes/status-line.ts';

const quiet: StatusLineInput = {
  deployment: 'Shop analytics',
  branch: 'dev-ada-1',
  counts: { local: 0, remote: 0, conflicts: 0 },
  sync: { kind: 'inSync' },
  build: { phase: 'built', errorText: undefined, at: 0 },
  isProtected: false,
};

describe('status line', () => {
  it('says which commit the build is of', () => {
    expect(statusLine({ ...quiet, hash: 'a32b361' })?.tooltip).toMatchInlineSnapshot(`
      "Deployment: Shop analytics
      Branch: dev-ada-1
      Files: in sync
      Build: built at a32b361
      Click to show what can be done."
    `);
  });

  it('shows a build state of a newer platform as it is, and not as a good one', () => {
    const line = statusLine({
      ...quiet,
      build: { phase: 'unknown', unknownStatus: 'queued', errorText: undefined, at: 0 },
    });
    expect(line?.text).toBe('$(git-branch) dev-ada-1 · in sync · $(question) queued');
    expect(line?.spoken).toMatchInlineSnapshot(
      `"Modelbench: deployment Shop analytics, branch dev-ada-1, in sync, queued"`,
    );
    expect(line?.tooltip).toMatchInlineSnapshot(`
      "Deployment: Shop analytics
      Branch: dev-ada-1
      Files: in sync
      Build: queued
      Click to show what can be done."
    `);
    const wordless = buildState({ status: ' ' }, 0);
    expect(statusLine({ ...quiet, build: wordless })?.text).toMatchInlineSnapshot(
      `"$(git-branch) dev-ada-1 · in sync · $(question) build state unknown"`,
    );
  });

  it('is hidden without a deployment', () => {
    expect(statusLine({ ...quiet, deployment: undefined })).toBeUndefined();
  });

  it('shows branch, counts and build, and the deployment aloud and in the tooltip', () => {
    const line = statusLine({ ...quiet, counts: { local: 2, remote: 1, conflicts: 1 } });
    expect(line?.text).toBe('$(git-branch) dev-ada-1 · ↑2 ↓1 ⚠1 · built');
    expect(line?.spoken).toBe(
      'Modelbench: deployment Shop analytics, branch dev-ada-1, 2 local changes, 1 remote change, 1 conflict, built',
    );
    expect(line?.tooltip).toMatchInlineSnapshot(`
      "Deployment: Shop analytics
      Branch: dev-ada-1
      Files: 2 local changes, 1 remote change, 1 conflict
      Build: built
      Click to resolve conflicts."
    `);
    expect(
      statusLine({ ...quiet, branch: undefined, sync: undefined, counts: undefined, build: undefined })?.text,
    ).toBe('$(git-branch) Shop analytics · no dev branch');
  });

  it('says that a stopped merge can continue, aloud too', () => {
    const line = statusLine({ ...quiet, canContinue: 'merge' });
    expect(line?.text).toBe('$(git-branch) dev-ada-1 · $(debug-continue) continue the merge · built');
    expect(line?.spoken).toMatchInlineSnapshot(
      `"Modelbench: deployment Shop analytics, branch dev-ada-1, in sync, the merge can be continued, built"`,
    );
    expect(line?.tooltip).toMatchInlineSnapshot(`
      "Deployment: Shop analytics
      Branch: dev-ada-1
      Files: in sync
      Build: built
      Click to continue the merge."
    `);
  });

  it.each([
    [{ branch: undefined }, 'modelbench.devMode.start'],
    [{ counts: { local: 1, remote: 1, conflicts: 1 } }, 'modelbench.conflict.merge'],
    [{ canContinue: 'pull', counts: { local: 0, remote: 0, conflicts: 1 } }, 'modelbench.conflict.merge'],
    [{ canContinue: 'merge', counts: { local: 1, remote: 1, conflicts: 0 } }, 'modelbench.git.continue'],
    [{ counts: { local: 1, remote: 1, conflicts: 0 } }, 'modelbench.pullFiles'],
    [{ counts: { local: 1, remote: 0, conflicts: 0 } }, 'modelbench.push'],
    [{ build: { phase: 'failed', errorText: 'x', at: 0 } }, 'modelbench.build.showError'],
    [{}, 'modelbench.showMenu'],
  ] as const)('does the next sensible step with %j', (change, command) => {
    expect(statusLine({ ...quiet, ...change })?.command).toBe(command);
  });

  it('says at most three things, in every state', () => {
    const reason = { kind: 'unavailable', message: 'the platform answers 503' } as const;
    const guard = { kind: 'rootChanged', blocks: 'both', confirmable: true, message: 'm' } as const;
    const states: readonly StatusLineInput['sync'][] = [
      undefined,
      { kind: 'halted', guard },
      { kind: 'readOnly', why: 'branch' },
      { kind: 'paused', by: 'gitProvider', count: 2 },
      { kind: 'waiting', count: 2, reason },
      { kind: 'failed', error: new Error('The disk is full.') },
      { kind: 'busy', what: 'pushing' },
      { kind: 'unknown' },
      { kind: 'changes', local: 1, remote: 2, conflicts: 3 },
      { kind: 'frozen', count: 3 },
      { kind: 'inSync' },
    ];
    const builds = (['building', 'built', 'failed'] as const).map((phase) => ({ phase, errorText: undefined, at: 0 }));
    const inputs = states.flatMap((sync) =>
      [undefined, ...builds].flatMap((build) =>
        [undefined, 'merge'].map((canContinue) => ({ ...quiet, sync, build, canContinue })),
      ),
    );
    const counts = { local: 1, remote: 2, conflicts: 3 };
    const texts = inputs.map((input) => statusLine({ ...input, counts })?.text ?? '');
    expect(texts.filter((text) => text === '' || text.split(' · ').length > 3)).toEqual([]);
  });

  it('warns of protected and non-dev branches, and of conflicts', () => {
    expect(statusLine(quiet)?.tone).toBe('normal');
    expect(statusLine({ ...quiet, isProtected: true })?.tone).toBe('warning');
    expect(statusLine({ ...quiet, branch: 'main' })?.tone).toBe('warning');
    expect(statusLine({ ...quiet, counts: { local: 0, remote: 0, conflicts: 1 } })?.tone).toBe('error');
  });

  it('says what waits and why, and tries again', () => {
    const reason = { kind: 'unavailable', message: 'the platform answers 503' } as const;
    const line = statusLine({ ...quiet, sync: { kind: 'waiting', count: 2, reason } });
    expect(line?.text).toMatchInlineSnapshot(`"$(debug-disconnect) dev-ada-1 · 2 waiting · built"`);
    expect(line?.tooltip).toMatchInlineSnapshot(`
      "Deployment: Shop analytics
      Branch: dev-ada-1
      Files: 2 files waiting: the platform answers 503
      Build: built
      Click to try again."
    `);
    expect(line).toMatchInlineSnapshot(`
      {
        "command": "modelbench.sync.sendWaiting",
        "spoken": "Modelbench: deployment Shop analytics, branch dev-ada-1, 2 files waiting: the platform answers 503, built",
        "text": "$(debug-disconnect) dev-ada-1 · 2 waiting · built",
        "tone": "warning",
        "tooltip": "Deployment: Shop analytics
      Branch: dev-ada-1
      Files: 2 files waiting: the platform answers 503
      Build: built
      Click to try again.",
      }
    `);
  });

  it('names the step in a sentence, whatever the title of its command', () => {
    const steps = (['byUser', 'signedOut', 'gitProvider'] as const).map((by) => {
      const line = statusLine({ ...quiet, sync: { kind: 'paused', by, count: 0 } });
      return line?.tooltip?.split('\n').at(-1);
    });
    expect(steps).toMatchInlineSnapshot(`
      [
        "Click to resume sync.",
        "Click to sign in.",
        "Click to push.",
      ]
    `);
  });

  it.each([
    [{ kind: 'paused', by: 'byUser', count: 0 }, 'sync paused', 'modelbench.sync.resume'],
    [{ kind: 'readOnly', why: 'otherWindow' }, 'read-only', 'modelbench.showMenu'],
    [{ kind: 'failed', error: new Error('The disk is full.') }, 'sync failed', 'modelbench.showMenu'],
    [{ kind: 'frozen', count: 3 }, '3 not synced', 'modelbench.showMenu'],
    [
      { kind: 'halted', guard: { kind: 'rootChanged', blocks: 'both', confirmable: true, message: 'm' } },
      'needs review',
      'modelbench.push',
    ],
  ] as const)('never says “in sync” of %j', (sync, short, command) => {
    const line = statusLine({ ...quiet, sync });
    expect(line?.text).toContain(` · ${short} · `);
    expect(`${line?.text}${line?.tooltip}${line?.spoken}`).not.toMatch(/✓|in sync/);
    expect(line?.command).toBe(command);
  });
});

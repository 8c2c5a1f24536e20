import { describe, expect, it } from 'vitest';
import { A, agreed, push } from '#support/sync/rules/rule-desk.ts';

describe('a push whose key the platform no longer accepts', () => {
  it.each([true, false])('sends nothing, and everything is still to push (with conditions: %s)', async (honours) => {
    const desk = await agreed({ honours });
    desk.write(A, 'mine');
    desk.write('model/new.yml', 'new');
    // The page with the plan is open, and another window revokes the key.
    const plan = await desk.sync.plan();
    desk.platform.refusesKey = true;
    const before = new Map(desk.platform.files);
    const outcome = await desk.sync.push(plan, 'all').catch((error: unknown) => error);
    expect(desk.platform.files).toEqual(before);
    expect(outcome).not.toMatchObject({ status: 'done' });
    expect(JSON.stringify(outcome)).toContain('key');
    expect(desk.sync.status.value).toMatchObject({ paused: ['signedOut'] });
    desk.platform.refusesKey = false;
    expect(await push(desk.sync)).toMatchObject({ status: 'done' });
    expect((await desk.sync.plan()).entries).toEqual([]);
  });

  it('is not taken for a failure of what was already sent', async () => {
    const desk = await agreed({ honours: false });
    desk.write(A, 'mine');
    const plan = await desk.sync.plan();
    // The write arrives; the list that would prove it is refused.
    desk.platform.beforeWrite = () => {
      desk.platform.refusesKey = true;
    };
    const { applied, failed } = await desk.sync.push(plan, 'all');
    expect({ applied, failed: failed.map(({ path }) => path) }).toEqual({ applied: [], failed: [A] });
    desk.platform.refusesKey = false;
    desk.write(A, 'mine, edited');
    const [entry] = (await desk.sync.plan()).entries;
    expect(entry).toMatchObject({ kind: 'upload', path: A });
  });
});

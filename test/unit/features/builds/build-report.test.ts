import { describe, expect, it } from 'vitest';
import { buildReport } from '#features/builds/build-report.ts';
import type { BuildFinished } from '#features/platform/index.ts';

const finished = (phase: string, errorText?: string): BuildFinished =>
  ({ target: { branchName: 'dev-ada' }, state: { phase, errorText }, isNews: true }) as unknown as BuildFinished;

describe('buildReport', () => {
  it('names the first line of a failure and its file', () => {
    const errorText = 'orders.yml Errors:\nUnexpected token (3:2)\n> 3 |     sql: select 1\n';
    expect(buildReport(finished('failed', errorText), true)).toEqual({
      kind: 'failed',
      message: 'The build of “dev-ada” failed: Unexpected token (3:2) (orders.yml)',
    });
  });

  it('cuts a long line', () => {
    expect(buildReport(finished('failed', 'x'.repeat(300)), true)).toMatchObject({
      message: `The build of “dev-ada” failed: ${'x'.repeat(200)}…`,
    });
  });

  it('says only that the build failed where there is no reason', () => {
    expect(buildReport(finished('failed'), true)).toMatchObject({ message: 'The build of “dev-ada” failed.' });
  });

  it('reports no failure that is not wanted or not new', () => {
    expect(buildReport(finished('failed', 'Out of memory'), false)).toBeUndefined();
  });

  it('reports nothing of a branch that has no build', () => {
    expect(buildReport(finished('inactive', 'Branch is not active'), true)).toBeUndefined();
  });

  it('shows another end in the status bar', () => {
    const report = buildReport(finished('built'), false);
    expect(report?.kind === 'ended' && report.text).toMatchInlineSnapshot(`"dev-ada: built"`);
  });
});

import { describe, expect, it } from 'vitest';
import { ReportedFailures } from '#features/builds/reported-failures.ts';

describe('the notification of a failed build', () => {
  it('comes once for a branch, and again after a build that did not fail', () => {
    const failures = new ReportedFailures();
    const phases = ['failed', 'failed', 'unknown', 'failed', 'built', 'failed'] as const;
    expect(phases.map((phase) => failures.isNews('a', { phase }))).toEqual([true, false, false, false, false, true]);
  });

  it('comes for each branch', () => {
    const failures = new ReportedFailures();
    expect(['a', 'b', 'a'].map((branch) => failures.isNews(branch, { phase: 'failed' }))).toEqual([true, true, false]);
  });
});

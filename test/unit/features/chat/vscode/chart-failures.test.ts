import { describe, expect, it } from 'vitest';
import { ChartFailures } from '#features/chat/vscode/chart-failures.ts';
import { MemoryState } from '#support/memory-state.ts';

describe('ChartFailures', () => {
  it('remembers a chart that ran out of time, in every window, until it is drawn after all', async () => {
    const state = new MemoryState();
    const failures = new ChartFailures(state);
    expect(failures.reasonOf('{"mark":"bar"}')).toBeUndefined();
    await failures.set('{"mark":"bar"}', 'It took longer than 10 seconds.');
    expect(new ChartFailures(state).reasonOf('{"mark":"bar"}')).toBe('It took longer than 10 seconds.');
    expect(failures.reasonOf('{"mark":"line"}')).toBeUndefined();
    await failures.set('{"mark":"bar"}', '');
    expect(failures.reasonOf('{"mark":"bar"}')).toBeUndefined();
  });

  it('keeps the latest 200 and no text of a specification', async () => {
    const state = new MemoryState();
    const failures = new ChartFailures(state);
    for (let at = 0; at < 250; at++) await failures.set(`specification ${at}`, 'Slow.');
    expect(failures.reasonOf('specification 49')).toBeUndefined();
    expect(failures.reasonOf('specification 50')).toBe('Slow.');
    expect(JSON.stringify([...state.values])).not.toContain('specification');
  });

  it('starts again where what is stored is not its own', () => {
    const state = new MemoryState();
    void state.set('modelbench.chat.failedCharts', { a: 1 });
    expect(new ChartFailures(state).reasonOf('x')).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { Resource } from '#features/platform/resource.ts';

/** A load that the test answers itself. */
function controlled<T>(): {
  resource: Resource<T>;
  answer: (value: T) => void;
  fail: (error: Error) => void;
  calls: () => number;
} {
  const waiting: { resolve: (value: T) => void; reject: (error: Error) => void }[] = [];
  let calls = 0;
  const resource = new Resource<T>(() => {
    calls += 1;
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  });
  return {
    resource,
    answer: (value) => waiting.shift()?.resolve(value),
    fail: (error) => waiting.shift()?.reject(error),
    calls: () => calls,
  };
}

describe('resource', () => {
  it('shares one request between callers', async () => {
    const { resource, answer, calls } = controlled<number>();
    const both = Promise.all([resource.get(), resource.refresh(), resource.ensure()]);
    answer(1);
    await both;
    expect(calls()).toBe(1);
    expect(resource.value).toBe(1);
  });

  it('keeps the last value while it reloads and when that fails', async () => {
    const { resource, answer, fail } = controlled<string>();
    const first = resource.refresh();
    answer('old');
    await first;
    const second = resource.refresh();
    expect(resource.state.value).toMatchObject({ value: 'old', loading: true });
    fail(new Error('down'));
    await second;
    expect(resource.state.value.value).toBe('old');
    expect(resource.state.value.error?.message).toBe('down');
  });

  it('says nothing when the answer is the same', async () => {
    const { resource, answer } = controlled<readonly { id: number }[]>();
    const first = resource.refresh();
    answer([{ id: 1 }]);
    await first;
    const values: unknown[] = [];
    resource.state.onDidChange(({ value }) => values.push(value));
    const second = resource.refresh();
    answer([{ id: 1 }]);
    await second;
    expect(new Set(values.map((value) => JSON.stringify(value))).size).toBe(1);
  });

  it('drops an answer that an own change made old', async () => {
    const { resource, answer } = controlled<string>();
    const before = resource.refresh();
    const after = resource.invalidate();
    answer('stale');
    answer('fresh');
    await Promise.all([before, after]);
    expect(resource.value).toBe('fresh');
  });

  it('answers with the newer request when an own change replaced the one that was waited for', async () => {
    const { resource, answer } = controlled<number>();
    const value = resource.get();
    void resource.invalidate();
    answer(1);
    answer(2);
    expect(await value).toBe(2);
  });

  it('starts once: a failed request is not repeated automatically', async () => {
    const { resource, fail, calls } = controlled<string>();
    void resource.start();
    fail(new Error('down'));
    await resource.refresh();
    void resource.start();
    expect(calls()).toBe(1);
    expect(resource.state.value.error?.message).toBe('down');
  });
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Stopwatch } from '#base/stopwatch.ts';

it('counts the time that goes by, and nothing for a clock that is set back', () => {
  const step = fc.record({ passes: fc.nat(1000), isSetBackBy: fc.nat(100_000), isRead: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      let now = 1_000_000_000;
      let passed = 0;
      const watch = new Stopwatch({ now: () => now });
      let before = 0;
      for (const { passes, isSetBackBy, isRead } of steps) {
        now += passes;
        passed += passes;
        // What is set back between two readings hides what went by between them, never more.
        now -= isSetBackBy;
        if (!isRead) continue;
        const { elapsed } = watch;
        expect(elapsed).toBeGreaterThanOrEqual(before);
        expect(elapsed).toBeLessThanOrEqual(passed);
        before = elapsed;
      }
    }),
  );
});

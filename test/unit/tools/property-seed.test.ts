import fc from 'fast-check';
import { expect, it } from 'vitest';
import { propertySeed } from '#support/property-seed.ts';

it('properties without a seed of their own try the same cases in each run', () => {
  const seed = Number(process.env[propertySeed] ?? 1);
  expect(fc.sample(fc.double(), 20)).toEqual(fc.sample(fc.double(), { numRuns: 20, seed }));
  expect(fc.sample(fc.double(), 20)).not.toEqual(fc.sample(fc.double(), { numRuns: 20, seed: seed + 1 }));
});

import { expect, it } from 'vitest';
import { cloudsOf } from '#features/deployments.ts';

it.each([
  ['aws', ['cubecloud', 'aws']],
  ['gcp', ['cubecloud', 'gcp']],
  ['cubecloud', ['cubecloud']],
  ['azure', ['cubecloud']],
  [undefined, ['cubecloud', 'aws', 'gcp']],
])('a region of %s is offered with its own cloud only', (cloudProvider, clouds) => {
  expect(cloudsOf({ cloudProvider })).toEqual(clouds);
});

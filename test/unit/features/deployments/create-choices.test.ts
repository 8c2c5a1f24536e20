import { describe, expect, it } from 'vitest';
import { cloudsOf, createChoices } from '#features/deployments/create-choices.ts';
import { readModes } from '#platform/modes/modes.ts';
import { ClientUnderTest, json } from '#support/api/client-under-test.ts';
import { openDesk } from '#support/features.ts';

const regions = [{ cloudProvider: 'aws' }, { cloudProvider: 'gcp' }, { cloudProvider: 'azure' }];

describe('what a new deployment is offered', () => {
  it.each([
    ['aws', ['aws', 'cubecloud']],
    ['gcp', ['gcp', 'cubecloud']],
    ['cubecloud', ['cubecloud']],
    // The documented API does not know it; the platform that has such a region does.
    ['azure', ['azure', 'cubecloud']],
    [undefined, ['cubecloud', 'aws', 'gcp']],
  ])('in a region of %s: its own cloud and the one that belongs to no region', (cloudProvider, clouds) => {
    expect(cloudsOf({ cloudProvider }, regions, ['cubecloud', 'aws', 'gcp'])).toEqual(clouds);
  });

  const path = '/build/api/v1/deployments/';
  const served = (properties: object): object => ({
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: {
      [path]: {
        post: { requestBody: { content: { 'application/json': { schema: { type: 'object', properties } } } } },
      },
    },
  });

  it('is what the server lists, field by field, and what the documented API lists elsewhere', async () => {
    const api = new ClientUnderTest(() =>
      json(served({ cloudProvider: { enum: ['acme', 'aws'] }, deployMode: { type: 'string' } })),
    );
    expect(await createChoices(api.client)).toEqual({
      cloudProvider: { values: ['acme', 'aws'], isServed: true },
      creationMethod: { values: ['upload', 'cubecloud', 'github', 'ssh'], isServed: false },
      deployMode: { values: ['git', 'cli'], isServed: false },
    });
  });

  it('is what the documented API lists where the server has no description', async () => {
    const api = new ClientUnderTest(() => json({ error: 'Not found' }, { status: 404 }));
    const choices = await createChoices(api.client);
    expect(Object.values(choices).map(({ isServed }) => isServed)).toEqual([false, false, false]);
  });

  it('is described by the local platform, with values that are not documented where it is newer', async () => {
    const { client } = await openDesk();
    expect((await createChoices(client)).deployMode).toEqual({ values: ['git', 'cli'], isServed: true });
    const newer = await openDesk({ modes: readModes('newer') });
    expect((await createChoices(newer.client)).deployMode.isServed).toBe(true);
  });
});

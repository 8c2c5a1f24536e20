import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '#api/operation.ts';
import { operations } from '#api/resources/operations.ts';
import { createPlatform, type Platform } from '#platform/app.ts';
import { demo } from '#platform/seed/names.ts';
import { samples } from '#support/api/samples.ts';
import { toRequest } from '#support/platform.ts';
import { quickEngine } from '#support/quick-engine.ts';

/** What belongs to one account does not exist for another, whoever asks there: an administrator with an unscoped key. */

let platform: Platform;
beforeAll(async () => {
  platform = await createPlatform({ engine: quickEngine() });
});
afterAll(() => platform.close());

/** Builds continue in the background. */
function kept(): unknown {
  const { builds: _, logs: __, sqlite_sequence: ___, ...rows } = platform.control.rows();
  return rows;
}

/** Things of the account `shop` that are there, by the name of their parameter. */
const mine: Readonly<Record<string, string>> = {
  deploymentId: String(demo.shop),
  environmentId: '1',
  workbookId: '1',
  reportId: '1',
  publicId: 'dashboard-store-performance',
  slug: 'store-performance',
  id: '1',
  userId: '1',
  integrationId: '1',
  installationId: '1',
  embedTenantName: 'north-stores',
  owner: demo.github.owner,
  repo: demo.github.repo,
};

const namesOf = (op: Operation): readonly string[] => [...op.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
const table = operations.filter((op) => op.host !== 'chat' && namesOf(op).length > 0 && op.encoding === undefined);

async function ask(op: Operation, key: string): Promise<number> {
  const { body } = samples[op.id]?.request ?? {};
  const params = Object.fromEntries(namesOf(op).map((name) => [name, mine[name] ?? '']));
  const request = toRequest(platform, op, {
    params,
    key,
    ...(op.id === 'getLogs' ? { query: { source: 'dev', container: 'MAIN' } } : {}),
    ...(body === undefined ? {} : { body }),
  });
  const response = await platform.fetch(request);
  await response.arrayBuffer();
  return response.status;
}

describe('another account', () => {
  it.each(table)('$id: is refused, or answered that there is no such thing, and changes nothing', async (op) => {
    const before = kept();
    expect([403, 404]).toContain(await ask(op, demo.keys.foreign));
    expect(kept()).toEqual(before);
  });

  it.each(table.filter(({ method }) => method === 'GET'))('$id: is answered in its own account', async (op) => {
    expect(await ask(op, demo.keys.unscoped)).toBe(200);
  });
});

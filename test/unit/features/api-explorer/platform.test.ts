import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { originOf } from '#base/origin.ts';
import type { Client } from '#api/client/client.ts';
import { operations } from '#api/resources/operations.ts';
import { systemClock } from '#base/clock.ts';
import { silentLogger } from '#base/log.ts';
import { type ApiAnswer, runRequest } from '#features/api-explorer/answer.ts';
import { catalogueOf } from '#features/api-explorer/catalogue.ts';
import { requestTemplate } from '#features/api-explorer/request-template.ts';
import { type Platform, createPlatform } from '#platform/app.ts';
import { quickEngine } from '#support/quick-engine.ts';
import { patientClient } from '../../../support/api/patient-client.ts';

/** Requests as the explorer fills them in, sent to the local platform. */
describe('every GET, as it is filled in', () => {
  let platform: Platform;
  let client: Client;
  beforeAll(async () => {
    platform = await createPlatform({ engine: quickEngine() });
    client = patientClient({
      baseUrl: 'https://platform.test',
      credential: () => ({ kind: 'bearer', token: platform.apiKey, origin: originOf('https://platform.test') }),
      fetch: (input, init) => platform.fetch(new Request(input, init)),
      logger: silentLogger,
      limits: { attempts: 1 },
    });
  });
  afterAll(() => platform.close());

  const catalogue = catalogueOf();
  const run = (id: string): Promise<ApiAnswer> => {
    const entry = catalogue.find(id);
    if (!entry) throw new Error(`no ${id}`);
    const chunks = requestTemplate(entry.schema(), { deploymentId: '1', branchName: 'main' });
    return runRequest(entry.op, chunks, { client, clock: systemClock, hide: (text) => text });
  };

  const reads = operations.filter(({ method }) => method === 'GET');
  it.each(reads)('$id: is answered, or says which field is still open', async ({ id, answerKind }) => {
    const answer = await run(id);
    expect(answer.text).not.toContain(platform.apiKey);
    const told = answer.ok ? answer.format : /"field": "(params|query)\.\w+"/.exec(answer.text)?.[1];
    expect([answerKind, 'params', 'query']).toContain(told);
  });

  it('comes back as the platform wrote it', async () => {
    const answer = await run('listDeployments');
    expect(answer).toMatchObject({ ok: true, status: 200, format: 'json' });
    expect(JSON.parse(answer.text)).toMatchObject({ pagination: { offset: 0, limit: 20, total: 3 } });
    const audit = await run('exportAuditLog');
    expect(audit).toMatchObject({ ok: true, format: 'csv' });
    expect(audit.text.split('\r\n')[0]).toBe('date,eventName,userEmail,deploymentId,data');
  });
});

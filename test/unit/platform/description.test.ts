import { operations } from '#api/resources/operations.ts';
import { getApiDescription } from '#api/resources/tenant.ts';
import { routes } from '#platform/routes/index.ts';
import { pathOf } from '#platform/routes/route.ts';
import { openApiProblems } from '#support/openapi.ts';
import { openPlatform, send, toRequest } from '#support/platform.ts';
import { describe, expect, it } from 'vitest';

describe('the routes', () => {
  it('match the operations, each once', () => {
    const served = routes.map(({ operation }) => operation.id).sort();
    const wanted = operations
      .filter(({ host }) => host !== 'chat')
      .map(({ id }) => id)
      .sort();
    expect(served).toEqual(wanted);
  });

  it('include those of the chat', async () => {
    const platform = await openPlatform();
    for (const operation of operations.filter(({ host }) => host === 'chat')) {
      const params = { accountName: 'shop', agentId: 'none', deploymentId: 'none' };
      const response = await platform.fetch(toRequest(platform, operation, { params, body: {}, key: null }));
      expect(await response.text()).not.toContain('There is no POST');
    }
  });

  it.each([
    ['GET', '/api/v1/ai-engineer/active-region'],
    ['GET', '/api/v1/embed-tenants/north-stores/user-attributes'],
    ['DELETE', '/api/v1/embed-tenants/north-stores/user-attributes'],
    ['DELETE', '/api/v1/embed-tenants/north-stores/'],
  ])('answer 404 where they were removed: %s %s', async (method, path) => {
    const platform = await openPlatform();
    const headers = { Authorization: `Bearer ${platform.apiKey}` };
    const response = await platform.fetch(new Request(`http://platform.test${path}`, { method, headers }));
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ error: `There is no ${method} ${path}.` });
  });
});

describe('the served description', () => {
  it('passes as OpenAPI 3.1 and lists every operation under its own method and path', async () => {
    const platform = await openPlatform();
    const { body } = await send(platform, getApiDescription);
    expect(await openApiProblems(body as object)).toEqual([]);
    const { paths } = body as { readonly paths: Record<string, Record<string, { operationId?: string }>> };
    for (const operation of operations) {
      expect(paths[pathOf(operation)]?.[operation.method.toLowerCase()]?.operationId).toBe(operation.id);
    }
    const listed = Object.values(paths)
      .flatMap((item) => Object.values(item))
      .filter((entry) => entry.operationId);
    expect(listed).toHaveLength(operations.length);
  });
});

describe('the check of the description', () => {
  const valid = {
    openapi: '3.1.0',
    info: { title: 'x', version: '1' },
    paths: {
      '/a/{id}': {
        get: {
          operationId: 'a',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          responses: { 200: { description: 'ok' } },
        },
      },
    },
  };
  const get = valid.paths['/a/{id}'].get;
  const withGet = (change: object) => ({ ...valid, paths: { '/a/{id}': { get: { ...get, ...change } } } });
  const withBody = (schema: object) => withGet({ requestBody: { content: { 'application/json': { schema } } } });

  it('accepts a valid one', async () => expect(await openApiProblems(valid)).toEqual([]));

  it.each([
    ['another version', { ...valid, openapi: '3.0.3' }],
    ['no title', { ...valid, info: { version: '1' } }],
    ['a path without a slash', { ...valid, paths: { a: {} } }],
    ['an unknown method', { ...valid, paths: { '/a': { fetch: {} } } }],
    ['a parameter of the path that is not declared', withGet({ parameters: [] })],
    ['an optional parameter of the path', withGet({ parameters: [{ ...get.parameters[0], required: false }] })],
    ['no responses', withGet({ responses: {} })],
    ['a response without a description', withGet({ responses: { 200: {} } })],
    ['a wrong status', withGet({ responses: { ok: { description: 'ok' } } })],
    ['an unknown type', withBody({ type: 'text' })],
    ['an unknown type of a field', withBody({ properties: { type: { type: 'text' } } })],
    ['a required that is no list', withBody({ required: true })],
    ['an empty enum', withBody({ items: { enum: [] } })],
    ['a pattern that is none', withBody({ anyOf: [{ pattern: '(' }] })],
    ['an unknown security scheme', withGet({ security: [{ none: [] }] })],
    ['a field that is none of OpenAPI', withGet({ answers: {} })],
    ['a dangling reference', withGet({ requestBody: { $ref: '#/components/requestBodies/None' } })],
    ['an id used twice', { ...valid, paths: { ...valid.paths, '/b': { get: { ...get, parameters: [] } } } }],
  ])('finds %s', async (_what, document) => expect(await openApiProblems(document)).not.toEqual([]));
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  filterDescription,
  noCapabilities,
  parseDescription,
  readCapabilities,
} from '#api/description/capabilities.ts';
import { deleteBranch, listBranches } from '#api/resources/branches.ts';
import { validateDataModel } from '#api/resources/data-model.ts';
import { ClientUnderTest, json, thrown } from '#support/api/client-under-test.ts';

const description = {
  openapi: '3.1.0',
  info: { version: '1.0.0' },
  paths: {
    '/build/api/v1/deployments/{deployment_id}/branches': {
      parameters: [],
      get: { operationId: 'listBranches', tags: ['Branches'], summary: 'List' },
      delete: { tags: ['Branches', 7], deprecated: true },
    },
    '/api/v1/deployments/{id}/workbooks/': { get: { operationId: 'workbooksIndex', tags: ['Workbooks'] } },
    '/broken': 'not an object',
  },
};
const capabilities = parseDescription(description);

describe('parseDescription', () => {
  it('finds operations by id, and by method and path whatever the parameters are called', () => {
    expect(capabilities.has('listBranches')).toBe(true);
    expect(capabilities.has(listBranches)).toBe(true);
    expect(capabilities.has(deleteBranch)).toBe(true);
    expect(capabilities.has(validateDataModel)).toBe(false);
    expect(capabilities.has({ method: 'get', path: '/api/v1/deployments/{x}/workbooks' })).toBe(true);
    expect(capabilities.has({ method: 'post', path: '/api/v1/deployments/{x}/workbooks' })).toBe(false);
  });

  it('filters by tag and by a part of the path', () => {
    const paths = (filter: Parameters<typeof capabilities.filter>[0]): string[] =>
      capabilities.filter(filter).map(({ method, path }) => `${method} ${path.split('/').findLast(Boolean)}`);
    expect(paths({ tag: 'branches' })).toEqual(['GET branches', 'DELETE branches']);
    expect(paths({ path: 'WORKBOOKS' })).toEqual(['GET workbooks']);
    expect(paths({ tag: 'Branches', path: 'workbooks' })).toEqual([]);
    expect(paths({})).toHaveLength(3);
    expect([capabilities.tags, capabilities.version]).toEqual([['Branches', 'Workbooks'], '1.0.0']);
  });

  it('reads anything without failing, and finds nothing in what is not a description', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(parseDescription({ paths: value }).operations.every(({ path }) => typeof path === 'string')).toBe(true);
        expect(parseDescription(value).has(deleteBranch)).toBe(false);
      }),
    );
  });
});

describe('filterDescription', () => {
  const $ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
  const whole = {
    ...description,
    paths: {
      '/a': { parameters: [$ref('P')], get: { tags: ['A'], responses: { 200: $ref('Tree') } }, post: { tags: ['B'] } },
      '/b': { get: { tags: ['B'], responses: { 200: $ref('Other') } } },
    },
    components: {
      schemas: { P: {}, Tree: { items: $ref('Tree'), leaf: $ref('Leaf') }, Leaf: {}, Other: {} },
      securitySchemes: { bearer: {} },
    },
  };

  it('keeps the operations that pass, what their path shares, and the components they refer to', () => {
    const { paths, components, openapi } = filterDescription(whole, { tag: 'a' });
    const { '/a': item } = whole.paths;
    expect(paths).toEqual({ '/a': { parameters: item.parameters, get: item.get } });
    expect(Object.keys((components as typeof whole.components).schemas)).toEqual(['P', 'Tree', 'Leaf']);
    expect([(components as typeof whole.components).securitySchemes, openapi]).toEqual([{ bearer: {} }, '3.1.0']);
  });

  it('without a filter changes nothing that is used', () => {
    expect(filterDescription(whole, {})).toEqual(whole);
    expect(filterDescription({ openapi: '3.1.0' }, {})).toEqual({ openapi: '3.1.0', paths: {} });
  });
});

describe('readCapabilities', () => {
  it('asks the server', async () => {
    const { client, sent } = new ClientUnderTest(() => json(description));
    expect((await readCapabilities(client)).has(deleteBranch)).toBe(true);
    expect(sent[0]?.url).toBe('https://acme.example/api/v1/spec');
  });

  it.each([
    ['404', () => json({ error: 'no' }, { status: 404 })],
    ['a web page', () => new Response('<html></html>', { headers: { 'content-type': 'text/html' } })],
    ['no paths', () => json({ openapi: '3.1.0' })],
    ['403', () => json({ error: 'no' }, { status: 403 })],
  ])('of a server that answers %s offers no optional operation', async (_, handler) => {
    const { client } = new ClientUnderTest(handler);
    expect(await readCapabilities(client)).toBe(noCapabilities);
    expect([noCapabilities.readable, noCapabilities.has(deleteBranch)]).toEqual([false, false]);
  });

  it('of a server that is down is an error, not an empty description', async () => {
    const under = new ClientUnderTest(() => json({}, { status: 503 }));
    expect(await thrown(under.clock.run(readCapabilities(under.client)))).toMatchObject({ kind: 'server' });
  });
});

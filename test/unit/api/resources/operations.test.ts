import { readFileSync } from 'node:fs';
import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema';
import { describe, expect, it } from 'vitest';
import { operations } from '#api/resources/operations.ts';
import { samples } from '#support/api/samples.ts';

const rows = readFileSync(new URL('../../../fixtures/operations.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'));

const removed = [
  'GET /api/v1/ai-engineer/active-region',
  'GET /api/v1/embed-tenants/{embedTenantName}/user-attributes',
  'DELETE /api/v1/embed-tenants/{embedTenantName}/user-attributes',
];

describe('operations', () => {
  it('are exactly the 100 documented ones: method, path with its slash, and id', () => {
    const listed = rows.map(([method, path, id]) => `${method} ${path} ${id}`);
    const described = operations
      .filter((op) => !op.described)
      .map((op) => `${op.method} ${op.host === 'chat' ? '{chat}' : ''}${op.path} ${op.id}`);
    expect(listed).toHaveLength(100);
    expect(described.sort()).toEqual(listed.sort());
  });

  it('mark what is optional', () => {
    expect(operations.filter((op) => op.described).map((op) => `${op.method} ${op.path}`)).toEqual([
      'POST /api/v1/deployments/{deploymentId}/environments/{environmentId}/tokens',
      'DELETE /build/api/v1/deployments/{deploymentId}/branches',
      'GET /build/api/v1/deployments/{deploymentId}/data-model/validate',
      'GET /api/v1/deployments/{deploymentId}/workbooks',
      'GET /api/v1/deployments/{deploymentId}/workbooks/{workbookId}/dashboard',
      'POST /api/v1/deployments/{deploymentId}/workbooks/{workbookId}/dashboard/publish',
      'POST /auth/device/code',
      'POST /auth/device/token',
      'POST /auth/oauth2/refresh',
    ]);
  });

  it('have ids of their own and none that was removed', () => {
    expect(new Set(operations.map((op) => op.id)).size).toBe(operations.length);
    const routes = operations.map((op) => `${op.method} ${op.path}`);
    expect(new Set(routes).size).toBe(operations.length);
    expect(routes.filter((route) => removed.includes(route))).toEqual([]);
  });

  it('each have a sample, so that no table-driven test passes one over', () => {
    expect(Object.keys(samples).sort()).toEqual(operations.map((op) => op.id).sort());
  });

  it.each(operations)('$id: its path and its parameters name the same things', (op) => {
    const inPath = [...op.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
    const entries = op.params && 'entries' in op.params ? Object.keys(op.params.entries as object) : [];
    expect(entries.sort()).toEqual(inPath.sort());
    expect(op.summary).toMatch(/^[A-Z].*\.$/);
    expect(op.method === 'GET' ? op.body : undefined).toBeUndefined();
  });

  it.each(operations)('$id: its schemas can be written as JSON Schema, for a description of the API', (op) => {
    const options: ConversionConfig = { ignoreActions: ['check'], typeMode: 'input' };
    const requests = [op.params, op.query, op.encoding === 'multipart' ? undefined : op.body];
    const written = requests.flatMap((schema) => (schema ? [toJsonSchema(schema, options)] : []));
    if (op.answer) written.push(toJsonSchema(op.answer, { ...options, typeMode: 'output' }));
    // An answer that is anything at all would describe nothing.
    expect(written.every((schema) => 'type' in schema || 'anyOf' in schema || '$ref' in schema)).toBe(true);
  });
});

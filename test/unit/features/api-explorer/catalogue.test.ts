import { describe, expect, it } from 'vitest';
import type { Operation } from '#api/operation.ts';
import { operations } from '#api/resources/operations.ts';
import { checkedRequest } from '#api/client/validation.ts';
import { type ApiEntry, catalogueOf } from '#features/api-explorer/catalogue.ts';
import { operationEffect, needsTrust, questionBefore } from '#features/api-explorer/effects.ts';
import { describeExplorerNode, explorerTree } from '#features/api-explorer/explorer-tree.ts';
import { requestSchema } from '#shell/request-schema.ts';
import { requestTemplate } from '#features/api-explorer/request-template.ts';

const description = {
  openapi: '3.1.0',
  paths: {
    '/api/v1/deployments': { get: { operationId: 'listDeployments', tags: ['Deployments'] } },
    '/api/v1/gadgets/{gadgetId}': {
      parameters: [{ $ref: '#/components/parameters/gadget' }],
      put: {
        tags: ['Gadgets'],
        summary: 'Replace a gadget.',
        parameters: [{ name: 'force', in: 'query', required: true, schema: { type: 'boolean' } }],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Gadget' } } } },
        responses: { 200: { content: { 'text/csv': {} } } },
      },
      post: { operationId: 'Gadget: purge/all', tags: ['Gadgets'] },
    },
  },
  components: {
    parameters: {
      gadget: { name: 'gadgetId', in: 'path', required: true, description: 'Which one.', schema: { type: 'string' } },
    },
    schemas: {
      Gadget: {
        type: 'object',
        required: ['name', 'size', 'parts'],
        properties: {
          name: { type: 'string' },
          size: { enum: ['S', 'L'] },
          parts: { type: 'array', items: { $ref: '#/components/schemas/Gadget' } },
        },
      },
      Unused: { type: 'string' },
    },
  },
};

function entry(id: string, from = catalogueOf()): ApiEntry {
  const found = from.entries.find(({ op }) => op.id === id);
  if (!found) throw new Error(`no ${id}`);
  return found;
}

describe('the catalogue', () => {
  it('has every documented operation, and optional ones as not offered, where the server describes none', () => {
    const { entries } = catalogueOf();
    expect(new Set(entries.map(({ op }) => op))).toEqual(new Set(operations));
    const missing = entries.filter(({ offered }) => !offered).map(({ op }) => op.id);
    expect(new Set(missing)).toEqual(new Set(operations.filter((op) => op.described).map(({ id }) => id)));
  });

  it('says what the server does not list, and adds what only it has', () => {
    const served = catalogueOf(description);
    expect(entry('listDeployments', served).offered).toBe(true);
    expect(entry('listBranches', served).offered).toBe(false);
    const own = served.entries.filter(({ origin }) => origin === 'server');
    expect(own.map(({ name, op }) => [name, op.id, op.tag])).toEqual([
      ['Gadget-purge-all', 'Gadget: purge/all', 'Gadgets'],
      ['put-api-v1-gadgets-gadgetId', 'put /api/v1/gadgets/{gadgetId}', 'Gadgets'],
    ]);
  });

  it('is in the order of tag, path and method', () => {
    const keys = catalogueOf().entries.map(({ op }) => [op.tag, op.path, op.method]);
    const branches = keys.filter(([, path]) => path?.endsWith('/branches')).map(([, , method]) => method);
    expect(branches).toEqual(['GET', 'POST', 'DELETE', 'GET']);
    const tags = keys.map(([tag = '']) => tag);
    expect(tags).toEqual([...tags].sort((a, b) => a.localeCompare(b)));
  });

  it('names each operation once, in a way that an address can hold', () => {
    const catalogue = catalogueOf(description);
    const { entries } = catalogue;
    expect(new Set(entries.map(({ name }) => name)).size).toBe(entries.length);
    for (const each of entries) {
      expect(each.name).toMatch(/^[\w.-]+$/);
      expect(catalogue.find(each.name)).toBe(each);
    }
  });

  it('takes the request of an operation that only the server knows from its description', () => {
    const own = entry('put /api/v1/gadgets/{gadgetId}', catalogueOf(description));
    expect(own.op).toMatchObject({ method: 'PUT', answerKind: 'csv', summary: 'Replace a gadget.' });
    const schema = own.schema();
    expect(schema).toMatchObject({
      properties: {
        params: { properties: { gadgetId: { type: 'string', description: 'Which one.' } }, required: ['gadgetId'] },
        query: { properties: { force: { type: 'boolean' } }, required: ['force'] },
        body: { $ref: '#/components/schemas/Gadget' },
      },
      required: ['params'],
    });
    expect(schema['components']).toMatchObject({ schemas: { Gadget: { type: 'object' } } });
    expect(JSON.stringify(schema)).not.toContain('Unused');
    const template = requestTemplate(schema, {});
    expect(template.params).toEqual({ gadgetId: '' });
    expect(template.query).toEqual({ force: false });
    expect(template.body).toMatchObject({ name: '', size: 'S' });
    expect(() => checkedRequest(own.op, template)).not.toThrow();
  });

  it('takes the body of an operation from the server’s description, and its own where there is none', () => {
    const body = { type: 'object', properties: { userIds: { type: 'array' } }, required: ['userIds'] };
    const served = catalogueOf({
      paths: {
        '/api/v1/users/bulk': {
          post: { requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Bulk' } } } } },
        },
      },
      components: { schemas: { Bulk: body } },
    });
    const bulk = entry('bulkUsers', served);
    expect(bulk.schema()).toMatchObject({
      properties: { body: { $ref: '#/components/schemas/Bulk' } },
      components: { schemas: { Bulk: body } },
    });
    expect(requestTemplate(bulk.schema(), {}).body).toEqual({ userIds: [{}] });
    expect(() => checkedRequest(bulk.op, { body: { userIds: ['7'], reason: 'left' } })).not.toThrow();
    expect(entry('createUser', served).schema()).toEqual(entry('createUser').schema());
  });

  it.each(operations.filter(({ guessedBody }) => guessedBody))(
    '$id: its body is open, because the documented API does not show it',
    (op) => {
      const own = entry(op.id);
      expect(() => checkedRequest({ ...own.op, params: undefined }, { body: { anything: true } })).not.toThrow();
      const { properties } = own.schema() as { properties: { body: { additionalProperties?: unknown } } };
      expect(properties.body.additionalProperties).not.toBe(false);
    },
  );

  it.each([[undefined], [{}], [{ paths: 5 }], [{ paths: { '/x': null, '/y': { get: 7, put: {} } } }]])(
    'survives a description like %j',
    (odd) => {
      const { entries } = catalogueOf(odd);
      for (const { schema } of entries) expect(requestTemplate(schema(), {})).toBeTypeOf('object');
    },
  );
});

describe('requests to fill in', () => {
  it.each(operations)('$id: every part is there, needed fields and nothing that its schema forbids', (op) => {
    const schema = requestSchema(op);
    const template = requestTemplate(schema, { deploymentId: '7' });
    expect(Object.keys(template)).toEqual(['params', 'query', 'body'].filter((part) => op[part as 'body']));
    const names = [...op.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
    expect(Object.keys(template.params ?? {})).toEqual(names);
    expect(strangers(op, template)).toEqual([]);
  });

  it('fill in what is known, choose the first of a set, and leave open what cannot be guessed', () => {
    const known = { deploymentId: '7', branchName: 'dev-ada-1' };
    const of = (id: string): unknown => requestTemplate(requestSchema(entry(id).op), known);
    expect(of('listReports')).toEqual({ params: { deploymentId: '7' }, query: {} });
    expect(of('setBranchStagingEnvironment')).toMatchObject({ body: { enabled: false } });
    expect(of('writeDataModelFiles')).toEqual({
      params: { deploymentId: '7' },
      body: { branchName: 'dev-ada-1', files: [{ path: '', content: '' }] },
    });
    expect(of('bulkUsers')).toEqual({ body: { action: 'DEACTIVATE', ids: [''] } });
  });

  it('need a part only where an empty one does not pass', () => {
    expect(requestSchema(entry('listReports').op)['required']).toEqual(['params']);
    expect(requestSchema(entry('createUser').op)['required']).toEqual(['body']);
    expect(requestSchema(entry('getAppConfig').op)['required']).toEqual([]);
  });

  it('keep the references of a recursive schema inside the document', () => {
    for (const op of operations) {
      const schema = requestSchema(op);
      for (const [, name = ''] of JSON.stringify(schema).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)) {
        expect(Object.keys(schema['$defs'] as object)).toContain(name);
      }
    }
  });
});

/** What the client finds wrong with a template besides values that are still to be filled in. */
function strangers(op: Operation, template: object): readonly string[] {
  try {
    checkedRequest(op, template);
    return [];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return /is not a field|is missing/.test(message) ? [message] : [];
  }
}

describe('what a request does', () => {
  it('is asked before it replaces or deletes something', () => {
    const asked = operations.filter((op) => operationEffect(op) === 'destroys');
    const posts = asked.filter(({ method }) => method === 'POST' || method === 'PATCH').map(({ id }) => id);
    expect(posts.sort()).toEqual([
      'bulkDeleteWorkspaceItems',
      'bulkMoveWorkspaceItems',
      'bulkUsers',
      'connectGithub',
      'finishUpload',
      'merge',
      'mergeToDefault',
      'publishDashboard',
      'renameDataModelFiles',
      'resetCreationStep',
      'upsertUserAttributeValue',
    ]);
    const effects = (...methods: readonly string[]): ReadonlySet<string> =>
      new Set(operations.filter(({ method }) => methods.includes(method)).map((op) => operationEffect(op)));
    expect([...effects('DELETE', 'PUT')]).toEqual(['destroys']);
    expect([...effects('GET')]).toEqual(['reads']);
  });

  it('needs trust in the window unless it is a GET', () => {
    const trusting = operations.filter((op) => !needsTrust(op));
    expect(new Set(trusting)).toEqual(new Set(operations.filter(({ method }) => method === 'GET')));
  });

  it('names the operation, the place and the target', () => {
    const question = questionBefore(entry('deleteUser'), { params: { id: 3 } }, 'acme.example');
    expect(question?.title).toBe('Run deleteUser on acme.example?');
    expect(question?.detail).toMatchInlineSnapshot(`
      "Delete a user.

      DELETE /api/v1/users/3

      This may replace or delete existing data, and cannot be undone from here."
    `);
    expect(question?.button).toBe('Delete');
    const branch = questionBefore(entry('deleteBranch'), { query: { branchName: 'dev-old' } }, 'x');
    expect(branch?.detail).toMatchInlineSnapshot(`
      "Delete a branch.

      DELETE /build/api/v1/deployments/{deploymentId}/branches
      {"branchName":"dev-old"}

      This may replace or delete existing data, and cannot be undone from here."
    `);
    const long = questionBefore(entry('setEnvVars'), { body: { env_variables: 'v'.repeat(999) } }, 'x');
    expect(long?.detail.length).toBeLessThan(600);
    expect(questionBefore(entry('deleteUser'), { params: 'odd' }, 'x')?.detail).toMatchInlineSnapshot(`
      "Delete a user.

      DELETE /api/v1/users/{id}

      This may replace or delete existing data, and cannot be undone from here."
    `);
    expect(questionBefore(entry('listReports'), {}, 'x')).toBeUndefined();
    expect(questionBefore(entry('createBranch'), {}, 'x')).toBeUndefined();
  });

  it('follows from its path for an unknown operation', () => {
    const purge = entry('Gadget: purge/all', catalogueOf(description));
    expect(questionBefore(purge, {}, 'x')).toBeUndefined();
    expect(operationEffect({ id: 'x', method: 'POST', path: '/a/bulk-remove' }, true)).toBe('destroys');
    expect(operationEffect({ id: 'x', method: 'POST', path: '/a/bulk-remove' })).toBe('changes');
  });
});

describe('the tree', () => {
  it('has every operation below its tag, with method, path and mark', () => {
    const tags = explorerTree(catalogueOf(description));
    expect(tags.flatMap(({ children }) => children)).toHaveLength(catalogueOf(description).entries.length);
    expect(new Set(tags.map(({ id }) => id)).size).toBe(tags.length);
    const [first] = tags;
    expect(first && describeExplorerNode(first)).toMatchObject({ label: 'Audit Log', collapsible: 'collapsed' });
    const row = (id: string): object | undefined => {
      const node = tags.flatMap(({ children }) => children).find(({ operation }) => operation === id);
      return node && describeExplorerNode(node);
    };
    expect(row('listDeployments')).toMatchObject({
      description: 'GET …/deployments',
      icon: { id: 'eye' },
      command: { id: 'modelbench.apiExplorer.openRequest' },
    });
    expect(row('deleteBranch')).toMatchObject({
      description: 'optional · DELETE …/branches · not on this server',
      spoken: 'deleteBranch, Delete a branch., not on this server',
    });
    expect(row('Gadget-purge-all')).toMatchObject({ tooltip: expect.stringContaining('from the server’s') as string });
  });
});

describe('query parameters that the server describes', () => {
  const parameters = [
    { name: 'type', in: 'query', required: true, schema: { $ref: '#/components/schemas/Kind' } },
    { name: 'archived', in: 'query', schema: { type: 'boolean' } },
  ];
  const served = {
    paths: {
      '/api/v1/deployments/{deploymentId}/environments': { get: { operationId: 'listEnvironments', parameters } },
    },
    components: { schemas: { Kind: { enum: ['production', 'preview'] } } },
  };

  it('are those of the request document, and the server judges them', () => {
    const { op, schema } = entry('listEnvironments', catalogueOf(served));
    expect(schema()).toMatchObject({
      properties: {
        query: {
          properties: { type: { $ref: '#/components/schemas/Kind' }, archived: { type: 'boolean' } },
          required: ['type'],
        },
      },
      components: { schemas: { Kind: { enum: ['production', 'preview'] } } },
    });
    expect((schema() as { readonly required: unknown }).required).toContain('query');
    const query = { type: 'preview', archived: true };
    expect(checkedRequest(op, { params: { deploymentId: 1 }, query }).query).toEqual(query);
  });

  it('are ours where it describes none', () => {
    const { schema } = entry('listEnvironments', catalogueOf({ paths: {} }));
    expect(schema()).toEqual(requestSchema(entry('listEnvironments').op));
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPlatformError } from '#api/errors.ts';
import type { Operation } from '#api/operation.ts';
import { operations } from '#api/resources/operations.ts';
import { checkedRequest, type RequestInput } from '#api/client/validation.ts';
import { samples } from '#support/api/samples.ts';

function operationOf(id: string): Operation {
  const op = operations.find((each) => each.id === id);
  if (!op) throw new Error(`No operation ${id}`);
  return op;
}

/** The field that the check of a request names, or `ok`. */
/** Which field of a changed sample the schemas refuse; documents that are written back are judged like every other body. */
function check(id: string, change: RequestInput): string {
  const sample = samples[id]?.request ?? {};
  const merge = (part: 'params' | 'query' | 'body'): unknown => change[part] ?? sample[part];
  const request = { params: merge('params'), query: merge('query'), body: merge('body') };
  try {
    const { roundTrip: _, guessedBody: __, ...op } = operationOf(id);
    checkedRequest(op, request);
    return 'ok';
  } catch (error) {
    const named = isPlatformError(error, 'invalidRequest') && error.message.startsWith(`${id}: ${error.field}: `);
    if (!named) throw error;
    return error.field ?? '';
  }
}

const body = (id: string, value: unknown): string => check(id, { body: value });
const draft = (config: unknown): string => body('updateWorkbookDashboard', { dashboardDraft: config });
/** `{a: {b: {name: value}}}` with a field of its own whatever it is called. */
const odd = (...steps: readonly unknown[]): unknown =>
  steps.reduceRight((value, name) => Object.fromEntries([[name, value]]) as unknown);
const widget = { id: 'w', type: 'CHART', position: { x: 0, y: 0, w: 1, h: 1 } };
const chat = (value: unknown): string => body('streamChatByAgent', value);
const session = (value: unknown): string => chat({ input: 'hi', sessionSettings: value });

/** A value with each of its objects in turn replaced by an empty list, and where that is; what is opaque stays. */
function withLists(value: unknown): { readonly path: string; readonly replaced: unknown }[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  const entries = Object.entries(value).filter(([name]) => name !== 'transaction');
  const below = entries.flatMap(([name, entry]) =>
    withLists(entry).map(({ path, replaced }) => {
      const whole: unknown = Array.isArray(value) ? value.with(Number(name), replaced) : { ...value, [name]: replaced };
      return { path: `\\.${name.replaceAll('.', '\\.')}${path}`, replaced: whole };
    }),
  );
  return Array.isArray(value) ? below : [{ path: '', replaced: [] }, ...below];
}

describe('every request', () => {
  it.each(operations)('$id: its sample passes', (op) => {
    expect(check(op.id, {})).toBe('ok');
  });

  it.each(operations.filter((op) => op.params))('$id: each path parameter is needed and named', (op) => {
    const params = samples[op.id]?.request.params ?? {};
    for (const name of Object.keys(params)) {
      expect(check(op.id, { params: { ...params, [name]: undefined } })).toBe(`params.${name}`);
      expect(check(op.id, { params: { ...params, [name]: {} } })).toBe(`params.${name}`);
    }
    expect(check(op.id, { params: { ...params, more: 1 } })).toBe('params.more');
  });

  it.each(operations.filter((op) => op.query))('$id: a query field that does not exist is named', (op) => {
    expect(check(op.id, { query: { ...samples[op.id]?.request.query, more: 1 } })).toBe('query.more');
  });

  it.each(operations.filter((op) => op.body))('$id: a body that is not an object is refused', (op) => {
    for (const wrong of ['text', 3, [1], []]) expect(body(op.id, wrong)).toMatch(/^body/);
  });

  const parts = operations.flatMap((op) =>
    (['params', 'query'] as const).filter((part) => op[part]).map((part) => ({ id: op.id, part })),
  );
  it.each(parts)('$id: a list is not its $part', ({ id, part }) => {
    expect(check(id, { [part]: [] })).toBe(part);
  });

  it.each(operations.filter((op) => op.body))('$id: an empty list in the place of any object of it is named', (op) => {
    for (const { path, replaced } of withLists(samples[op.id]?.request.body)) {
      expect(body(op.id, replaced)).toMatch(new RegExp(`^body${path}(\\.|$)`));
    }
  });
});

describe('a document that is written back', () => {
  it('is sent as it came, whatever is documented', () => {
    const body = { dashboardDraft: { theme: { shadow: 'soft' } }, later: true };
    const params = samples['updateWorkbookDashboard']?.request.params;
    expect(checkedRequest(operationOf('updateWorkbookDashboard'), { params, body }).body).toBe(body);
  });
});

describe('docs/platform-api.md#dashboard-configuration: the dashboard', () => {
  it.each([
    ['nothing at all', {}, 'ok'],
    ['nulls everywhere', { app: null, kind: null, layout: null, settings: null, theme: null, widgets: null }, 'ok'],
    ['no draft', null, 'ok'],
    ['an unknown field', { colour: 1 }, 'body.dashboardDraft.colour'],
    ['a wrong kind', { kind: 'MODERN' }, 'body.dashboardDraft.kind'],
    ['an entry of 255', { app: { entry: 'x'.repeat(255) } }, 'ok'],
    ['an entry of 256', { app: { entry: 'x'.repeat(256) } }, 'body.dashboardDraft.app.entry'],
    ['a file that is no text', { app: { files: { a: 1 } } }, 'body.dashboardDraft.app.files.a'],
    ['a half version', { app: { manifest: { version: 1.5 } } }, 'body.dashboardDraft.app.manifest.version'],
    ['an id of 128 characters that take two units each', { widgets: [{ ...widget, id: '🙂'.repeat(128) }] }, 'ok'],
    ['an id of 128', { widgets: [{ ...widget, id: 'x'.repeat(128) }] }, 'ok'],
    ['an id of 128 characters of two units each', { widgets: [{ ...widget, id: '😀'.repeat(128) }] }, 'ok'],
    [
      'an id of 129 such characters',
      { widgets: [{ ...widget, id: '😀'.repeat(129) }] },
      'body.dashboardDraft.widgets.0.id',
    ],
    ['an id of 129', { widgets: [widget, { ...widget, id: 'x'.repeat(129) }] }, 'body.dashboardDraft.widgets.1.id'],
    ['no id', { widgets: [{ ...widget, id: undefined }] }, 'body.dashboardDraft.widgets.0.id'],
    ['a wrong type', { widgets: [{ ...widget, type: 'PIE' }] }, 'body.dashboardDraft.widgets.0.type'],
    ['no position', { widgets: [{ id: 'w', type: 'AI' }] }, 'body.dashboardDraft.widgets.0.position'],
    [
      'a position without h',
      { widgets: [{ ...widget, position: { x: 0, y: 0, w: 1 } }] },
      'body.dashboardDraft.widgets.0.position.h',
    ],
    ['half a column', { layout: { cols: { lg: 1.5 } } }, 'body.dashboardDraft.layout.cols.lg'],
    ['an unknown breakpoint', { layout: { breakpoints: { xl: 1 } } }, 'body.dashboardDraft.layout.breakpoints.xl'],
    [
      'a number as colour',
      { theme: { controls: { border: { color: 3 } } } },
      'body.dashboardDraft.theme.controls.border.color',
    ],
    ['a responsive layout', { widgets: [{ ...widget, responsiveLayouts: { sm: widget.position, xs: null } }] }, 'ok'],
    ['settings as a list', { settings: [] }, 'body.dashboardDraft.settings'],
    ['a layout as a list', { layout: [] }, 'body.dashboardDraft.layout'],
    ['a theme as a list', { theme: { controls: [] } }, 'body.dashboardDraft.theme.controls'],
    ['files as a list', { app: { files: [] } }, 'body.dashboardDraft.app.files'],
    ['a position as a list', { widgets: [{ ...widget, position: [] }] }, 'body.dashboardDraft.widgets.0.position'],
    [
      'a file of an odd name that is no text',
      odd('app', 'files', '__proto__', 1),
      'body.dashboardDraft.app.files.__proto__',
    ],
  ])('%s', (_, config, expected) => {
    expect(draft(config)).toBe(expected);
  });
});

describe('the rules of requests', () => {
  it.each([
    ['1.2.3', 'ok'],
    ['v1.2.3', 'ok'],
    ['registry.example:5000/team/image:v1.2.3-rc.1', 'ok'],
    ['image:1.2.3', 'body.releaseChannelVersion'],
    ['latest', 'body.releaseChannelVersion'],
    ['', 'body.releaseChannelVersion'],
    ['v1.2', 'body.releaseChannelVersion'],
  ])('a version as %j', (releaseChannelVersion, expected) => {
    expect(body('updateDeployment', { releaseChannelVersion })).toBe(expected);
  });

  it.each([
    ['updateDeployment', {}, 'body'],
    ['updateDeployment', { deployMode: 7 }, 'body.deployMode'],
    ['createDeployment', { name: 'x', cloudProvider: 7 }, 'body.cloudProvider'],
    ['setBranchStagingEnvironment', { enabled: true }, 'body.branchName'],
    ['setBranchStagingEnvironment', { enabled: true, branchName: 'a', branchId: 1 }, 'body.branchName'],
    ['setBranchStagingEnvironment', { enabled: true, branchId: 1 }, 'ok'],
    ['setBranchStagingEnvironment', { branchId: 1 }, 'body.enabled'],
    ['createMetadataToken', { security_context: {}, expires_in: 0 }, 'body.expires_in'],
    ['createMetadataToken', {}, 'body.security_context'],
    ['createNotification', {}, 'body.dashboardId'],
    ['createNotification', { dashboardId: 1, dashboardPublicId: 'x' }, 'body.dashboardId'],
    ['createNotification', { dashboardId: '1' }, 'body.dashboardId'],
    ['bulkDeleteWorkspaceItems', { items: [] }, 'body.items'],
    ['bulkDeleteWorkspaceItems', { items: [{ type: 'CUBE', id: 1 }] }, 'body.items.0.type'],
    ['bulkUsers', { action: 'PROMOTE', ids: [1] }, 'body.action'],
    ['createUser', { email: 'ada' }, 'body.email'],
    ['createUserAttribute', { name: 'a', type: 'date' }, 'body.type'],
    [
      'setEnvVars',
      {
        env_variables: [
          { name: 'A', value: '1' },
          { name: 'A', value: '2' },
        ],
      },
      'body.env_variables',
    ],
    ['setEmbedAccess', { action: 'read' }, 'body.embedTenantName'],
    ['setEmbedAccess', { action: 7, allEmbedUsers: true }, 'body.action'],
    ['finishUpload', { transaction: 1, files: { a: { hash: 'x' } }, autoRemoveFiles: true }, 'body.files.a.hash'],
    ['finishUpload', { transaction: 1, files: {} }, 'body.autoRemoveFiles'],
    ['uploadFile', { transaction: 1, fileName: 'a', file: 'text' }, 'body.file'],
    ['writeDataModelFiles', { files: [] }, 'body.branchName'],
    ['commit', { branchName: 'dev-a', message: '' }, 'body.message'],
    ['abortChatByAgent', {}, 'body.chatId'],
  ])('%s %j → %s', (id, value, expected) => {
    expect(body(id, value)).toBe(expected);
  });

  it('finishUpload: every file of the manifest is sent, whatever it is called', () => {
    const hash = 'a'.repeat(40);
    const names = fc.array(fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('__proto__', 'constructor')));
    fc.assert(
      fc.property(names, (paths) => {
        const files = Object.fromEntries(paths.map((path) => [path, { hash }]));
        const request = { params: { deploymentId: 1 }, body: { transaction: 1, files, autoRemoveFiles: true } };
        const { body: checked } = checkedRequest(operationOf('finishUpload'), request) as { body: { files: object } };
        expect(new Set(Object.keys(checked.files))).toEqual(new Set(paths));
      }),
    );
  });

  it.each([
    ['listReports', { sortBy: 'lastViewedAt', after: 'c' }, 'query.after'],
    ['listReports', { sortBy: 'lastViewedAt' }, 'ok'],
    // A newer server may have more values: it judges.
    ['listReports', { sortBy: 'size' }, 'ok'],
    ['listReports', { sortBy: '' }, 'query.sortBy'],
    ['listDeployments', { offset: -1 }, 'query.offset'],
    ['listDeployments', { limit: 1.5 }, 'query.limit'],
    ['listEnvironments', { type: 'preview' }, 'ok'],
    ['listNotifications', { recipientEmbedTenantName: 'a' }, 'query.recipientExternalId'],
    ['listNotifications', { recipientEmbedTenantName: 'a', recipientExternalId: 'b' }, 'ok'],
    ['getLogs', { source: 'production' }, 'query.container'],
    ['getLogs', { container: 'MAIN' }, 'query.source'],
    ['getLogs', { source: 'production', container: 'another-server' }, 'ok'],
    ['deleteBranch', {}, 'query.branchName'],
  ])('%s ?%j → %s', (id, query, expected) => {
    expect(check(id, { query })).toBe(expected);
  });
});

describe('docs/chat.md#body-of-a-question: the stream request', () => {
  it.each([
    ['a state request', chat({ chatId: 'c' }), 'ok'],
    ['a good message id', chat({ messageId: '1700000000000-message' }), 'ok'],
    ['a short message id', chat({ messageId: '170000000000-message' }), 'body.messageId'],
    ['a free message id', chat({ messageId: 'hello' }), 'body.messageId'],
    ['nobody', session({}), 'body.sessionSettings.externalId'],
    ['an upper-case id', session({ externalId: 'Ada' }), 'body.sessionSettings.externalId'],
    ['an upper-case letter outside ASCII', session({ externalId: 'Åda' }), 'body.sessionSettings.externalId'],
    ['an id with a space', session({ externalId: 'a b' }), 'body.sessionSettings.externalId'],
    ['an internal user', session({ internalId: 'ada@acme.example' }), 'ok'],
    ['an internal user that is no address', session({ internalId: 'ada' }), 'body.sessionSettings.internalId'],
    ['an internal user with groups', session({ internalId: 'a@b.example', groups: [] }), 'body.sessionSettings.groups'],
    [
      'one with attributes',
      session({ internalId: 'a@b.example', userAttributes: [] }),
      'body.sessionSettings.userAttributes',
    ],
    [
      'one with a context',
      session({ internalId: 'a@b.example', securityContext: {} }),
      'body.sessionSettings.securityContext',
    ],
    [
      'an external user with all',
      session({ externalId: 'a', groups: ['g'], userAttributes: [{ name: 'n', value: 'v' }] }),
      'ok',
    ],
    [
      'an attribute that is no text',
      session({ externalId: 'a', userAttributes: [{ name: 'n', value: 1 }] }),
      'body.sessionSettings.userAttributes.0.value',
    ],
  ])('%s', (_, found, expected) => {
    expect(found).toBe(expected);
  });
});

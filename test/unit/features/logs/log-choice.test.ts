import { describe, expect, it } from 'vitest';
import { describedValues } from '#api/description/described-values.ts';
import { getLogs } from '#api/resources/runtime.ts';
import { askLog, logNames, parseMoment, withFilter } from '#features/logs/log-choice.ts';
import { openDesk } from '#support/features.ts';

describe('a followed log', () => {
  it('is asked for with its source, container, pod, branch and start', async () => {
    const { data, account, platform } = await openDesk();
    const choice = { source: 'production', container: 'MAIN', pod: 'api-0', branchName: 'main' };
    platform.control.clearRequestLog();
    const rows = askLog(
      data,
      { accountId: account.id, deploymentId: '1' },
      choice,
    )({ from: '2026-01-01', limit: 5 }, new AbortController().signal);
    for await (const _ of rows) continue;
    const sent = new URLSearchParams(platform.control.requestLog[0]?.query);
    expect(Object.fromEntries(sent)).toEqual({ ...choice, from: '2026-01-01', limit: '5' });
  });
});

describe('a filter of a followed log', () => {
  const choice = { source: 'production', container: 'MAIN', pod: 'api-0' };

  it.each([
    ['api-1', { ...choice, pod: 'api-1' }],
    ['', { source: 'production', container: 'MAIN' }],
    [undefined, undefined],
  ])('becomes what the user answers: %s', (answer, expected) => {
    expect(withFilter(choice, 'pod', answer)).toEqual(expected);
  });
});

describe('the names of sources and containers', () => {
  it('are the server’s own', async () => {
    const { data, account } = await openDesk();
    const { sources, containers } = await logNames(data, account.id);
    expect(sources).toEqual(['production', 'dev']);
    expect(containers).toContain('vector');
  });

  it('are the documented ones where the server has no description', async () => {
    const { data, account, platform } = await openDesk();
    platform.control.faults([{ kind: 'status', status: 404, path: 'spec' }]);
    expect((await logNames(data, account.id)).containers).toEqual([
      'INIT',
      'MAIN',
      'service-server',
      'vector',
      'api-proxy',
    ]);
  });
});

describe('the values that a description lists for a parameter', () => {
  const listed = (parameters: readonly object[], components?: object) => {
    const item = { get: { operationId: 'logs', parameters } };
    const description = { paths: { '/api/v1/deployments/{id}/logs/': item }, components };
    return describedValues(description, getLogs, 'container');
  };
  const container = (schema: object) => [{ in: 'query', name: 'container', schema }];

  it.each([
    [container({ type: 'string', enum: ['INIT', 'shop-server'] })],
    [container({ anyOf: [{ enum: ['INIT'] }, { const: 'shop-server' }] })],
    [container({ $ref: '#/components/schemas/Container' })],
    [[{ $ref: '#/components/parameters/container' }]],
  ])('are found in %j', (parameters) => {
    const Container = { enum: ['INIT', 'shop-server'] };
    const components = {
      schemas: { Container },
      parameters: { container: { in: 'query', name: 'container', schema: Container } },
    };
    expect(listed(parameters, components)).toEqual(['INIT', 'shop-server']);
  });

  it.each([[[]], [container({ type: 'string' })], [container({ $ref: '#/nowhere' })], [[7]]])(
    'are none in %j',
    (parameters) => {
      expect(listed(parameters as readonly object[])).toEqual([]);
    },
  );

  it('end where a description refers to itself', () => {
    expect(
      listed(container({ $ref: '#/components/schemas/A' }), {
        schemas: { A: { anyOf: [{ $ref: '#/components/schemas/A' }] } },
      }),
    ).toEqual([]);
  });
});

describe('a moment that a user types', () => {
  const now = Date.parse('2026-11-22T12:00:00Z');
  it.each([
    ['90m', '2026-11-22T10:30:00.000Z'],
    ['2 h', '2026-11-22T10:00:00.000Z'],
    ['7d', '2026-11-15T12:00:00.000Z'],
    ['2026-11-22T08:00Z', '2026-11-22T08:00:00.000Z'],
    ['yesterday', undefined],
    ['2026-13-40', undefined],
    ['', undefined],
  ])('%s', (typed, moment) => expect(parseMoment(typed, now)).toBe(moment));
});

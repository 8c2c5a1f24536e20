import { readFileSync } from 'node:fs';
import type { Frame } from 'playwright-core';
import { expect } from 'vitest';
import type { cubeCoreQueries } from '#support/cube-core/queries.ts';
import { type JsonReply, type JsonRequest, type JsonServer, startJsonServer } from '#support/json-server.ts';
import type { Stage } from './journey.ts';
import { playground } from './queries.journey.ts';

interface Recorded {
  readonly status: number;
  readonly body: unknown;
}

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

/** What a real Cube Core server answered, recorded by `npm run test:cube-core`. */
const { answers } = JSON.parse(read('../fixtures/cube-core/rows.json')) as {
  readonly answers: Readonly<Record<keyof typeof cubeCoreQueries, readonly [Recorded, ...Recorded[]]>>;
};

/** The project whose server was recorded, with one cube more. */
export const cubeCoreProject = {
  'cube.js': 'module.exports = {};\n',
  'model/cubes/orders.yml': read('../support/cube-core/model/orders.yml'),
  'model/cubes/readings.yml': read('../support/cube-core/model/readings.yml'),
  'model/cubes/orders_draft.yml':
    'cubes:\n  - name: orders_draft\n    sql: SELECT 1\n    measures:\n      - name: count\n        type: count\n',
};

/** The public members of the project, as the server describes them. */
const members = [
  cubeOf('orders', { count: 'number' }, { status: 'string' }),
  cubeOf(
    'readings',
    Object.fromEntries(
      ['count', 'big_total', 'exact_total', 'mean', 'share', 'absent', 'slow'].map((name) => [name, 'number']),
    ),
    {
      ...{ id: 'number', big: 'number', exact: 'number', approximate: 'number', nothing: 'string', flag: 'boolean' },
      ...{ local: 'time', zoned: 'time', day: 'time', nested: 'string', note: 'string' },
    },
    ['flagged'],
  ),
];

type Types = Readonly<Record<string, string>>;

function cubeOf(cube: string, measures: Types, dimensions: Types, segments: readonly string[] = []) {
  const typed = (types: Types) => Object.entries(types).map(([name, type]) => ({ name: `${cube}.${name}`, type }));
  return {
    name: cube,
    measures: typed(measures),
    dimensions: typed(dimensions),
    segments: segments.map((name) => ({ name: `${cube}.${name}` })),
  };
}

/**
 * A user without an account opens a project whose Cube Core server runs: it is found, its rows are seen in the first minute, and
 * what is wrong with a query, with its member or with the server is explained.
 */
export async function queryCubeCore({ workbench }: Stage): Promise<void> {
  const sent: JsonRequest[] = [];
  const start = async (): Promise<JsonServer> => serverOfProject((request) => sent.push(request));
  await workbench.openContainer('Modelbench');
  // VS Code draws links of a welcome text without their role.
  const link = workbench.view('Changes').locator('a').filter({ hasText: 'open the playground' });
  await link.waitFor();
  await workbench.run('Modelbench: Open Playground');
  await workbench.notification(/No Cube Core server answers on this machine/).waitFor();
  await workbench.picture('no-server');
  await workbench.clearNotifications();

  const server = await start();
  try {
    await link.click();
    const page = await playground(workbench);
    await page.getByText('Cube Core at localhost:4000').first().waitFor();
    await seeRows(page);
    // Of what is written, the server lacks only the cube that it was not started with.
    await page.getByText('not built yet').first().waitFor();
    await expect.poll(async () => page.getByText('not built yet').count()).toBe(1);
    await workbench.pictures('rows');
    await page.getByRole('button', { name: 'Chart', exact: true }).click();
    await page.getByRole('img', { name: 'Bar chart of the rows' }).locator('.mark-rect path').first().waitFor();
    await workbench.picture('chart');
    await explainWrongQueries(page, () => sent.length);
    await workbench.picture('database-error');
    // A server in development mode needs no token, and is given none.
    expect(new Set(sent.map(({ headers }) => headers.authorization))).toEqual(new Set([undefined]));
  } finally {
    await server.close();
  }
  await returnAfterStop(workbench, start);
}

/** Serves the recorded answers where Cube Core runs by default: the product asks no other port unasked. */
async function serverOfProject(onRequest: (request: JsonRequest) => void): Promise<JsonServer> {
  const answer = (request: JsonRequest): JsonReply => {
    onRequest(request);
    const { address, body } = request;
    if (address.pathname.endsWith('/meta')) return { status: 200, value: { cubes: members } };
    if (address.pathname !== '/cubejs-api/v1/load') return { status: 404, value: { error: 'Not found' } };
    const { query } = JSON.parse(body) as { readonly query: { readonly measures?: readonly string[] } };
    const [measure] = query.measures ?? [];
    if (measure === undefined)
      return { status: 400, value: { error: 'Query should contain either measures, dimensions' } };
    const name = measure === 'readings.absent' ? 'a column that the database does not have' : 'rows with their number';
    const [{ status, body: value }] = answers[name];
    return { status, value };
  };
  let server: JsonServer | undefined;
  // Another run on this machine may have the port; it gives it back when it ends.
  await expect
    .poll(async () => (server = await startJsonServer(answer, 4000).catch(() => undefined)), {
      message: 'port 4000 is free',
    })
    .toBeDefined();
  return server as unknown as JsonServer;
}

async function seeRows(page: Frame): Promise<void> {
  await page.getByRole('searchbox', { name: 'Find members' }).fill('orders');
  await page.getByRole('button', { name: 'measure count' }).click();
  await page.getByRole('button', { name: 'dimension status' }).click();
  await page.getByRole('button', { name: 'Run Query' }).click();
  await page.getByRole('gridcell', { name: 'open' }).waitFor();
  await page.getByRole('gridcell', { name: '2' }).waitFor();
}

/** A wrong filter is explained at its field and not sent; an error of the database is shown with its member. */
async function explainWrongQueries(page: Frame, requests: () => number): Promise<void> {
  const before = requests();
  await page.getByRole('button', { name: 'Add Filter' }).click();
  await page.getByRole('combobox', { name: 'Member of filter 1' }).selectOption('orders.count');
  await page.getByRole('combobox', { name: 'Operator of filter 1' }).selectOption('gt');
  await page.getByRole('textbox', { name: 'Values of filter 1' }).fill('many');
  await page.getByRole('button', { name: 'Run Query' }).click();
  await page.getByText('“many” is not a number.').first().waitFor();
  expect(requests()).toBe(before);
  await page.getByRole('button', { name: 'Remove filter 1' }).click();

  await page.getByRole('button', { name: 'Remove orders.count' }).click();
  await page.getByRole('button', { name: 'Remove orders.status' }).click();
  await page.getByRole('searchbox', { name: 'Find members' }).fill('readings');
  await page.getByRole('button', { name: 'measure absent' }).click();
  await page.getByRole('button', { name: 'Run Query' }).click();
  await page
    .getByText(/does not have a column named "no_such_column"/)
    .first()
    .waitFor();
}

/** A server that stopped is named, with what to do; once it runs again, so do queries. */
async function returnAfterStop(workbench: Stage['workbench'], start: () => Promise<JsonServer>): Promise<void> {
  const page = await playground(workbench);
  await page.getByRole('button', { name: 'Run Query' }).click();
  await page
    .getByText(/localhost:4000.*(?:cannot be reached|refused)/i)
    .first()
    .waitFor();
  await workbench.picture('stopped');
  const server = await start();
  try {
    await page.getByRole('button', { name: 'Remove readings.absent' }).click();
    await page.getByRole('button', { name: 'Rows', exact: true }).click();
    await seeRows(page);
    await workbench.picture('back');
  } finally {
    await server.close();
  }
}

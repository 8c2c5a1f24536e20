import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createMcpServer } from '#cli/mcp/server.ts';
import { portsOf } from '#cli/ports.ts';
import { type LinkedProject, linkProject } from '#support/linked-project.ts';
import { tools } from '#tools/tools.ts';

type Fetch = typeof globalThis.fetch;

/** Connects a client to a server for a project, whose requests go to `fetch`. */
async function connected({ folder, environment }: LinkedProject, fetch: Fetch = environment.fetch ?? globalThis.fetch) {
  const ports = portsOf(folder, { ...environment, fetch }, 'refuse');
  const server = createMcpServer({ tools, pages: [], ports, version: '1' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'agent', version: '1' });
  await Promise.all([server.connect(far), client.connect(near)]);
  onTestFinished(async () => client.close());
  return client;
}

/** The input of each tool that asks the platform. */
const inputs: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  diff: { branch: 'main' },
  impact: { name: 'orders.count', workspace: true },
  query: { query: '{"measures":["orders.count"]}' },
  sql: { query: '{"measures":["orders.count"]}' },
  write: { path: 'model/cubes/new.yml', content: 'cubes: []', push: true },
  push: { yes: true },
  pull: { yes: true },
  commit: { message: 'x', yes: true },
  merge: { branch: 'returns-model', yes: true },
  deploy: { yes: true },
};

describe('a call', () => {
  it.each(['cancels it', 'disconnects'] as const)(
    'ends its request to the platform where its agent %s, and changes nothing',
    async (stopping) => {
      const project = await linkProject();
      await project.run('pull', '--yes');
      project.write('queries/a.query.yml', 'query: {measures: [orders.count]}\ntests: [{name: a, rowCount: 1}]\n');
      const open = new Set<object>();
      let asked: () => void = () => undefined;
      const silent: Fetch = async (input, init) => {
        const request = new Request(input, init);
        open.add(request);
        asked();
        return new Promise((_, reject) => {
          request.signal.addEventListener('abort', () => {
            open.delete(request);
            reject(new DOMException('Aborted', 'AbortError'));
          });
        });
      };
      let client = await connected(project, silent);
      const asking = tools.filter(({ reach, name }) => reach === 'platform' || name in inputs);
      for (const { name } of asking) {
        const isAsked = new Promise<void>((resolve) => (asked = resolve));
        const stop = new AbortController();
        const answer = client.callTool({ name, arguments: inputs[name] ?? {} }, { signal: stop.signal });
        const ended = answer.then(
          ({ content }) => `answered: ${JSON.stringify(content)}`,
          () => 'cancelled',
        );
        expect([name, await Promise.race([isAsked.then(() => 'asked'), ended])]).toEqual([name, 'asked']);
        if (stopping === 'cancels it') stop.abort();
        else {
          await client.close();
          client = await connected(project, silent);
        }
        expect([name, await ended]).toEqual([name, 'cancelled']);
        await expect.poll(() => [name, open.size]).toEqual([name, 0]);
      }
      expect(asking.length).toBeGreaterThan(14);
      expect(project.read('model/cubes/new.yml')).toBeUndefined();
      // The server still answers.
      expect(await client.callTool({ name: 'search', arguments: { query: 'orders' } })).not.toMatchObject({
        isError: true,
      });
    },
  );
});

describe('several agents on one folder', () => {
  it('see what the others write and which files there are, and never lose a change', async () => {
    const project = await linkProject();
    project.write('model/a.yml', 'cubes: [{name: a, sql_table: t}]\n');
    const [one, other] = [await connected(project), await connected(project)];
    const write = async (client: Client, name: string): Promise<unknown> =>
      (
        await client.callTool({
          name: 'write',
          arguments: { path: `model/${name}.yml`, content: `cubes: [{name: ${name}, sql_table: t}]\n` },
        })
      ).isError ?? false;
    const names = Array.from({ length: 6 }, (_, at) => `cube_${at}`);
    expect(await Promise.all(names.map(async (name, at) => write(at % 2 === 0 ? one : other, name)))).toEqual(
      names.map(() => false),
    );
    for (const client of [one, other]) {
      const { resources } = await client.listResources();
      expect(resources.map(({ name }) => name)).toEqual(['a', ...names].map((name) => `model/${name}.yml`));
    }
    const replaced = await Promise.all(
      [one, other].map(async (client, at) =>
        client.callTool({
          name: 'write',
          arguments: { path: 'model/a.yml', find: 'sql_table: t', replace: `sql_table: t${at}` },
        }),
      ),
    );
    const done = replaced.filter(({ isError }) => isError !== true);
    expect(done).toHaveLength(1);
    const refusal = replaced.find(({ isError }) => isError === true)?.content;
    expect(JSON.stringify(refusal)).toMatch(/was changed by someone else|is in the file nowhere/);
  });
});

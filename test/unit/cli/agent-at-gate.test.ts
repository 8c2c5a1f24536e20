import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { portsOf } from '#cli/ports.ts';
import { createMcpServer } from '#cli/mcp/server.ts';
import { demo } from '#platform/seed/names.ts';
import { type LinkedProject, linkProject } from '#support/linked-project.ts';
import { diagnosticPages } from '#tools/check/diagnostic-pages.ts';
import { tools } from '#tools/tools.ts';
import { realEngine } from '#support/real-engine.ts';

describe('an agent with credentials', () => {
  let project: LinkedProject;
  let client: Client;

  beforeEach(async () => {
    project = await linkProject({ engine: realEngine() });
    const ports = portsOf(project.folder, project.environment, 'refuse');
    const server = createMcpServer({ tools, pages: diagnosticPages(), ports, version: '1.2.3' });
    const [near, far] = InMemoryTransport.createLinkedPair();
    client = new Client({ name: 'agent', version: '1' });
    await Promise.all([server.connect(far), client.connect(near)]);
  });
  afterEach(() => client.close());

  async function call(name: string, input: Readonly<Record<string, unknown>> = {}): Promise<Record<string, unknown>> {
    const { structuredContent, isError, content } = await client.callTool({ name, arguments: input });
    if (isError === true) throw new Error(JSON.stringify(content));
    return structuredContent as Record<string, unknown>;
  }

  it('adds a measure, mends it, queries it, sees its reach, and is refused before production', async () => {
    await call('pull', { yes: true });
    const { matches } = (await call('search', { query: 'orders.count' })) as {
      readonly matches: readonly { readonly path: string; readonly name: string }[];
    };
    const path = matches.find(({ name }) => name === 'orders.count')?.path ?? '';
    const measure = (type: string): string =>
      `\n    measures:\n      - name: double_count\n        type: ${type}\n        sql: "{count} * 2"\n`;
    const original = project.read(path);
    const wrong = await call('write', { path, find: '\n    measures:\n', replace: measure('numbr'), push: true });
    expect(wrong).toMatchObject({
      passed: false,
      problems: [{ path, severity: 'error' }],
      pushed: 'withheld',
    });
    const fixed = await call('write', { path, find: 'numbr', replace: 'number', push: true });
    expect(fixed).toMatchObject({ passed: true, problems: [], pushed: 'done' });
    expect(await project.remote(path)).toContain('double_count');

    const query = JSON.stringify({ measures: ['orders.count', 'orders.double_count'] });
    await project.platform.control.buildSettled(demo.shop, project.branch);
    const { rows } = (await call('query', { query, branch: project.branch })) as {
      readonly rows: readonly Record<string, unknown>[];
    };
    expect(Number(rows[0]?.['orders.double_count'])).toBe(2 * Number(rows[0]?.['orders.count']));
    expect(await call('impact', { name: 'orders.count' })).toMatchObject({
      dependents: expect.arrayContaining([expect.objectContaining({ name: 'orders.double_count' })]) as unknown,
    });

    const head = await project.platform.control.git(demo.shop, 'rev-parse', 'main');
    const planned = await call('commit', { message: 'Add a measure' });
    expect(planned).toMatchObject({ status: 'planned', reachesProduction: true });
    for (const more of [{}, { yesProduction: planned['confirm'] }, { confirm: planned['confirm'] }]) {
      const refused = await client.callTool({
        name: 'commit',
        arguments: { message: 'Add a measure', yes: true, ...more },
      });
      expect(refused.isError).toBe(true);
      // The tool has no input that could confirm it, and says so.
      const why = Object.keys(more).length === 0 ? 'Only the user can do this' : 'has no input';
      expect(JSON.stringify(refused.content)).toContain(why);
    }
    expect(await project.platform.control.git(demo.shop, 'rev-parse', 'main')).toBe(head);

    expect(await call('undo', { token: fixed['undo'] })).toEqual({ path });
    expect(await call('undo', { token: wrong['undo'] })).toEqual({ path });
    expect(project.read(path)).toBe(original);
  });
});

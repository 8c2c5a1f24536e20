import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gitRevision } from '#cli/git-revision.ts';
import { createMcpServer } from '#cli/mcp/server.ts';
import { modelFolder } from '#cli/model-folder.ts';
import { filesIn } from '#support/language/raw.ts';
import { SHOP } from '#support/language/shop.ts';
import { noCompiler, noEdits, noPlatform, noSync } from '#support/tool-run.ts';
import { diagnosticPages } from '#tools/check/diagnostic-pages.ts';
import { tools } from '#tools/tools.ts';

describe('an agent that adds a measure', () => {
  let folder: string;
  let client: Client;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'modelbench-agent-'));
    for (const [path, text] of filesIn(SHOP)) {
      mkdirSync(dirname(join(folder, 'model', path)), { recursive: true });
      writeFileSync(join(folder, 'model', path), text);
    }
    const ports = {
      model: modelFolder(folder, folder),
      revision: gitRevision(folder, folder),
      platform: noPlatform,
      compile: noCompiler,
      sync: noSync,
      ...noEdits,
    };
    const server = createMcpServer({ tools, pages: diagnosticPages(), ports, version: '1.2.3' });
    const [near, far] = InMemoryTransport.createLinkedPair();
    client = new Client({ name: 'agent', version: '1' });
    await Promise.all([server.connect(far), client.connect(near)]);
  });
  afterEach(async () => {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function call(name: string, input: Readonly<Record<string, unknown>>): Promise<unknown> {
    return (await client.callTool({ name, arguments: input })).structuredContent;
  }

  it('finds where it belongs, learns of its mistake, mends it and sees what it reaches', async () => {
    const found = (await call('search', { query: 'orders.total' })) as {
      readonly matches: readonly { readonly path: string }[];
    };
    const file = join(folder, found.matches[0]?.path ?? '');
    const before = readFileSync(file, 'utf8');
    const added = (sql: string): string =>
      before.replace(
        '    pre_aggregations:',
        `      - name: doubled\n        sql: "${sql}"\n        type: number\n    pre_aggregations:`,
      );

    writeFileSync(file, added('{totl} * 2'));
    const wrong = (await call('check', {})) as { readonly problems: readonly { readonly code: string }[] };
    expect(wrong).toMatchObject({ passed: false, problems: [{ path: 'model/cubes/orders.yml', severity: 'error' }] });
    const uri = `modelbench-diagnostic:///${wrong.problems[0]?.code ?? ''}`;
    expect((await client.readResource({ uri })).contents).toHaveLength(1);

    writeFileSync(file, added('{total} * 2'));
    expect(await call('check', {})).toMatchObject({ passed: true, problems: [] });
    expect(await call('impact', { name: 'orders.total' })).toMatchObject({
      dependents: expect.arrayContaining([
        expect.objectContaining({ name: 'orders.doubled', direct: true }),
      ]) as unknown,
    });
  });

  it('learns from each tool whether it can change something', async () => {
    const { tools: offered } = await client.listTools();
    const changing = offered.filter(({ annotations }) => annotations?.readOnlyHint !== true);
    expect(changing.map(({ name }) => name)).toEqual(
      tools.filter(({ risk }) => risk !== 'read').map(({ name }) => name),
    );
  });
});

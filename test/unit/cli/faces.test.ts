import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { onTestFinished, beforeEach, describe, expect, it } from 'vitest';
import { createMcpServer } from '#cli/mcp/server.ts';
import { optionsOf } from '#cli/options.ts';
import { portsOf } from '#cli/ports.ts';
import { demo } from '#platform/seed/names.ts';
import { yaml } from '#support/language/raw.ts';
import { type LinkedProject, linkProject } from '#support/linked-project.ts';
import type { Tool } from '#tools/tool.ts';
import { tools } from '#tools/tools.ts';

const path = 'model/cubes/returns.yml';
const returns = yaml`
  cubes:
    - name: returns
      sql_table: returns
      measures:
        - {name: count, type: count}
`;

type Input = Readonly<Record<string, string | number | boolean>>;

/** A call of each tool; without an entry, it has no input. */
const inputs: Readonly<Record<string, Input>> = {
  check: { severity: 'hint', limit: 5 },
  search: { query: 'returns' },
  read: { name: 'returns.count' },
  graph: { of: 'returns.count' },
  diff: { branch: 'main', strict: true },
  impact: { name: 'returns.count', workspace: true },
  validate: { branch: 'main' },
  query: { query: '{"measures":["orders.count"]}', limit: 1 },
  sql: { query: '{"measures":["orders.count"]}' },
  logs: { limit: 3, since: '2020-01-01T00:00:00Z' },
  write: { path: 'model/../x.yml', content: '' },
  undo: { token: 'nothing' },
  commit: { message: 'Add returns', yes: true },
  merge: { branch: demo.sharedBranch },
};

describe('the same call of a tool', () => {
  let project: LinkedProject;
  let client: Client;
  beforeEach(async () => {
    project = await linkProject();
    await project.run('pull', '--yes');
    project.write(path, returns);
    await project.run('push', '--yes');
    project.write('model/cubes/later.yml', returns.replaceAll('returns', 'later'));
    // A build that ends between two calls would give them different answers.
    for (const branch of ['main', demo.sharedBranch, demo.stagedBranch, project.branch])
      await project.platform.control.buildSettled(demo.shop, branch);
    const server = createMcpServer({
      tools,
      pages: [],
      ports: portsOf(project.folder, project.environment, 'refuse'),
      version: '1',
    });
    const [near, far] = InMemoryTransport.createLinkedPair();
    client = new Client({ name: 'agent', version: '1' });
    await Promise.all([server.connect(far), client.connect(near)]);
    onTestFinished(async () => client.close());
  });

  /** The arguments of the command line for an input. */
  function argumentsFor(tool: Tool, input: Input): readonly string[] {
    const positional = tool.positional.flatMap((name) => (input[name] === undefined ? [] : [String(input[name])]));
    const options = optionsOf(tool).flatMap((option) => {
      const value = input[option.attributeName()];
      return value === undefined ? [] : value === true ? [option.long ?? ''] : [option.long ?? '', String(value)];
    });
    return [tool.name, ...positional, ...options];
  }

  it('has the same answer on the command line and for agents, whatever the tool', async () => {
    const answers: Record<string, { readonly commandLine: unknown; readonly agent: unknown }> = {};
    for (const tool of tools) {
      const input = inputs[tool.name] ?? {};
      const args = argumentsFor(tool, input);
      const [json, text] = [await project.run(...args, '--format', 'json'), await project.run(...args)];
      const { structuredContent, content, isError } = await client.callTool({ name: tool.name, arguments: input });
      const [{ text: shown } = { text: '' }] = content as readonly { readonly text: string }[];
      const why = /^modelbench: ([\s\S]*)\n$/.exec(json.err)?.[1] ?? '';
      answers[tool.name] =
        isError === true
          ? { commandLine: [json.out, withoutWhoConfirms(why)], agent: ['', withoutWhoConfirms(shown)] }
          : { commandLine: [JSON.parse(json.out), text.out, json.err], agent: [structuredContent, `${shown}\n`, ''] };
    }
    expect(Object.keys(answers)).toHaveLength(tools.length);
    for (const { commandLine, agent } of Object.values(answers)) expect(agent).toEqual(commandLine);
    // One that reaches production is refused to both.
    expect(answers['commit']?.agent).toEqual(['', 'The user has to confirm it.']);
  });
});

/** Who has to confirm is the one difference: the user of the command line types it there, an agent asks its user. */
function withoutWhoConfirms(text: string): string {
  return text.includes('--yes-production') ? 'The user has to confirm it.' : text;
}

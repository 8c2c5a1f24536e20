import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMcpServer } from '#cli/mcp/server.ts';
import { optionsOf } from '#cli/options.ts';
import { portsOf } from '#cli/ports.ts';
import { runCommandLine } from '#cli/run.ts';
import { places } from '#support/cli-places.ts';
import { noConfirmation } from '#support/tool-run.ts';
import type { Tool } from '#tools/tool.ts';
import { tools } from '#tools/tools.ts';

/** Values of every type that JSON has, with what an answer calls them. */
const values: readonly (readonly [given: unknown, called: string])[] = [
  ['x', 'the text “x”'],
  [5.5, 'the number 5.5'],
  [true, 'true'],
  [null, 'null'],
  [['x'], 'a list'],
  [{ x: 1 }, 'an object'],
];

const expected = {
  text: /^a (?:text|text that is not empty|moment), such as “.+”$/,
  number: /^a whole number from 1 (?:on|to \d+), such as \d+$/,
  boolean: /^true or false$/,
  choice: /^one of \w+(?:, \w+)+$/,
} as const;

interface Input {
  readonly tool: Tool;
  readonly name: string;
  readonly kind: keyof typeof expected;
  readonly isRequired: boolean;
}

/** Every input of every tool. */
const inputs = tools.flatMap((tool) =>
  Object.entries(tool.input.entries).map(([name, schema]): Input => {
    const { type } = 'wrapped' in schema ? (schema.wrapped as { readonly type: string }) : schema;
    const kind = type === 'picklist' ? 'choice' : type === 'string' ? 'text' : (type as 'number' | 'boolean');
    return { tool, name, kind, isRequired: schema.type !== 'optional' };
  }),
);

describe('an input of a wrong type', () => {
  let folder: string;
  let client: Client;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'modelbench-inputs-'));
    mkdirSync(join(folder, 'model'));
    writeFileSync(join(folder, 'model/a.yml'), 'cubes: [{name: a, sql_table: t}]\n');
    const ports = portsOf(folder, { ...places(folder), folder, variables: {} }, 'refuse');
    const server = createMcpServer({ tools, pages: [], ports, version: '1' });
    const [near, far] = InMemoryTransport.createLinkedPair();
    client = new Client({ name: 'agent', version: '1' });
    await Promise.all([server.connect(far), client.connect(near)]);
  });
  afterAll(async () => {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What an agent of the protocol reads. */
  async function toAgent(tool: Tool, input: Record<string, unknown>): Promise<string> {
    const { content, isError } = await client.callTool({ name: tool.name, arguments: input });
    expect(isError).toBe(true);
    return (content as readonly { readonly text: string }[])[0]?.text ?? '';
  }

  /** What an agent of the editor reads: it runs the tool itself. */
  async function toEditor(tool: Tool, input: unknown): Promise<string> {
    const ports = portsOf(folder, { ...places(folder), folder, variables: {} }, 'refuse');
    const context = { signal: new AbortController().signal, progress: () => undefined, confirm: noConfirmation };
    return tool.run(ports, input, context).then(
      () => 'no error',
      (error: unknown) => (error as Error).message,
    );
  }

  async function inTerminal(...args: readonly string[]): Promise<string> {
    let err = '';
    const code = await runCommandLine(args, {
      ...{ ...places(folder), folder, isInteractive: false, variables: {} },
      signal: new AbortController().signal,
      stdout: () => undefined,
      stderr: (text) => (err += text),
    });
    expect(code).toBe(2);
    return /^modelbench: (.*)\n/.exec(err)?.[1] ?? err;
  }

  /** An input of a tool in which everything else is right. */
  function withRest(tool: Tool, name: string, value: unknown): Record<string, unknown> {
    const required = inputs.filter((each) => each.tool === tool && each.isRequired && each.name !== name);
    return Object.fromEntries([...required.map((each) => [each.name, 'x'] as const), [name, value]]);
  }

  it('is refused by every tool with what was given and what is expected, the same for every agent', async () => {
    let count = 0;
    for (const { tool, name, kind } of inputs)
      for (const [given, called] of values) {
        if (kind === 'text' ? typeof given === 'string' : typeof given === kind && kind !== 'number') continue;
        const message = await toEditor(tool, withRest(tool, name, given));
        const [, asked = message, what] = new RegExp(`^“${name}” must be (.*?), not (.*)\\.$`).exec(message) ?? [];
        expect(asked, `${tool.name} ${name}`).toMatch(expected[kind]);
        expect(what, `${tool.name} ${name}`).toBe(called);
        expect(await toAgent(tool, withRest(tool, name, given))).toBe(message);
        count += 1;
      }
    expect(count).toBeGreaterThan(300);
  });

  it('is refused in the same words on the command line', async () => {
    let count = 0;
    for (const { tool, name, kind } of inputs) {
      if (kind !== 'number' && kind !== 'choice') continue;
      const option = optionsOf(tool).find((each) => each.attributeName() === name);
      const rest = tool.positional.filter((each) =>
        inputs.some((other) => other.tool === tool && other.name === each && other.isRequired),
      );
      const message = await inTerminal(tool.name, ...rest.map(() => 'x'), option?.long ?? '', 'x');
      expect(message).toBe(await toEditor(tool, withRest(tool, name, 'x')));
      count += 1;
    }
    expect(count).toBeGreaterThan(8);
  });

  it('that is missing is named with what it must be, the same everywhere', async () => {
    for (const { tool, name } of inputs.filter(({ isRequired }) => isRequired)) {
      const message = await toEditor(tool, {});
      expect(message).toMatch(
        new RegExp(`^“${name}” is missing: it must be a text(?: that is not empty)?, such as “.+”\\.$`),
      );
      expect(await toAgent(tool, {})).toBe(message);
      expect(await inTerminal(tool.name)).toBe(message);
    }
  });

  it('is refused where the whole input is not an object', async () => {
    for (const tool of tools)
      for (const [given, called] of values.filter(([, each]) => each !== 'an object'))
        expect(await toEditor(tool, given)).toBe(`The input of “${tool.name}” must be an object, not ${called}.`);
  });

  it.each([
    [
      'check',
      { severity: 'eror' },
      '“severity” must be one of error, warning, information, hint, not the text “eror”. Did you mean “error”?',
    ],
    ['check', { limit: 0 }, '“limit” must be a whole number from 1 on, such as 1000, not the number 0.'],
    [
      'query',
      { query: '{}', limit: 10001 },
      '“limit” must be a whole number from 1 to 10000, such as 100, not the number 10001.',
    ],
    [
      'search',
      { query: 'x', limit: Number.NaN },
      '“limit” must be a whole number from 1 on, such as 50, not the number NaN.',
    ],
    [
      'logs',
      { since: 'yesterday' },
      '“since” must be a moment, such as “2026-01-31T12:00:00Z”, not the text “yesterday”.',
    ],
    [
      'commit',
      { message: ' ' },
      '“message” must be a text that is not empty, such as “Add refunds”, not the text “ ”.',
    ],
    [
      'write',
      { path: '', content: '' },
      '“path” must be a text that is not empty, such as “model/orders.yml”, not the text “”.',
    ],
    [
      'read',
      { name: `x\n::error::y${'z'.repeat(100)}`, limit: [] },
      '“limit” must be a whole number from 1 on, such as 100, not a list.',
    ],
    [
      'check',
      { severity: `x\n::error::${'z'.repeat(100)}` },
      `“severity” must be one of error, warning, information, hint, not the text “x ::error::${'z'.repeat(48)}…”.`,
    ],
  ] as const)('of %s is refused with exactly what is wrong, here %j', async (name, input, message) => {
    const tool = tools.find((each) => each.name === name);
    expect(tool && (await toEditor(tool, input))).toBe(message);
  });
});

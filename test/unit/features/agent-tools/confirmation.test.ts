import { describe, expect, it } from 'vitest';
import { confirmationOf } from '#features/agent-tools/confirmation.ts';
import type { Tool } from '#tools/tool.ts';
import { tools } from '#tools/tools.ts';

const named = (name: string): Tool => {
  const found = tools.find((tool) => tool.name === name);
  if (!found) throw new Error(`There is no tool ${name}.`);
  return found;
};
const effect = (name: string, input: Readonly<Record<string, unknown>> = {}): string | undefined =>
  confirmationOf(named(name), input)?.lines[0];

describe('the question before an agent runs a tool', () => {
  it('is left out for every tool that only reads the folder, and for no other', () => {
    const silent = tools.filter(({ name }) => effect(name) === undefined).map(({ name }) => name);
    expect(silent).toEqual(
      tools.filter(({ risk, reach }) => risk === 'read' && reach === 'folder').map(({ name }) => name),
    );
  });

  it('is asked where a tool of the folder asks the platform as well', () => {
    expect(effect('impact', { workspace: true })).toMatch(/what the platform answers/);
    expect(effect('diff', { branch: 'main' })).toMatch(/what the platform answers/);
    expect(effect('diff', { base: 'main', workspace: false })).toBeUndefined();
  });

  it('says by the risk what the tool may change', () => {
    expect(effect('query')).toMatch(/Nothing is changed/);
    expect(effect('write')).toMatch(/changes a file of the data model in your folder/);
    expect(effect('write', { push: true })).toMatch(/or of your dev branch/);
    expect(effect('push', { yes: true })).toMatch(/or of your dev branch/);
    expect(effect('commit', { yes: true })).toMatch(/production may be built from.*confirm it again/);
  });

  it('says that nothing is changed where a tool only shows its plan', () => {
    for (const name of ['push', 'pull', 'commit', 'merge', 'deploy']) {
      expect(effect(name, { yes: false })).toMatch(/Nothing is changed/);
      expect(effect(name, { yes: true })).not.toMatch(/Nothing is changed/);
    }
  });

  it('lists what the agent gives to the tool', () => {
    const asked = confirmationOf(named('commit'), { message: 'Add refunds', yes: true });
    expect(asked).toMatchObject({
      title: 'Commit Dev Branch',
      lines: [expect.anything(), 'message: Add refunds', 'yes: true'],
    });
  });

  it('hides no value behind another, and lets no text imitate one, in whatever order an agent gives them', () => {
    for (const end of ['\n', '\r\n', '\r', '\u2028', '\u2029', '\u0085', '\f', '\u000B']) {
      const content = `x${end}path: model/harmless.yml${end}${'y'.repeat(30_000)}`;
      const { lines } = confirmationOf(named('write'), {
        [`z${end}push: false`]: 1,
        content,
        push: true,
        path: 'model/orders.yml',
      }) ?? { lines: [] };
      expect(lines.slice(1, 4)).toEqual(['path: model/orders.yml', 'push: true', 'z push: false: 1']);
      expect(lines.slice(4, 6)).toEqual(['content: x', '> path: model/harmless.yml']);
      expect(lines.at(-1)).toBe(`> (cut off: ${content.length} characters)`);
      expect(lines.join('\n').length).toBeLessThan(2_000);
    }
  });
});

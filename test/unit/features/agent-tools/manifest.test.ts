import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tools } from '#tools/tools.ts';
import { contributedTools, type ContributedTool, toolTexts } from '../../../tools/agent-tools.ts';
import { root } from '../../../tools/run.ts';

const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));

describe('the tools that package.json offers to agents', () => {
  const { contributes } = read('package.json') as {
    readonly contributes: { readonly languageModelTools: readonly ContributedTool[] };
  };

  it('are those of the command line and of the protocol, and asking the platform’s agent', () => {
    expect(contributes.languageModelTools.map(({ name }) => name)).toEqual([
      'modelbench_ask',
      ...tools.map(({ name }) => `modelbench_${name}`),
    ]);
  });

  it('have the names, schemas and descriptions of their definitions', () => {
    expect(contributes.languageModelTools.slice(1)).toEqual(contributedTools());
  });

  it('have texts for users that are made of their definitions', () => {
    expect(read('package.nls.json')).toMatchObject(toolTexts());
  });

  it('have an icon each', () => {
    expect(contributedTools().filter(({ icon }) => icon === '$(tools)')).toEqual([]);
  });
});

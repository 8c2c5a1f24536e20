// npm run tools: generates the entries of the agents' tools in package.json and package.nls.json from the tools' definitions.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import type { Tool } from '#tools/tool.ts';
import { tools } from '#tools/tools.ts';
import { root } from './run.ts';

/** A tool as `package.json` contributes it. */
export interface ContributedTool {
  readonly name: string;
  readonly [key: string]: unknown;
}

/** Asks the agent of the platform; only the chat provides it. */
const ofTheChat = 'modelbench_ask';

const icons: Readonly<Record<string, string>> = {
  check: 'checklist',
  search: 'search',
  read: 'book',
  graph: 'type-hierarchy',
  diff: 'diff',
  impact: 'references',
  status: 'info',
  branches: 'git-branch',
  builds: 'package',
  validate: 'pass',
  query: 'table',
  sql: 'database',
  test: 'beaker',
  logs: 'output',
  write: 'edit',
  undo: 'discard',
  restore: 'history',
  plan: 'list-tree',
  push: 'cloud-upload',
  pull: 'cloud-download',
  commit: 'git-commit',
  merge: 'git-merge',
  resolve: 'merge',
  deploy: 'rocket',
};

/** Returns each tool as `package.json` contributes it. */
export function contributedTools(): readonly ContributedTool[] {
  return tools.map(({ name, description, input }) => {
    const key = `modelbench_${name}`;
    const { $schema: _, ...inputSchema } = toJsonSchema(v.strictObject(input.entries), { typeMode: 'input' });
    return {
      name: key,
      displayName: `%tool.${key}%`,
      toolReferenceName: `modelbench${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      canBeReferencedInPrompt: true,
      icon: `$(${icons[name] ?? 'tools'})`,
      userDescription: `%tool.${key}.description%`,
      modelDescription: description,
      inputSchema,
      tags: ['data model', 'semantic layer'],
    };
  });
}

/** Returns the user-visible texts of each tool, as in `package.nls.json`. */
export function toolTexts(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    tools.flatMap(({ name, title, description }: Tool) => [
      [`tool.modelbench_${name}`, title],
      [`tool.modelbench_${name}.description`, /^.*?\.(?= |$)/s.exec(description)?.[0] ?? description],
    ]),
  );
}

if (import.meta.main) {
  const manifestPath = join(root, 'package.json');
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as {
    readonly contributes: { languageModelTools: readonly ContributedTool[] };
  };
  const own = manifest.contributes.languageModelTools.filter(({ name }) => name === ofTheChat);
  manifest.contributes.languageModelTools = [...own, ...contributedTools()];
  writeFileSync(manifestPath, `${JSON.stringify(manifest, undefined, 2)}\n`);
  const textsPath = join(root, 'package.nls.json');
  const texts = Object.entries(JSON.parse(readFileSync(textsPath, 'utf8')) as Readonly<Record<string, string>>);
  const kept = texts.filter(([key]) => !key.startsWith('tool.') || key.startsWith(`tool.${ofTheChat}`));
  writeFileSync(textsPath, `${JSON.stringify({ ...Object.fromEntries(kept), ...toolTexts() }, undefined, 2)}\n`);
}

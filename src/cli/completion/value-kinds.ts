import type { Tool } from '#tools/tool.ts';

/**
 * What a value of an input is, so that shells can complete it: a name of the model, a model or query file as the model lists it, a
 * Git revision, a branch or deployment of the platform, a container with a log, or free text.
 */
export type ValueKind =
  | 'name'
  | 'modelFile'
  | 'queryFile'
  | 'revision'
  | 'branch'
  | 'deployment'
  | 'container'
  | 'text';

/** Inputs that are the same in every tool that has them. */
const usual: Readonly<Record<string, ValueKind>> = {
  base: 'revision',
  branch: 'branch',
  container: 'container',
  deployment: 'deployment',
  name: 'name',
  of: 'name',
  path: 'modelFile',
};

const special: Readonly<Record<string, ValueKind>> = {
  'check.since': 'revision',
  'diff.of': 'branch',
  'search.query': 'name',
  'test.path': 'queryFile',
};

/** Returns what a value of a tool's input is. */
export function valueKindOf({ name }: Pick<Tool, 'name'>, input: string): ValueKind {
  return special[`${name}.${input}`] ?? usual[input] ?? 'text';
}

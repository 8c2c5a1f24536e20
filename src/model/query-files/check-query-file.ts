import { append } from '#base/long-lists.ts';
import type { Problem } from '../codes.ts';
import { codes } from '../codes.ts';
import type { Found } from '../checks/check.ts';
import { ignores } from '../ignores.ts';
import type { ModelIndex } from '../index.ts';
import { nearestName } from '../suggest.ts';
import { type MapNode, type ScalarNode, scalarType, type TreeNode } from '../syntax/tree.ts';
import type { QueryFile } from './query-file.ts';
import { nameProblem } from './query-members.ts';
import { itemTypeOf, alternativesOf, queryShapes, type QueryShapeName, type QueryType, valueTypeOf } from './shapes.ts';

/**
 * Returns all problems of a query file, except those that a comment switches off (docs/query-files.md#checks). Without a model,
 * names are not checked. `isInModel`: the file is in the folder of the model, so the platform reads it as well.
 */
export function queryProblems(file: QueryFile, index: ModelIndex | undefined, isInModel = false): readonly Found[] {
  const own: Problem[] = [];
  const [first] = file.node?.kind === 'map' ? file.node.pairs : [];
  if (isInModel && first) own.push(at(first.key, 'query-in-model', inModel));
  if (file.node) checkType(file.node, { is: 'map', shape: 'file' }, own);
  if (index) append(own, nameProblems(file, index));
  const ignored = ignores(file.text);
  return [...file.problems, ...own]
    .map((problem) => ({ problem, severity: codes[problem.code].severity, start: problem.start, end: problem.end }))
    .filter(({ problem, start }) => !ignored(problem.code, start))
    .sort((a, b) => a.start - b.start);
}

const inModel =
  'The platform reads this file as a part of the model, and its build fails at the keys of a query. Move it out of the model folder, into the folder “queries” beside it.';

function nameProblems({ references }: QueryFile, index: ModelIndex): readonly Problem[] {
  return references.flatMap(({ name, start, kinds, isColumn }) => {
    const message = nameProblem(name, kinds, isColumn, index);
    return message === undefined ? [] : [{ code: 'unknown-reference', start, end: start + name.length, message }];
  });
}

function checkType(node: TreeNode, type: QueryType, problems: Problem[]): void {
  const options = alternativesOf(type);
  if (node.kind === 'opaque' || options.some(({ is }) => is === 'any')) return;
  const fitting = options.filter((option) => fits(node, option));
  if (fitting.length === 0) problems.push(unfitting(node, options));
  else if (node.kind === 'seq') {
    const of = itemTypeOf(type);
    for (const item of node.items) if (of && item) checkType(item, of, problems);
  } else if (node.kind === 'map') checkMap(node, fitting, problems);
}

function fits(node: TreeNode, type: QueryType): boolean {
  if (node.kind === 'seq') return type.is === 'list';
  if (node.kind === 'map') return type.is === 'map' || type.is === 'byMember';
  if (node.kind === 'opaque') return true;
  switch (type.is) {
    case 'number':
    case 'boolean':
      return scalarType(node) === type.is;
    case 'choice':
      return type.isOpen === true ? node.value !== '' : type.choices.includes(node.value);
    case 'text':
    case 'member':
      return scalarType(node) !== 'null';
    default:
      return false;
  }
}

function unfitting(node: TreeNode, options: readonly QueryType[]): Problem {
  const { start, end } = node;
  if (node.kind === 'scalar' && scalarType(node) === 'null')
    return { code: 'null-value', start, end, message: `Write ${listed(options)} here, or remove the key.` };
  const choices = options.find((option) => option.is === 'choice')?.choices;
  if (node.kind !== 'scalar' || !choices)
    return { code: 'wrong-type', start, end, message: `This must be ${listed(options)}.` };
  const meant = nearestName(node.value, choices);
  const hint = meant === undefined ? `one of ${choices.join(', ')}` : `“${meant}”`;
  return { code: 'bad-value', start, end, message: `“${node.value}” is not possible here. Write ${hint}.` };
}

function listed(options: readonly QueryType[]): string {
  const labels: Readonly<Record<QueryType['is'], string>> = {
    text: 'a text',
    number: 'a number',
    boolean: 'true or false',
    any: 'a value',
    choice: 'a word',
    member: 'a member',
    list: 'a list',
    map: 'keys with values',
    byMember: 'members with values',
    either: 'a value',
  };
  return [...new Set(options.map(({ is }) => labels[is]))].join(' or ');
}

function checkMap(node: MapNode, types: readonly QueryType[], problems: Problem[]): void {
  const seen = new Set<string>();
  for (const { key, value } of node.pairs) {
    if (seen.has(key.value)) problems.push(at(key, 'duplicate-key', `“${key.value}” is here twice. Remove one.`));
    seen.add(key.value);
    const type = types.map((each) => valueTypeOf(each, key.value)).find((each) => each !== undefined);
    if (type) checkValue(key, value, type, problems);
    else for (const each of types) if (each.is === 'map') problems.push(unknownKey(key, each.shape));
  }
  if (!node.open) for (const type of types) if (type.is === 'map') checkKeys(node, type.shape, seen, problems);
}

function checkValue(key: ScalarNode, value: TreeNode | undefined, type: QueryType, problems: Problem[]): void {
  const options = alternativesOf(type);
  if (value) checkType(value, type, problems);
  else if (!options.some(({ is }) => is === 'any')) {
    const message = `Write ${listed(options)} behind “${key.value}”, or remove the key.`;
    problems.push(at(key, 'null-value', message));
  }
}

function unknownKey(key: ScalarNode, shape: QueryShapeName): Problem {
  const { title, keys } = queryShapes[shape];
  const meant = nearestName(key.value, Object.keys(keys));
  const hint = meant === undefined ? `It has ${Object.keys(keys).join(', ')}.` : `Did you mean “${meant}”?`;
  return at(key, 'unknown-key', `${title} has no key “${key.value}”. ${hint}`);
}

function checkKeys(node: MapNode, shape: QueryShapeName, seen: ReadonlySet<string>, problems: Problem[]): void {
  const { title, keys, oneOf } = queryShapes[shape];
  const first = node.pairs[0]?.key ?? node;
  for (const [name, { required }] of Object.entries(keys)) {
    if (required && !seen.has(name)) problems.push(at(first, 'missing-key', `${title} needs the key “${name}”.`));
  }
  if (!oneOf) return;
  const there = node.pairs.filter(({ key }) => oneOf.includes(key.value));
  if (there.length === 0) problems.push(at(first, 'missing-key', `${title} needs one of ${oneOf.join(', ')}.`));
  for (const { key } of there.slice(1)) {
    const message = `${title} can have only one of ${oneOf.join(', ')}. Remove “${key.value}”, or put it into another one.`;
    problems.push(at(key, 'exclusive-keys', message));
  }
}

function at({ start, end }: Pick<TreeNode, 'start' | 'end'>, code: Problem['code'], message: string): Problem {
  return { code, start, end, message };
}

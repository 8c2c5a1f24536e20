import { append } from '#base/long-lists.ts';
import type { Found } from '../checks/check.ts';
import type { Problem } from '../codes.ts';
import { ignores } from '../ignores.ts';
import { nearestName } from '../suggest.ts';
import { findPair, isDynamic, type MapNode, type ScalarNode, type TreeNode, textOf } from '../syntax/tree.ts';
import { type AgentFile, parseAgentFile } from './agent-file.ts';
import { agentShapes, type AgentShape, type AgentType } from './agent-shapes.ts';

/** The names of a model's views; `undefined` if not all of them are known. */
export type KnownViews = ReadonlySet<string> | undefined;

/** The information that a check has besides the files. */
export interface AgentKnowledge {
  readonly views: KnownViews;
  /** Whether these are all files of the folder, so that a name that none of them defines does not exist. */
  readonly isWhole: boolean;
}

/** The names that the files of `agents/` define, over all files. */
export interface AgentNames {
  readonly certifiedQueries: ReadonlySet<string>;
  readonly spaces: ReadonlySet<string>;
}

/**
 * Returns the problems of each file below `agents/` (path relative to it → text), as warnings: the platform judges these files,
 * not the compiler (docs/agents.md#checks). Only violations of the documented format are problems; unknown keys and files never
 * are. `read` parses a file, and may remember files of before.
 */
export function agentProblems(
  texts: ReadonlyMap<string, string>,
  { views, isWhole }: AgentKnowledge,
  read = parseAgentFile,
): ReadonlyMap<string, readonly Found[]> {
  const files = [...texts].map(([path, text]) => read(path, text));
  const names = isWhole ? agentNames(files) : undefined;
  const twice = repeatedNames(files);
  return new Map(
    files.map((file) => {
      const own = [...problemsIn(file, names, views), ...(twice.get(file.path) ?? [])];
      const ignored = ignores(texts.get(file.path) ?? '');
      const found = [...(file.shape ? file.problems : []), ...own].map((problem) => ({
        problem,
        severity: 'warning' as const,
        start: file.start + problem.start,
        end: file.start + problem.end,
      }));
      return [
        file.path,
        found.filter(({ problem, start }) => !ignored(problem.code, start)).sort((a, b) => a.start - b.start),
      ];
    }),
  );
}

/** Returns the names that other files can refer to. */
export function agentNames(files: readonly AgentFile[]): AgentNames {
  return {
    certifiedQueries: new Set(files.flatMap((file) => namesOf(file, 'certified_queries', 'certifiedQueryFile'))),
    spaces: new Set(['auto', ...files.flatMap(({ node }) => itemsOf(node, 'spaces').flatMap(nameOf))]),
  };
}

function problemsIn(file: AgentFile, names: AgentNames | undefined, views: KnownViews): readonly Problem[] {
  const { node, shape } = file;
  if (!shape) return [];
  const problems: Problem[] = [];
  const whole = node ?? { kind: 'map', start: 0, end: 0, flow: false, pairs: [], open: false };
  // An empty YAML file is fine.
  if (node || shape !== 'file') checkMap(whole, agentShapes[shape], { names, views, problems });
  append(problems, [...bodyProblems(file, whole), ...rules(file)]);
  return problems;
}

interface Checking {
  /** `undefined` if not all of them are known. */
  readonly names: AgentNames | undefined;
  readonly views: KnownViews;
  readonly problems: Problem[];
}

function checkMap(node: MapNode, { title, keys }: AgentShape, checking: Checking): void {
  const { problems } = checking;
  const missing = Object.entries(keys).filter(([name, { required }]) => required && !findPair(node, name));
  if (!node.open)
    for (const [name] of missing)
      problems.push({
        code: 'missing-key',
        start: node.start,
        end: Math.max(node.start, Math.min(node.end, node.pairs[0]?.key.end ?? node.end)),
        message: `${title}: “${name}” is missing.`,
      });
  for (const { key, value } of node.pairs) {
    const type = Object.hasOwn(keys, key.value) ? keys[key.value]?.type : undefined;
    if (type && value) checkValue(value, type, checking);
  }
}

function checkValue(node: TreeNode, type: AgentType, checking: Checking): void {
  if (node.kind === 'opaque' || type.is === 'any') return;
  const wrongType = (expected: string): void =>
    void checking.problems.push({
      ...{ code: 'wrong-type', start: node.start, end: node.end },
      message: `${expected} is expected here.`,
    });
  switch (type.is) {
    case 'list':
      if (node.kind !== 'seq') return wrongType('A list');
      for (const item of node.items) if (item) checkValue(item, type.of, checking);
      return undefined;
    case 'map':
      if (node.kind !== 'map') return wrongType('A map of keys and values');
      return checkMap(node, agentShapes[type.shape], checking);
    case 'either':
      if (node.kind === 'map') checkMap(node, agentShapes[type.shape], checking);
      return undefined;
    default:
  }
  if (node.kind !== 'scalar') return wrongType('A text');
  return checkText(node, type, checking);
}

function checkText(node: ScalarNode, type: AgentType, { names, views, problems }: Checking): void {
  const { value, start, end } = node;
  if (isDynamic(value)) return;
  const unknownIn = (what: string, known: ReadonlySet<string> | undefined): void => {
    if (!known || known.has(value)) return;
    problems.push({ code: 'unknown-reference', start, end, message: unknown(what, value, known) });
  };
  if (type.is === 'view') unknownIn('The data model has no view', views);
  if (type.is === 'certifiedQuery') unknownIn('There is no certified query', names?.certifiedQueries);
  if (type.is !== 'choice' || type.isOpen === true || type.choices.includes(value)) return;
  problems.push({ code: 'bad-value', start, end, message: `“${value}” is not one of: ${type.choices.join(', ')}.` });
}

function unknown(what: string, name: string, known: Iterable<string>): string {
  const near = nearestName(name, [...known]);
  return `${what} “${name}”.${near === undefined ? '' : ` Did you mean “${near}”?`}`;
}

/** Checks the text of a Markdown file, which replaces a key. */
function bodyProblems({ shape, body }: AgentFile, node: MapNode): readonly Problem[] {
  if (shape === undefined || shape === 'file' || body.trim() !== '') return [];
  const instead = { ruleFile: 'prompt', certifiedQueryFile: 'sql_query' } as Readonly<Record<string, string>>;
  const key = instead[shape];
  if (key !== undefined && findPair(node, key)) return [];
  const message = `The file has no text behind its front matter${key === undefined ? '' : ` and no “${key}”`}.`;
  return [{ code: 'missing-key', start: node.start, end: node.end, message }];
}

/** Checks which keys exclude or require each other. */
function rules({ node, shape }: AgentFile): readonly Problem[] {
  if (!node) return [];
  if (shape === 'ruleFile') return requestedRule(node);
  if (shape !== 'file') return [];
  const arrays = node.pairs.filter(({ key }) => key.value === 'spaces' || key.value === 'agents');
  const flat = ['llm', 'embedding_llm', 'runtime', 'accessible_views', 'memory_mode', 'rules', 'certified_queries'];
  const mixed = arrays.length === 0 ? [] : node.pairs.filter(({ key }) => flat.includes(key.value));
  const allRules = [node, ...itemsOf(node, 'spaces')].flatMap((each) => itemsOf(each, 'rules'));
  return [
    ...mixed.map(({ key }): Problem => ({
      ...{ code: 'exclusive-keys', start: key.start, end: key.end },
      message: `“${key.value}” at the root is for a single agent. A file with “${arrays[0]?.key.value ?? ''}” has it there.`,
    })),
    ...allRules.flatMap(requestedRule),
    ...itemsOf(node, 'eval_questions').flatMap(groundTruth),
  ];
}

function requestedRule(node: MapNode): readonly Problem[] {
  const type = findPair(node, 'type');
  if (!type || textOf(node, 'type') !== 'agent_requested' || findPair(node, 'description') || node.open) return [];
  const message = 'A rule of type “agent_requested” needs a “description”: an agent chooses it by that text.';
  return [{ code: 'missing-key', start: type.key.start, end: type.end, message }];
}

/** Checks that a question has exactly one right answer. */
function groundTruth(node: MapNode): readonly Problem[] {
  const given = node.pairs.filter(({ key }) => key.value === 'certifiedQuery' || key.value === 'sql');
  const at = given[1]?.key ?? node.pairs[0]?.key ?? node;
  if (given.length === 1 || node.open) return [];
  const message = 'A question has either “certifiedQuery” or “sql”, which gives the right answer.';
  return [{ code: given.length === 0 ? 'missing-key' : 'exclusive-keys', start: at.start, end: at.end, message }];
}

/** Returns the problems of names that several items of a kind share, by file. */
function repeatedNames(files: readonly AgentFile[]): ReadonlyMap<string, readonly Problem[]> {
  const found = new Map<string, Problem[]>();
  const seen = new Map<string, string>();
  const note = (file: AgentFile, kind: string, scope: string, node: MapNode): void => {
    const name = findPair(node, 'name')?.value;
    if (name?.kind !== 'scalar' || isDynamic(name.value)) return;
    const id = JSON.stringify([kind, scope, name.value]);
    const first = seen.get(id);
    if (first === undefined) {
      seen.set(id, file.path);
      return;
    }
    const own = found.get(file.path) ?? [];
    const message = `Another ${kind} is called “${name.value}” (agents/${first}).`;
    found.set(file.path, [...own, { code: 'duplicate-name', start: name.start, end: name.end, message }]);
  };
  for (const file of files) {
    const { node } = file;
    for (const item of itemsOf(node, 'spaces')) note(file, 'space', '', item);
    for (const item of itemsOf(node, 'agents')) note(file, 'agent', '', item);
    const space = (node && textOf(node, 'space')) ?? 'auto';
    for (const item of itemsOf(node, 'eval_questions')) note(file, 'question', space, item);
  }
  return found;
}

function namesOf(file: AgentFile, key: string, shape: AgentFile['shape']): readonly string[] {
  const { node, path } = file;
  if (file.shape === shape)
    return [(node && textOf(node, 'name')) ?? path.replace(/^.*\//, '').replace(/\.[^.]*$/, '')];
  return [node, ...itemsOf(node, 'spaces')].flatMap((each) => itemsOf(each, key).flatMap(nameOf));
}

function nameOf(node: MapNode): readonly string[] {
  const name = textOf(node, 'name');
  return name === undefined ? [] : [name];
}

function itemsOf(node: MapNode | undefined, key: string): readonly MapNode[] {
  const value = node && findPair(node, key)?.value;
  return value?.kind === 'seq' ? value.items.filter((item) => item?.kind === 'map') : [];
}

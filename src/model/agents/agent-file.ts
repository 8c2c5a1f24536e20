import { own } from '#base/own.ts';
import { parseYaml } from '../syntax/parse.ts';
import { findPair, type MapNode, type SyntaxProblem, textOf } from '../syntax/tree.ts';
import { TooMuchWork, withinWork } from '../syntax/work.ts';
import type { AgentShapeName } from './agent-shapes.ts';

/** A file below `agents/`, as far as it could be read. Offsets are those of its YAML, which begins at `start`. */
export interface AgentFile {
  /** Relative to the folder `agents`. */
  readonly path: string;
  readonly node: MapNode | undefined;
  /** Offset in the text at which the YAML begins. */
  readonly start: number;
  readonly problems: readonly SyntaxProblem[];
  /** The shape that it must have; `undefined` if it is not one of the documented files, about which nothing is reported. */
  readonly shape: AgentShapeName | undefined;
  /** The text after the front matter of a Markdown file. */
  readonly body: string;
}

/** Checks whether a file of `agents/` can be one of a configuration, by its name. */
export function isAgentFile(name: string): boolean {
  return /\.(?:ya?ml|md|markdown)$/.test(name);
}

/** Returns the path of an agent file relative to `agents`, given its path in the project; `undefined` for other files. */
export function agentPath(path: string): string | undefined {
  return isAgentFile(path) ? /^agents\/(.+)$/.exec(path)?.[1] : undefined;
}

/** A block of YAML between two lines of dashes, the first of which begins the file. Elsewhere, such lines are rulers. */
const FRONT_MATTER = /(?<![\s\S])(\uFEFF?---[ \t]*\r?\n)([\s\S]*?)^---[ \t]*$/m;

/** A key that shows that a YAML file is a configuration of agents, although it cannot be read. */
const DOCUMENTED_KEY =
  /^\uFEFF?(?:spaces|agents|rules|certified_queries|skills|eval_questions|accessible_views)[ \t]*:/m;

/** Reads a file below `agents/`. Never throws. */
export function parseAgentFile(path: string, text: string): AgentFile {
  // Text has no null bytes, so this is another kind of file with such a name.
  if (text.includes('\0')) return { path, node: undefined, start: 0, problems: [], shape: undefined, body: '' };
  const [, opening = '', front] = FRONT_MATTER.exec(text) ?? [];
  const isYaml = /\.ya?ml$/.test(path);
  const yaml = isYaml ? text : (front ?? '');
  const start = isYaml ? 0 : opening.length;
  const body = isYaml ? '' : text.slice(front === undefined ? 0 : text.indexOf('---', start + yaml.length) + 3);
  const { node, problems } = yamlIn(yaml);
  const isUnread = problems.length > 0 && isYaml && !DOCUMENTED_KEY.test(text);
  const shape = isYaml
    ? isUnread
      ? undefined
      : ('file' as const)
    : shapeOf(path, front === undefined ? undefined : node);
  return { path, node, start, problems, shape, body };
}

/** Returns the limit on the work to spend on a text, by its length. */
const mostWork = (text: string): number => 2_000_000 + 60 * text.length;

function yamlIn(text: string): Pick<AgentFile, 'node' | 'problems'> {
  try {
    const { node, problems } = withinWork(mostWork(text), () => parseYaml(text));
    return { node: node?.kind === 'map' ? node : undefined, problems };
  } catch (error) {
    if (error instanceof TooMuchWork || error instanceof RangeError) return { node: undefined, problems: [] };
    throw error;
  }
}

const byFolder: Readonly<Record<string, AgentShapeName>> = {
  rules: 'ruleFile',
  certified_queries: 'certifiedQueryFile',
  'certified-queries': 'certifiedQueryFile',
  queries: 'certifiedQueryFile',
  skills: 'skillFile',
};
const byKind: Readonly<Record<string, AgentShapeName>> = { rule: 'ruleFile', certified_query: 'certifiedQueryFile' };

/** Returns the kind of a Markdown file: the one that it declares, else the one of its folder, else the one its keys suggest. */
function shapeOf(path: string, node: MapNode | undefined): AgentShapeName | undefined {
  const byOwnKind = own(byKind, (node && textOf(node, 'kind')) ?? '');
  if (byOwnKind) return byOwnKind;
  const folder = path
    .split('/')
    .slice(0, -1)
    .find((name) => Object.hasOwn(byFolder, name));
  // A README describes the folder, as in any repository.
  if (node === undefined && /(?:^|\/)readme\.\w+$/i.test(path)) return undefined;
  if (folder !== undefined) return byFolder[folder];
  if (node && findPair(node, 'type', 'prompt')) return 'ruleFile';
  return node && findPair(node, 'user_request', 'sql_query') ? 'certifiedQueryFile' : undefined;
}

import type { Entry, Source } from './catalogue.ts';
import { readPeriod } from './period.ts';
import { chooseSource, namedMembers } from './plan.ts';
import { wordsOf, type Word } from './words.ts';

/** Whether a question wants something added to the data model rather than an answer from it. */
export function asksForView(question: string): boolean {
  return /\b(?:write|create|draft|suggest|propose|add|make)\b.*\bview\b/i.test(question);
}

/**
 * A view over one cube with the members that the question names (all of them when it names none), as YAML to be looked at
 * and accepted; undefined when no cube knows a word of the question. Members of joined cubes are left out: the metadata
 * does not say by which path they are joined.
 */
export function proposeView(question: string, catalogue: readonly Source[]): string | undefined {
  const cubes = catalogue.filter((source) => source.type === 'cube').map((source) => ({ ...source, joined: [] }));
  const words = wordsOf(question);
  const mention = cubes.map((source) => ({ source, at: mentionOf(source, words) })).find(({ at }) => at !== undefined);
  const source = mention?.source ?? chooseSource(question, cubes);
  if (!source) return undefined;
  // The word that names the cube does not name a member as well.
  const rest = words.filter((_, at) => at !== mention?.at);
  const named = [...namedMembers(rest, source), ...timesOf(question, source)];
  const members = new Set(named.length > 0 ? named : source.entries);
  const name = freeName(`${source.name}_view`, catalogue);
  return [
    `Here is a view over \`${source.name}\`. Nothing is changed until you accept it into a file, for example \`model/views/${name}.yml\`.`,
    '',
    '```yaml',
    'views:',
    `  - name: ${name}`,
    `    title: ${source.title} view`,
    '    cubes:',
    `      - join_path: ${source.name}`,
    '        includes:',
    ...[...members].map((entry) => `          - ${entry.name}`),
    '```',
    '',
  ].join('\n');
}

/** Where the question names the cube: *a view of orders …*. */
function mentionOf(source: Source, words: readonly Word[]): number | undefined {
  const at = words.findIndex(({ text }) => ['of', 'for', 'over', 'on'].includes(text)) + 1;
  const [first, ...more] = wordsOf(source.name.replaceAll('_', ' '));
  if (at === 0 || words[at]?.stem !== first?.stem) return undefined;
  return more.every((part, index) => words[at + 1 + index]?.stem === part.stem) ? at : undefined;
}

function timesOf(question: string, source: Source): readonly Entry[] {
  if (readPeriod(question, 0).granularity === undefined) return [];
  return source.entries.filter((entry) => entry.type === 'time').slice(0, 1);
}

function freeName(wanted: string, catalogue: readonly Source[]): string {
  const taken = new Set(catalogue.map((source) => source.name));
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted}_${String(number)}`;
  return name;
}

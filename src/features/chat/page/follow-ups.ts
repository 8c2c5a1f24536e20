import type { ViewMessage, ViewTool, ViewTurn } from '#features/chat/messages.ts';

const MOST = 3;
/** Types of members that results can be grouped by. */
const GROUPING = new Set(['string', 'time', 'boolean']);

/**
 * Returns questions that continue an answer. They are built from the names that its searches found, its query and its failures,
 * and claim nothing about the data: the protocol has no suggestions of the agent.
 */
export function followUps({ head, messages }: ViewTurn): readonly string[] {
  if (head.phase !== 'complete') return [];
  const tools = messages.flatMap(({ tool }) => (tool ? [tool] : []));
  const failed = tools.findLast(({ state }) => state === 'failed');
  const found = tools.flatMap(membersOf);
  const query = tools.map(queryOf).findLast((sql) => sql !== undefined);
  const used = found.filter(({ name }) => query !== undefined && uses(query, name));
  const named = found.filter(({ name }) => !used.some((each) => each.name === name) && isNamed(messages, name));
  // A cube that the query did not use would lead away from the question.
  const cubes = new Set(used.map(({ name }) => cubeOf(name)));
  const groups = found.filter(
    ({ name, kind }) => GROUPING.has(kind) && query !== undefined && !uses(query, name) && cubes.has(cubeOf(name)),
  );
  const [group] = groups;
  const [measure] = used.filter(({ kind }) => !GROUPING.has(kind));
  const [other] = named;
  return [
    ...(failed && query === undefined ? ['What went wrong, and how can I ask for it instead?'] : []),
    ...(group ? [`Break this down by ${group.name}.`] : []),
    ...(measure ? [`How is ${measure.name} defined?`] : []),
    ...(other ? [`What is ${other.name}, and how does it differ?`] : []),
  ].slice(0, MOST);
}

interface Named {
  readonly name: string;
  readonly kind: string;
}

function membersOf({ detail }: ViewTool): readonly Named[] {
  return detail.kind === 'meta' ? detail.cubes.flatMap(({ members }) => members) : [];
}

/** Returns the SQL of a query that returned rows. */
function queryOf({ state, detail }: ViewTool): string | undefined {
  return state === 'done' && detail.kind === 'sql' && detail.rows > 0 ? detail.sql : undefined;
}

/** Whether a statement names a member, with its cube or, where it selects from that cube, without it. */
function uses(sql: string, name: string): boolean {
  const words = new Set(sql.toLowerCase().match(/[\w.]+/g));
  const [cube = '', member = ''] = name.toLowerCase().split('.');
  return words.has(name.toLowerCase()) || (words.has(cube) && words.has(member));
}

function isNamed(messages: readonly ViewMessage[], name: string): boolean {
  return messages.some(({ isFinal, text }) => isFinal && text.includes(`\`${name}\``));
}

function cubeOf(name: string): string {
  return name.split('.', 1)[0] ?? '';
}

import type { PlannedCube, PlannedMember, PlannedModel } from './plan.ts';
import type { Random } from './random.ts';

type Lines = readonly string[];
const indented = (lines: Lines, by = 2): Lines => lines.map((line) => (line === '' ? '' : ' '.repeat(by) + line));
const quoted = (text: string): string => JSON.stringify(text);

/** Writes a cube as YAML, as an item of `cubes`, in a random style of each text. */
export function yamlCube(random: Random, cube: PlannedCube): Lines {
  const anchors = new Set<string>();
  const member = (each: PlannedMember): Lines => yamlMember(random, each, anchors);
  const lists: Lines = [
    ...(cube.joinsTo === undefined
      ? []
      : [
          'joins:',
          `  - name: ${cube.joinsTo}`,
          '    relationship: many_to_one',
          `    sql: "{CUBE}.${cube.joinsTo}_id = {${cube.joinsTo}.id}"`,
        ]),
    'dimensions:',
    ...indented(cube.dimensions.flatMap(member)),
    'measures:',
    ...indented(cube.measures.flatMap(member)),
    ...(cube.segments.length === 0 ? [] : ['segments:', ...indented(cube.segments.flatMap(member))]),
  ];
  return [`- name: ${cube.name}`, ...indented(['sql_table: public.t', ...lists])];
}

/** Writes a member as an item of a list. */
export function yamlMember(random: Random, each: PlannedMember, anchors: Set<string> = new Set()): Lines {
  const { name, filter, title } = each;
  if (filter === undefined && title === undefined && random.chance(0.25)) return inBraces(each);
  const keys = keysOf(random, each, anchors).map(([key = '', value = '', ...more]): Lines => [
    `${random.chance(0.1) ? `"${key}"` : key}:${value === '' ? '' : ` ${value}`}`,
    ...more,
  ]);
  if (random.chance(0.15)) keys.splice(random.below(keys.length + 1), 0, ['# A note: {x} "y\' [z']);
  return [`- name: ${random.chance(0.1) ? quoted(name) : name}`, ...indented(keys.flat())];
}

function inBraces({ name, type, sql, primaryKey }: PlannedMember): Lines {
  const pairs = [
    `name: ${name}`,
    ...(sql === undefined ? [] : [`sql: ${quoted(sql)}`]),
    ...(type === '' ? [] : [`type: ${type}`]),
    ...(primaryKey === true ? ['primary_key: true'] : []),
  ];
  return [`- {${pairs.join(', ')}}`];
}

/** Returns the keys of a member behind its name, each with its value and further lines. */
function keysOf(random: Random, member: PlannedMember, anchors: Set<string>): readonly Lines[] {
  const { type, sql, filter, title, primaryKey } = member;
  return [
    ...(sql === undefined ? [] : [['sql', ...yamlText(random, sql)]]),
    ...(type === '' ? [] : [['type', typeText(random, type, anchors)]]),
    ...(title === undefined ? [] : [['title', quoted(title)]]),
    ...(primaryKey === true ? [['primary_key', 'true']] : []),
    ...(filter === undefined ? [] : [['filters', '', `  - sql: ${quoted(filter)}`]]),
  ];
}

/** Writes a type, which may be the anchor of later ones. */
function typeText(random: Random, type: string, anchors: Set<string>): string {
  if (anchors.has(type) && random.chance(0.5)) return `*of_${type}`;
  if (anchors.has(type) || !random.chance(0.2)) return type;
  anchors.add(type);
  return `&of_${type} ${type}`;
}

/** Writes SQL as a text of YAML: the text behind the key, and further lines. */
function yamlText(random: Random, sql: string): Lines {
  const isPlain = /^\w/.test(sql) && !/[:#{]/.test(sql);
  return random.pick<Lines>([
    [quoted(sql)],
    [`'${sql.replaceAll("'", "''")}'`],
    ['>-', `  ${sql}`],
    ['|', `  ${sql}`],
    ['>2-', `  ${sql}`],
    [`${quoted(sql)} # {id}`],
    isPlain ? [sql] : [quoted(sql)],
  ]);
}

/** Writes the view of a model as an item of `views`. */
export function yamlView(random: Random, { view }: PlannedModel): Lines {
  const cubes = view.flatMap(([path, includes]) => [
    `- join_path: ${path}`,
    ...(random.chance(0.5)
      ? [`  includes: [${includes.join(', ')}]`]
      : ['  includes:', ...includes.map((name) => `    - ${name}`)]),
  ]);
  return ['- name: overview', '  cubes:', ...indented(cubes, 4)];
}

/** Changes what does not change the meaning of a YAML file: line breaks, a byte order mark, the beginning of the document. */
export function dressed(random: Random, text: string): string {
  const begun = random.chance(0.15) ? `---\n${text}` : text;
  const broken = random.chance(0.2) ? begun.replaceAll('\n', '\r\n') : begun;
  return random.chance(0.1) ? `\uFEFF${broken}` : broken;
}

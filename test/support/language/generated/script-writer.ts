import type { PlannedCube, PlannedMember, PlannedModel } from './plan.ts';
import type { Random } from './random.ts';

/** What a script has before its definitions, and the files that it needs. */
interface Script {
  readonly head: string[];
  readonly files: Record<string, string>;
  readonly random: Random;
  readonly prefix: string;
}

/** Writes a cube as a script, in random idioms; returns the file and those that it needs. */
export function scriptCube(random: Random, cube: PlannedCube): Readonly<Record<string, string>> {
  const script: Script = { head: [], files: {}, random, prefix: cube.name };
  const joins =
    cube.joinsTo === undefined
      ? ''
      : `  joins: {\n    ${cube.joinsTo}: { relationship: 'many_to_one', sql: \`\${CUBE}.x = \${${cube.joinsTo}.id}\` },\n  },\n`;
  const definition = [
    "{\n  sql_table: 'public.t',\n",
    joins,
    group(script, 'dimensions', cube.dimensions),
    group(script, 'measures', cube.measures),
    cube.segments.length === 0 ? '' : group(script, 'segments', cube.segments),
    '}',
  ].join('');
  const name = `'${cube.name}'`;
  const call = random.pick([
    (): string => `cube(${name}, ${definition});`,
    (): string => `{\n  const inner = 1;\n  cube(${name}, ${definition});\n}`,
    (): string => `(() => {\n  cube(${name}, ${definition});\n})();`,
    (): string => `asyncModule(async () => {\n  cube(${name}, ${definition});\n});`,
    (): string => `class Def_${cube.name} {\n  static {\n    cube(${name}, ${definition});\n  }\n}`,
  ])();
  return { ...script.files, [`cubes/${cube.name}.js`]: [...script.head, call, ''].join('\n') };
}

/** Writes the view of a model as a script. */
export function scriptView(random: Random, { view }: PlannedModel): string {
  const cubes = view.map(([path, includes]) => {
    const list = includes.map((name) => (random.chance(0.5) ? `'${name}'` : `\`${name}\``)).join(', ');
    return `    { join_path: ${path}, includes: [${list}] },`;
  });
  return ["view('overview', {", '  cubes: [', ...cubes, '  ],', '});', ''].join('\n');
}

function group(script: Script, key: string, members: readonly PlannedMember[]): string {
  const entries = members.map((member) => {
    const { before, use } = script.random.pick(WAYS)(script, member);
    if (before !== undefined) script.head.push(before);
    return `    ${use},\n`;
  });
  return `  ${key}: {\n${entries.join('')}  },\n`;
}

interface Written {
  readonly before?: string;
  readonly use: string;
}
type Way = (script: Script, member: PlannedMember) => Written;

/** Writes SQL as a template, or as a function of it, which it must be outside of a definition. */
function sqlText(sql: string, isFunction: boolean): string {
  const heads = [...sql.matchAll(/\{(\w+)/g)].map(([, head = '']) => head);
  const text = `\`${sql.replaceAll('{', '${')}\``;
  return isFunction ? `(${[...new Set(heads)].join(', ')}) => ${text}` : text;
}

function object(
  { type, sql, filter, title, primaryKey }: PlannedMember,
  isFunction: boolean,
  shownType?: string,
): string {
  const keys = [
    ...(type === '' ? [] : [`type: ${shownType ?? `'${type}'`}`]),
    ...(sql === undefined ? [] : [`sql: ${sqlText(sql, isFunction)}`]),
    ...(title === undefined ? [] : [`title: ${JSON.stringify(title)}`]),
    ...(primaryKey === true ? ['primary_key: true'] : []),
    ...(filter === undefined ? [] : [`filters: [{ sql: ${sqlText(filter, isFunction)} }]`]),
  ];
  return `{ ${keys.join(', ')} }`;
}

const nameOf = ({ prefix }: Script, { name }: PlannedMember): string => `${prefix}_${name}`;

const WAYS: readonly Way[] = [
  (_, member) => ({ use: `${member.name}: ${object(member, false)}` }),
  (_, member) => ({ use: `'${member.name}': ${object(member, false)}` }),
  (_, member) => ({ use: `[\`${member.name}\`]: ${object(member, true)}` }),
  (script, member) => ({
    before: `const ${nameOf(script, member)} = ${object(member, true)};`,
    use: `${member.name}: ${nameOf(script, member)}`,
  }),
  (script, member) => ({
    before: `const größe_${nameOf(script, member)} = { ...${object(member, true)} };`,
    use: `${member.name}: { ...größe_${nameOf(script, member)} }`,
  }),
  (script, member) => ({
    before: `const ${nameOf(script, member)} = (type = '${member.type}') => (${object(member, true, 'type')});`,
    use: `${member.name}: ${nameOf(script, member)}()`,
  }),
  (script, member) => ({
    before: `function ${nameOf(script, member)}({ type } = { type: '${member.type}' }) {\n  return Object.assign({}, ${object(member, true, 'type')});\n}`,
    use: `${member.name}: ${nameOf(script, member)}({ type: '${member.type}' })`,
  }),
  (script, member) => ({
    before: `class Of_${nameOf(script, member)} {\n  static kind = '${member.type}';\n  static get made() { return ${object(member, true, 'this.kind')}; }\n}`,
    use: `${member.name}: Of_${nameOf(script, member)}.made`,
  }),
  (_, member) => ({ use: `...Object.fromEntries(['${member.name}'].map((name) => [name, ${object(member, true)}]))` }),
  (_, member) => ({
    use: `...['${member.name}'].reduce((all, name) => ({ ...all, [name]: ${object(member, true)} }), {})`,
  }),
  (_, member) => ({ use: `...(true ? { ${member.name}: ${object(member, true)} } : {})` }),
  (_, member) => ({ use: `get ${member.name}() { const made = () => (${object(member, true)}); return made(); }` }),
  (script, member) => {
    const file = `lib_${nameOf(script, member)}.js`;
    const isRequired = script.random.chance(0.5);
    script.files[file] = `export const made = ${object(member, true)};\n`;
    const local = nameOf(script, member);
    return {
      before: isRequired
        ? `const { made: ${local} } = require('./${file}');`
        : `import { made as ${local} } from './${file}';`,
      use: `${member.name}: ${local}`,
    };
  },
  (script, member) => ({
    before: `const kinds_${nameOf(script, member)} = { of: { type: '${member.type}' } };`,
    use: `${member.name}: ${object(member, false, `kinds_${nameOf(script, member)}?.of?.type`)}`,
  }),
  (script, member) => ({
    before: `const tag_${nameOf(script, member)} = (strings) => strings.raw[0];`,
    use: `${member.name}: ${object(member, false, `tag_${nameOf(script, member)}\`${member.type}\``)}`,
  }),
];

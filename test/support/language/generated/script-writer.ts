import type { PlannedCube, PlannedMember, PlannedModel } from './plan.ts';
import type { Random } from './random.ts';

/** What a script has before its definitions, and the files that it needs. */
interface Script {
  readonly head: string[];
  readonly files: Record<string, string>;
  readonly random: Random;
  readonly prefix: string;
  /** Whether SQL and references must be functions, wherever they are. */
  readonly isOutside: boolean;
}

/** Writes a cube as a script, in random idioms; returns the file and those that it needs. */
export function scriptCube(random: Random, cube: PlannedCube): Readonly<Record<string, string>> {
  const style = random.pick(CALL_STYLES);
  const script: Script = { head: [], files: {}, random, prefix: cube.name, isOutside: style.isOutside === true };
  const definition = [
    `{\n  sql_table: ${sqlText('public.t', script.isOutside)},\n`,
    joinsOf(cube, script.isOutside),
    group(script, 'dimensions', cube.dimensions),
    group(script, 'measures', cube.measures),
    cube.segments.length === 0 ? '' : group(script, 'segments', cube.segments),
    '}',
  ].join('');
  const call = style.write(cube.name, definition, script);
  return { ...script.files, [`cubes/${cube.name}.js`]: [...script.head, call, ''].join('\n') };
}

/** A way to define a cube. */
interface CallStyle {
  readonly write: (name: string, definition: string, script: Script) => string;
  /** Whether the engine does not see that the definition is one of that cube, so that SQL and references must be functions. */
  readonly isOutside?: boolean;
}

const CALL_STYLES: readonly CallStyle[] = [
  { write: (name, definition) => `cube('${name}', ${definition});` },
  { write: (name, definition) => `{\n  const inner = 1;\n  cube('${name}', ${definition});\n}` },
  { write: (name, definition) => `(() => {\n  cube('${name}', ${definition});\n})();` },
  { write: (name, definition) => `asyncModule(async () => {\n  cube('${name}', ${definition});\n});` },
  { write: (name, definition) => `class Def_${name} {\n  static {\n    cube('${name}', ${definition});\n  }\n}` },
  {
    write: (name, definition) => `['${name}'].forEach((name) => {\n  cube(name, ${definition});\n});`,
    isOutside: true,
  },
  {
    write: (name, definition) =>
      `const load_${name} = async (name) => {\n  const made = ${definition};\n  return made;\n};\nasyncModule(async () => {\n  cube('${name}', await load_${name}('${name}'));\n});`,
    isOutside: true,
  },
  {
    write: (name, definition, script) => {
      script.files[`define_${name}.js`] =
        `export function define(name, definition) {\n  cube(\`\${name}\`, { ...definition });\n}\n`;
      script.head.unshift(`import { define } from './define_${name}';`);
      return `define('${name}', ${definition});`;
    },
    isOutside: true,
  },
];

function joinsOf({ joinsTo }: PlannedCube, isOutside: boolean): string {
  if (joinsTo === undefined) return '';
  return `  joins: {\n    ${joinsTo}: { relationship: 'many_to_one', sql: ${sqlText(`{CUBE}.x = {${joinsTo}.id}`, isOutside)} },\n  },\n`;
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
  const entries = members.map((planned) => {
    const member = script.isOutside ? withoutBareNames(planned) : planned;
    const { before, use } = script.random.pick(WAYS)(script, member);
    if (before !== undefined) script.head.push(before);
    return `    ${use},\n`;
  });
  return `  ${key}: {\n${entries.join('')}  },\n`;
}

/** Names members by `CUBE`: where the name of a cube is computed, they have no bare names. */
function withoutBareNames(member: PlannedMember): PlannedMember {
  const { sql } = member;
  return sql === undefined ? member : { ...member, sql: sql.replaceAll(/\{(total_\w+|count)\}/g, '{CUBE.$1}') };
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
  (script, member) => ({ use: `${member.name}: ${object(member, script.isOutside)}` }),
  (script, member) => ({ use: `'${member.name}': ${object(member, script.isOutside)}` }),
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
    use: `${member.name}: ${object(member, script.isOutside, `kinds_${nameOf(script, member)}?.of?.type`)}`,
  }),
  (script, member) => ({
    before: `const tag_${nameOf(script, member)} = (strings) => strings.raw[0];`,
    use: `${member.name}: ${object(member, script.isOutside, `tag_${nameOf(script, member)}\`${member.type}\``)}`,
  }),
  (script, member) => {
    const name = nameOf(script, member);
    script.files[`lib_${name}.js`] =
      `import { shared } from './base_${name}';\nexport const make = (type) => (${object(member, true, 'type')});\nexport { shared };\n`;
    script.files[`base_${name}.js`] = `export const shared = { description: 'shared' };\n`;
    return {
      before: `const lib_${name} = require('./lib_${name}');`,
      use: `${member.name}: { ...lib_${name}.shared, ...lib_${name}.make('${member.type}') }`,
    };
  },
  (script, member) => {
    const name = nameOf(script, member);
    script.files[`lib_${name}.js`] =
      `export default {\n  of(names) {\n    const all = {};\n    for (const name of names) {\n      if (name === '') continue;\n      all[name] = ${object(member, true)};\n    }\n    return all;\n  },\n};\n`;
    return { before: `import lib_${name} from './lib_${name}.js';`, use: `...lib_${name}.of(['${member.name}'])` };
  },
  (script, member) => ({
    before: `const all_${nameOf(script, member)} = {};\n['${member.name}'].forEach((name) => {\n  all_${nameOf(script, member)}[name] = ${object(member, true)};\n});`,
    use: `...all_${nameOf(script, member)}`,
  }),
  (script, member) => ({
    before: `const list_${nameOf(script, member)} = [];\nfor (let at = 0; at < 1; at++) list_${nameOf(script, member)}.push(['${member.name}', ${object(member, true)}]);`,
    use: `...Object.fromEntries(list_${nameOf(script, member)})`,
  }),
  (script, member) => ({
    before: `class Maker_${nameOf(script, member)} {\n  #type;\n  shown = true;\n  constructor(type) {\n    this.#type = type;\n  }\n  set kind(type) {\n    this.#type = type;\n  }\n  get made() {\n    const type = this.#type;\n    return ${object(member, true, 'type')};\n  }\n}\nconst maker_${nameOf(script, member)} = new Maker_${nameOf(script, member)}('none');\nmaker_${nameOf(script, member)}.kind = '${member.type}';`,
    use: `${member.name}: maker_${nameOf(script, member)}.made`,
  }),
  (script, member) => ({
    before: `class Base_${nameOf(script, member)} {\n  type = '${member.type}';\n  ['ma' + 'ke']() {\n    const { type, ...rest } = this;\n    return { ...${object(member, true, 'type')}, ...rest };\n  }\n}\nclass Own_${nameOf(script, member)} extends Base_${nameOf(script, member)} {}`,
    use: `${member.name}: new Own_${nameOf(script, member)}().make()`,
  }),
  (script, member) => ({
    before: `function ${nameOf(script, member)}(kind) {\n  let type;\n  switch (kind) {\n    case 1:\n      type = '${member.type}';\n      break;\n    default:\n      type = 'none';\n  }\n  return ${object(member, true, 'type')};\n}`,
    use: `${member.name}: ${nameOf(script, member)}(1)`,
  }),
  (script, member) => ({
    before: `const type_${nameOf(script, member)} = 'none';\nfunction ${nameOf(script, member)}([type_${nameOf(script, member)} = '${member.type}'] = []) {\n  if (true) {\n    var kind = type_${nameOf(script, member)};\n  }\n  {\n    const type_${nameOf(script, member)} = 'none';\n  }\n  return ${object(member, true, 'kind')};\n}`,
    use: `${member.name}: ${nameOf(script, member)}()`,
  }),
  (script, member) => ({
    before: `let kind_${nameOf(script, member)} = 'none';\nouter: for (const one of [1, 2]) {\n  for (const other of [1, 2]) {\n    if (other === 2) continue outer;\n    kind_${nameOf(script, member)} = '${member.type}';\n  }\n}`,
    use: `${member.name}: ${object(member, script.isOutside, `kind_${nameOf(script, member)}`)}`,
  }),
  (script, member) => ({
    before: `const set_${nameOf(script, member)} = (target, name) => {\n  target[name] = ${object(member, true)};\n  return target;\n};`,
    use: `...set_${nameOf(script, member)}({}, '${member.name}')`,
  }),
  (script, member) => ({
    before: `const suffix_${nameOf(script, member)} = Math.random() < 2 ? '1' : '2';`,
    use: `${member.name}: ${object(member, script.isOutside)}, [\`other_\${suffix_${nameOf(script, member)}}_${member.name}\`]: ${object({ ...member, primaryKey: false }, true)}`,
  }),
  (script, member) => ({
    use: `${member.name}: { ...(Math.random() < 2 ? {} : null), ${object(member, script.isOutside).slice(2)}`,
  }),
  (script, member) => ({
    before: `const cols_${nameOf(script, member)} = ['id'];`,
    use: `${member.name}: ${
      member.primaryKey === true || member.sql === undefined || member.type === ''
        ? object(member, script.isOutside)
        : `{ type: '${member.type}', sql: (CUBE) => cols_${nameOf(script, member)}.map((c) => CUBE[c]).join(' + ') }`
    }`,
  }),
];

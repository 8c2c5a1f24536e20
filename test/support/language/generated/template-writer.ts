import type { PlannedCube, PlannedMember } from './plan.ts';
import type { Random } from './random.ts';
import { yamlCube, yamlMember } from './yaml-writer.ts';

/** A template: its lines of definitions, what stands in front of them, and further files that it needs. */
interface Template {
  readonly head: string[];
  readonly files: Record<string, string>;
  readonly random: Random;
  /** Makes names of variables and files unlike all others of the model. */
  readonly prefix: string;
}

/** Writes a cube with templates around and in its members; returns the file and those that it needs. */
export function templatedCube(random: Random, cube: PlannedCube): Readonly<Record<string, string>> {
  const template: Template = { head: [], files: {}, random, prefix: cube.name };
  const lines = [...yamlCube(random, { ...cube, measures: [] })];
  const at = lines.findIndex((line) => line.trim() === 'measures:') + 1;
  const measures: string[] = [];
  for (const measure of cube.measures) {
    const write = random.pick(WAYS);
    measures.push(...write(template, measure));
  }
  lines.splice(at, 0, ...measures.map((line) => (line === '' ? '' : `    ${line}`)));
  const body = ['cubes:', ...lines.map((line) => (line === '' ? '' : `  ${line}`))];
  const text = [...template.head, ...body, ''].join('\n');
  return { ...template.files, [`cubes/${cube.name}.yml${random.chance(0.5) ? '.jinja' : ''}`]: ensured(text) };
}

/** A file is a template only if it contains a tag. */
function ensured(text: string): string {
  return /\{[{%]/.test(text) ? text : `{% set nothing_else = 1 %}\n${text}`;
}

type Way = (template: Template, member: PlannedMember) => readonly string[];

const safe = (name: string): string => `{{ ${name} | safe }}`;
const written = ({ random }: Template, member: PlannedMember): readonly string[] => yamlMember(random, member);
/** The parts of a tag, with or without the signs that remove white space. */
const block = ({ random }: Template, code: string): string => `{%${random.chance(0.4) ? '-' : ''} ${code} %}`;

const WAYS: readonly Way[] = [
  written,
  // A loop over a list.
  (template, member) => [
    block(template, `for ${template.prefix}_n in ['${member.name}']`),
    ...written(template, { ...member, name: safe(`${template.prefix}_n`) }).map((line) => unquoted(line)),
    block(template, 'endfor'),
  ],
  // A loop over a mapping with a counter in a namespace.
  (template, member) => {
    template.head.push(`{% set ${template.prefix}_count = namespace(of=0) %}`);
    return [
      block(template, `for name, type in {'${member.name}': '${member.type}'} | items`),
      block(template, `set ${template.prefix}_count.of = ${template.prefix}_count.of + loop.index`),
      ...written(template, { ...member, name: safe('name'), type: safe('type') }).map((line) => unquoted(line)),
      block(template, 'endfor'),
    ];
  },
  // A condition, with a branch that is never rendered.
  (template, member) => [
    block(template, template.random.pick(['if true', "if 'a' in ['a', 'b']", "if 'x' | upper == 'X'", 'if not none'])),
    ...written(template, member),
    block(template, 'else'),
    '- name: never',
    '  type: unknown',
    block(template, 'endif'),
  ],
  // A variable, also one that a block sets, in front of the definitions.
  (template, member) => {
    const name = `${template.prefix}_${member.name}`;
    template.head.push(
      template.random.pick([
        `{% set ${name} = '${member.name}' %}`,
        `{%- set ${name} -%} ${member.name} {%- endset %}`,
        `{% set ${name} = ['${member.name}'] | first %}`,
        `{% set ${name} = '${member.name.toUpperCase()}' | lower %}`,
        `{% set ${name} = {'a': '${member.name}'}.a %}`,
      ]),
    );
    return written(template, { ...member, name: safe(name) }).map((line) => unquoted(line));
  },
  // A macro of this file, with a default.
  (template, member) => {
    const name = `make_${template.prefix}_${member.name}`;
    template.head.push(
      `{% macro ${name}(name, type='${member.type}') -%}\n${memberLines(member).join('\n')}\n{%- endmacro %}`,
    );
    return [`{{ ${name}('${member.name}') }}`];
  },
  // A macro of another file, imported in either way.
  (template, member) => {
    const file = `macros/${template.prefix}_${member.name}.jinja`;
    template.files[file] = `{% macro member(name, type) -%}\n${memberLines(member).join('\n')}\n{%- endmacro %}\n`;
    const alias = `lib_${template.prefix}_${member.name}`;
    const isWhole = template.random.chance(0.5);
    template.head.push(
      isWhole ? `{% import '${file}' as ${alias} %}` : `{% from '${file}' import member as ${alias} %}`,
    );
    return [`{{ ${alias}${isWhole ? '.member' : ''}('${member.name}', type='${member.type}') }}`];
  },
  // A macro around the text of its call.
  (template, member) => {
    const name = `wrap_${template.prefix}_${member.name}`;
    template.head.push(
      `{% macro ${name}(type) -%}\n- type: {{ type | safe }}\n        {{ caller() }}\n{%- endmacro %}`,
    );
    const [, ...rest] = written(template, { ...member, type: '' });
    const isBlock = rest.some((line) => !line.startsWith('  ') || /[|>]/.test(line));
    if (isBlock || member.sql !== undefined || member.filter !== undefined) return written(template, member);
    return [`{% call ${name}('${member.type}') -%}name: ${member.name}{%- endcall %}`];
  },
  // An included file, which puts nothing out on its own.
  (template, member) => {
    const file = `parts/${template.prefix}_${member.name}.jinja`;
    const lines = memberLines(member).map((line) =>
      line.replaceAll(safe('name'), member.name).replaceAll(safe('type'), member.type),
    );
    template.files[file] = `{# A part. #}\n{%- if is_part is defined -%}\n${lines.join('\n')}\n{%- endif %}\n`;
    template.head.push('{% set is_part = true %}');
    return [`{% include '${file}' %}`];
  },
  // Comments in unusual places.
  (template, member) => ['{# {{ nothing }} #}', ...written(template, member), '{#- {% if %} #}'],
];

/** Lines of a member whose name and type are variables; further ones are indented as the list of a cube is. */
function memberLines({ sql, filter, title }: PlannedMember): readonly string[] {
  return [
    `- name: ${safe('name')}`,
    `        type: ${safe('type')}`,
    ...(sql === undefined ? [] : [`        sql: ${JSON.stringify(sql)}`]),
    ...(title === undefined ? [] : [`        title: ${JSON.stringify(title)}`]),
    ...(filter === undefined ? [] : ['        filters:', `          - sql: ${JSON.stringify(filter)}`]),
  ];
}

/** A tag has quotes of its own, and a mapping in brackets cannot hold one. */
function unquoted(line: string): string {
  return line.replaceAll(/"(\{\{ \w+ \| safe \}\})"/g, '$1').replaceAll(/\\"/g, '\\"');
}

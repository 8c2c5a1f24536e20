import { parse } from 'acorn-loose';
import { simple } from 'acorn-walk';
import { parseFile } from '#model/file.ts';
import { symbolsOf } from '#model/symbols.ts';
import type { Figure } from '../figures.ts';

/** Definitions that stay known while one of them is half typed: its text is cut at every place. */
export function scriptFigures(): readonly Figure[] {
  const [before, typed, after] = [cube('orders'), cube('items'), cube('users')];
  const cuts = Array.from({ length: typed.length - 1 }, (_, at) => typed.slice(0, at + 1));
  const texts = cuts.map((cut) => `${before}\n${cut}\n\n${after}`);
  const value = sum(texts.map((text) => complete(ours(text))));
  const peerValue = sum(texts.map((text) => complete(theirs(text))));
  return [
    {
      id: `members of two cubes that are known while a third is typed, at ${texts.length} places`,
      value,
      unit: 'members',
      peer: 'acorn-loose',
      peerValue,
      ratio: value / peerValue,
      reach: 1,
      ok: value >= peerValue,
    },
  ];
}

const MEMBERS = ['count', 'total', 'id', 'status', 'created_at'];

function cube(name: string): string {
  const members = (kind: string, names: readonly string[]): string =>
    `  ${kind}: {\n${names.map((member) => `    ${member}: {\n      sql: \`\${CUBE}.${member}\`,\n      type: 'string',\n    },\n`).join('')}  },\n`;
  return `cube('${name}', {\n  sql_table: 'shop.${name}',\n\n${members('measures', MEMBERS.slice(0, 2))}\n${members('dimensions', MEMBERS.slice(2))}});\n`;
}

/** Names of the members of each cube. */
type Cubes = ReadonlyMap<string, readonly string[]>;

/** How many members of the two finished cubes are known, each at its own cube. */
function complete(cubes: Cubes): number {
  return sum(['orders', 'users'].map((name) => MEMBERS.filter((member) => cubes.get(name)?.includes(member)).length));
}

function ours(text: string): Cubes {
  const entities = parseFile('model.js', text).chunks.flatMap(({ chunk }) => symbolsOf(chunk));
  return new Map(entities.map(({ name, members }) => [name, [...members.keys()]]));
}

function theirs(text: string): Cubes {
  const cubes = new Map<string, readonly string[]>();
  simple(parse(text, { ecmaVersion: 'latest', sourceType: 'module' }), {
    CallExpression({ callee, arguments: [name, body] }) {
      if (callee.type !== 'Identifier' || callee.name !== 'cube') return;
      if (name?.type !== 'Literal' || body?.type !== 'ObjectExpression') return;
      const members = body.properties.flatMap((list) =>
        list.type === 'Property' && list.value.type === 'ObjectExpression' ? list.value.properties : [],
      );
      const names = members.flatMap((member) =>
        member.type === 'Property' && member.key.type === 'Identifier' ? [member.key.name] : [],
      );
      cubes.set(String(name.value), names);
    },
  });
  return cubes;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Creates a text of about `size` characters. */
type Maker = (size: number) => string;

const times =
  (piece: string): Maker =>
  (size) =>
    piece.repeat(Math.ceil(size / piece.length));
const within =
  (before: string, piece: string, after = ''): Maker =>
  (size) =>
    before + times(piece)(size) + after;
const CUBE = 'cubes:\n  - name: a\n    sql: ';

/** Name and extension → a text that made, or could make, parsing a model slow or endless. */
export const hostileTexts: Readonly<Record<string, Maker>> = {
  'unfinished expressions.jinja': times('{{ '),
  'expressions closed at the very end.jinja': within('', '{{ ', '}}'),
  'escaped quotes.jinja': within('{{ ', '"\\', '\n}}'),
  'quotes that never end.jinja': times(`{{ ' "`),
  'unfinished statements.jinja': times('{% if a %}\n'),
  'macros without end.jinja': times('{% macro a() %}\n'),
  'braces.jinja': within('{{ ', '{', ' }}'),
  'brackets at top.yml': times('[ '),
  'brackets in a value.yml': within(CUBE, '['),
  'closed brackets in a value.yml': (size) => `${CUBE}${'['.repeat(size / 2)}${']'.repeat(size / 2)}\n`,
  'braces in a value.yml': within(CUBE, '{a: '),
  'apostrophes.yml': times("- '\n"),
  'apostrophes in a row.yml': within(CUBE, "' "),
  'quotes.yml': times('a: "\n'),
  'brackets behind colons.yml': times('a: [\n'),
  'deep mappings.yml': (size) =>
    Array.from({ length: Math.ceil(Math.sqrt(size * 2)) }, (_, at) => `${' '.repeat(at)}a:\n`).join(''),
  'deep lists.yml': within('cubes:\n', '- '),
  'aliases.yml': (size) => `a: &a [x]\n${'b: [*a, *a]\n'.repeat(Math.ceil(size / 12))}`,
  'aliases of aliases.yml': (size) =>
    `a0: &a0 [x]\n${Array.from({ length: Math.ceil(size / 40) }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]\n`).join('')}`,
  'one long line.yml': within(CUBE, 'a'),
  'mixed line breaks.yml': times('cubes:\r  - name: a\r\n    sql: b\n'),
  'conflicts.yml': times('<<<<<<< a\n=======\n'),
  'tabs.yml': within('cubes:\n', '\t'),
  'names.yml': times('  - name: a\n    sql: b\n'),
  'references.yml': within(`${CUBE}"`, '{a.b} ', '"\n'),
  'nested templates.js': (size) => `x = ${'`${'.repeat(size / 6)}1${'}`'.repeat(size / 6)}`,
  'unfinished templates.js': times('`${'),
  'brackets.js': (size) => `x = ${'['.repeat(size / 2)}${']'.repeat(size / 2)}`,
  'unfinished brackets.js': times('['),
  'unfinished braces.js': times('{a: '),
  'unfinished cubes.js': times('cube(`a`, {\n'),
  'unfinished cubes on one line.js': times('cube(`a`, { '),
  'closing braces.js': times('} '),
  'apostrophes.js': times("' "),
  'parentheses.js': times('('),
  'operators.js': within('x = 1', ' + 1'),
  'members.js': within('x = a', '.a'),
  'calls.js': within('x = a', '()'),
  'arrows.js': within('x = ', 'a => '),
  'ifs.js': times('if (a) '),
  'broken statements.js': times('const a = ;\n'),
  'spreads.js': (size) => `cube('a', {${'...{'.repeat(size / 6)}${'}'.repeat(size / 6)}})`,
};

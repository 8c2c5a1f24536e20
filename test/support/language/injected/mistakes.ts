/** One mistake in a file of a model. */
export interface InjectedMistake {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  /** The kind of mistake. */
  readonly what: string;
  readonly content: string;
}

interface Changed {
  readonly what: string;
  /** The text that replaces the line. */
  readonly text: string;
}

/** Yields the mistakes that a user could make in each line of a file, one at a time. */
export function* mistakesIn(path: string, content: string): Iterable<InjectedMistake> {
  const lines = content.split('\n');
  const isScript = path.endsWith('.js');
  for (const [at, line] of lines.entries()) {
    if (/^\s*(?:#|\/\/|$)/.test(line)) continue;
    const changes = isScript ? inScript(line) : inYaml(line);
    const seen = new Set([line]);
    for (const { what, text } of changes) {
      if (seen.has(text)) continue;
      seen.add(text);
      yield { path, line: at + 1, what: `${what}: ${text.trim()}`, content: lines.with(at, text).join('\n') };
    }
    const rest = lines.toSpliced(at, 1);
    yield { path, line: at + 1, what: `without: ${line.trim()}`, content: rest.join('\n') };
    yield { path, line: at + 1, what: `twice: ${line.trim()}`, content: lines.toSpliced(at, 0, line).join('\n') };
  }
}

function* inYaml(line: string): Iterable<Changed> {
  yield { what: 'deeper', text: `  ${line}` };
  yield { what: 'a tab', text: line.replace(/^ {2}/, '\t') };
  yield { what: 'no dash', text: line.replace('- ', '  ') };
  yield { what: 'no colon', text: line.replace(':', '') };
  yield { what: 'no space', text: line.replace(/([:-]) /, '$1') };
  yield { what: 'one quote less', text: line.replace(/["'](?=[^"']*$)/, '') };
  yield { what: 'a comma', text: `${line.trimEnd()},` };
  if (line.startsWith('  ')) yield { what: 'less deep', text: line.slice(2) };
  const pair = /^(\s*(?:- )?)([a-z_]+):(?: (.*))?$/.exec(line);
  if (pair) {
    const [, before = '', key = '', value = ''] = pair;
    for (const other of [misspelt(key), key.toUpperCase(), key.charAt(0).toUpperCase() + key.slice(1), `${key}s`])
      yield { what: 'key', text: `${before}${other}:${value === '' ? '' : ` ${value}`}` };
    for (const other of VALUES) yield { what: 'value', text: `${before}${key}: ${other}` };
    const word = /^["']?(\w+)["']?$/.exec(value)?.[1];
    if (word !== undefined)
      for (const other of around(word)) yield { what: 'value', text: `${before}${key}: "${other}"` };
  }
  yield* inReferences(line);
  yield* inLists(line);
}

function* inScript(line: string): Iterable<Changed> {
  const key = /^\s*([A-Za-z_]\w*):/.exec(line)?.[1];
  if (key !== undefined) {
    yield { what: 'key', text: line.replace(key, misspelt(key)) };
    for (const other of ["'abc'", '5', '[]', '{}', 'null', '`${nothing}`', '`${CUBE.nothing}`'])
      if (line.trimEnd().endsWith(',')) yield { what: 'value', text: line.replace(/:.*/, `: ${other},`) };
  }
  yield* inReferences(line);
}

const VALUES = ['abc', '', '5', 'true', '[]', '{}', '"{nothing}"', '"{CUBE.nothing}"', '"{CUBE}.id"', '"{"', '"}"'];

/** Yields mistakes in braces and names of the references in a text. */
function* inReferences(line: string): Iterable<Changed> {
  for (const { 0: braces, 1: path = '', index } of line.matchAll(/(?<!\{)\{\s*([\w.]+)\s*\}(?!\})/g)) {
    const to = (text: string): string => line.slice(0, index) + text + line.slice(index + braces.length);
    const names = path.split('.');
    for (const [at, name] of names.entries())
      yield { what: 'reference', text: to(`{${names.with(at, misspelt(name)).join('.')}}`) };
    yield { what: 'no end', text: to(`{${path}`) };
    yield { what: 'no beginning', text: to(`${path}}`) };
    yield { what: 'doubled', text: to(`{{${path}}}`) };
    yield { what: 'empty', text: to('{}') };
    yield { what: 'member behind it', text: to(`{${path}.nothing}`) };
    yield { what: 'dot at the end', text: to(`{${path}.}`) };
    yield { what: 'space inside', text: to(`{${path} x}`) };
  }
}

/** Yields mistakes in each name of a list, in one line or one of its lines. */
function* inLists(line: string): Iterable<Changed> {
  const list = /\[([^\]]*)\]/.exec(line);
  const single = /^(\s*- )(\w[\w.]*)\s*$/.exec(line);
  if (single) for (const other of around(single[2] ?? '')) yield { what: 'item', text: `${single[1]}"${other}"` };
  if (!list) return;
  const start = list.index + 1;
  for (const { 0: name, index } of (list[1] ?? '').matchAll(/[\w.]+/g)) {
    const from = start + index;
    for (const other of around(name))
      yield { what: 'item', text: `${line.slice(0, from)}"${other}"${line.slice(from + name.length)}` };
  }
}

function around(name: string): readonly string[] {
  return [
    misspelt(name),
    `{${name}}`,
    `{${name}`,
    `${name}}`,
    `{${name}} day`,
    `${name} day`,
    `CUBE.${name}`,
    `{CUBE}.${name}`,
    `${name}.nothing`,
    `nothing.${name}`,
    `${name}.`,
    '{',
    '1',
    'true',
  ];
}

/** Returns a name with two letters swapped, or one doubled. */
function misspelt(name: string): string {
  const [first = '', second = ''] = name;
  return first === second || second === '' || /\d/.test(second)
    ? `${name}${name.at(-1) ?? 'x'}`
    : second + first + name.slice(2);
}

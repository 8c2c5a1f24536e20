import { type JinjaToken, tokensOf } from '#model/syntax/jinja/tokens.ts';

/** What the cursor is behind in a tag of a template. */
interface TemplatePosition {
  /** The words that can follow where a value has ended, none where a new name is declared; undefined where a value is expected. */
  readonly keywords: readonly string[] | undefined;
  /** The call around the cursor, from its innermost open bracket. */
  readonly call: TemplateCall | undefined;
}

export interface TemplateCall {
  /** The function, with what is before its dot: `macros.total`. */
  readonly name: string;
  /** The index of the argument at the cursor. */
  readonly argument: number;
  /** The names of the arguments before the cursor that have one: `type='sum'`. */
  readonly named: readonly string[];
  /** The name of the argument at the cursor, if it has one. */
  readonly current: string | undefined;
}

/** Words that a value follows. */
const BEFORE_VALUE = new Set([
  'and',
  'or',
  'not',
  'if',
  'else',
  'elif',
  'in',
  'is',
  'do',
  'call',
  'import',
  'from',
  'include',
  'filter',
  'extends',
  'set',
  'with',
]);

/** Reads a tag up to the cursor, without its opening braces. */
export function templatePosition(before: string, isStatement: boolean): TemplatePosition {
  const typed = /(?<!\w)\w*$/.exec(before)?.[0] ?? '';
  const head = before.slice(0, before.length - typed.length);
  const tokens = tokensOf(head).slice(0, -1);
  const statement = isStatement ? (tokens[0]?.text ?? '') : '';
  const isNewName = declaresName(statement, tokens);
  const keywords = isNewName ? [] : keywordsBehind(statement, tokens);
  // Directly behind a value, its word may not have ended.
  return { keywords: keywords && !/\s$/.test(head) ? [] : keywords, call: callAround(tokens) };
}

/** Checks for the name of a loop's variable, of a macro, or of one of its parameters. */
function declaresName(statement: string, tokens: readonly JinjaToken[]): boolean {
  const last = tokens.at(-1)?.text;
  if (statement === 'for') return !tokens.some(({ text }) => text === 'in') && (last === 'for' || last === ',');
  if (statement !== 'macro') return last === 'as';
  return tokens.length === 1 || (openBrackets(tokens).length === 1 && (last === '(' || last === ','));
}

function keywordsBehind(statement: string, tokens: readonly JinjaToken[]): readonly string[] | undefined {
  const last = tokens.at(-1);
  if (!last || !endsValue(last) || (statement !== '' && tokens.length === 1)) return undefined;
  const has = (word: string): boolean => tokens.some(({ text }) => text === word);
  const behind = Object.hasOwn(BEHIND, statement) ? BEHIND[statement] : undefined;
  return behind ? behind(has, last) : EXPRESSION;
}

const EXPRESSION = ['if', 'else', 'and', 'or', 'is', 'in', 'not'];
const CONDITION = ['and', 'or', 'is', 'in', 'not', 'if', 'else'];

type Behind = (has: (word: string) => boolean, last: JinjaToken) => readonly string[] | undefined;

/** What can follow a value in a statement; `has`: whether a word is before the cursor. */
const BEHIND: Readonly<Record<string, Behind>> = {
  for: (has) => (has('in') ? ['if', 'recursive', 'and', 'or', 'is', 'not', 'else'] : ['in']),
  from: (has, last) => (has('import') ? (last.kind === 'name' ? ['as'] : undefined) : ['import']),
  import: (has) => (has('as') ? [] : ['as']),
  set: (has) => (has('=') ? EXPRESSION : []),
  with: (has) => (has('=') ? EXPRESSION : []),
  include: () => ['ignore', 'missing'],
  macro: () => [],
  if: () => CONDITION,
  elif: () => CONDITION,
};

function endsValue({ kind, text }: JinjaToken): boolean {
  if (kind === 'name') return !BEFORE_VALUE.has(text);
  return kind === 'number' || kind === 'text' || text === ')' || text === ']' || text === '}';
}

/** Returns the indexes of brackets that are open at the end. */
function openBrackets(tokens: readonly JinjaToken[]): readonly number[] {
  const open: number[] = [];
  for (const [at, { text }] of tokens.entries()) {
    if (/^[([{]$/.test(text)) open.push(at);
    else if (/^[)\]}]$/.test(text)) open.pop();
  }
  return open;
}

function callAround(tokens: readonly JinjaToken[]): TemplateCall | undefined {
  const open = openBrackets(tokens).at(-1);
  if (open === undefined || tokens[open]?.text !== '(' || tokens[open - 1]?.kind !== 'name') return undefined;
  const isAttribute = tokens[open - 2]?.text === '.' && tokens[open - 3]?.kind === 'name';
  const name = `${isAttribute ? `${tokens[open - 3]?.text ?? ''}.` : ''}${tokens[open - 1]?.text ?? ''}`;
  return { name, ...argumentsIn(tokens.slice(open + 1)) };
}

function argumentsIn(tokens: readonly JinjaToken[]): Omit<TemplateCall, 'name'> {
  const pieces: JinjaToken[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (/^[([{]$/.test(token.text)) depth++;
    else if (/^[)\]}]$/.test(token.text)) depth--;
    if (token.text === ',' && depth === 0) pieces.push([]);
    else pieces.at(-1)?.push(token);
  }
  const names = pieces.map(([first, second]) => (second?.text === '=' ? first?.text : undefined));
  const named = names.filter((each) => each !== undefined);
  return { argument: pieces.length - 1, named, current: names.at(-1) };
}

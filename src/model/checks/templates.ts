import { GROUP_SHAPES } from '#model/language/group-shapes.ts';
import { append } from '#base/long-lists.ts';
import type { Fix, Problem } from '../codes.ts';
import { withoutStrings } from '../expressions/without-strings.ts';
import type { Chunk } from '../file.ts';
import { isStringPrefix } from '../language/string-prefix.ts';
import type { Type } from '../language/types.ts';
import {
  type Enclosure,
  isSkipped,
  isSkippedBehind,
  skippedLength,
  splitBehindNames,
  stopLength,
} from '#model/expressions/skipped-tokens.ts';
import { type Braces, type Path, readTemplate } from '#model/expressions/strings.ts';
import { findPair, isDynamic, type ScalarNode, scalarType } from '../syntax/tree.ts';
import type { Site } from '../typed.ts';
import { hasArrow, hasRefusedArgument } from './call-arguments.ts';
import { LOADED } from './loaded-names.ts';
import { isReservedAnywhere, reservedIn } from './reserved.ts';

/** Reports what the engine cannot read in a string of a YAML model: each one is a template (docs/model-language.md#strings). */
export function checkTemplate(site: Site, node: ScalarNode, chunk: Chunk): Problem[] {
  const { value } = node;
  // A list of references may be one expression.
  const type = site.type.is === 'list' && site.type.of.is === 'reference' ? site.type.of : site.type;
  if (scalarType(node) !== 'string' || isDynamic(value)) return [];
  if (isCompared(site)) return checkCompared(site, node, chunk);
  if (type.is === 'any') return [];
  if (isStringPrefix(value)) return type.is === 'reference' || isMemberName(site, node) ? [] : [prefixAlone(node)];
  if (type.is === 'reference') return checkReferenceText(site, node);
  const kind = templateKind(type, site, value);
  return value.includes('{') && kind ? bracesIn(node, chunk, kind) : [];
}

/** A path in braces: `{CUBE.status}`, `{CUBE}.status`, `{orders.users.city}`. */
const PATH_IN_BRACES = /^\{\w+(?:(?:\.\w+)+\}|(?:\.\w+)*\}\.\w+)$/;

function isOfFilter({ parent }: Site): boolean {
  return (parent?.node.kind === 'seq' ? parent.parent : parent)?.shape === 'defaultFilter';
}

/** Checks for a value that a filter compares with: an item of its list, or an expression in place of the list. */
function isCompared({ type, key, parent }: Site): boolean {
  const list = parent?.node.kind === 'seq' ? parent : undefined;
  return (list?.key ?? key) === 'values' && (type.is === 'any' || (type.is === 'list' && type.of.is === 'any'));
}

function checkCompared(site: Site, node: ScalarNode, chunk: Chunk): Problem[] {
  if (site.type.is === 'list') return node.value === '' ? [] : checkReferenceText(site, node);
  if (isStringPrefix(node.value)) return [prefixAlone(node)];
  // The names in it are checked with the list.
  return node.value.includes('{') ? bracesIn(node, chunk, 'sql') : [];
}

/** Returns how the engine reads a string as a template, if at all; strings of a view group are plain text to it. */
function templateKind(type: Type, site: Site, value: string): 'sql' | 'text' | undefined {
  if (type.is === 'sql') return type.is;
  // The engine evaluates a path in a default filter to the name of the member.
  if (type.is !== 'text' || (type.to === 'viewMember' && isOfFilter(site) && PATH_IN_BRACES.test(value)))
    return undefined;
  // Their strings are plain text to the engine.
  return GROUP_SHAPES.has(site.parent?.shape ?? '') ? undefined : type.is;
}

/** Checks a reference, which is one expression; braces and dollars in it are ignored. */
function checkReferenceText(site: Site, node: ScalarNode): Problem[] {
  if (hasBrokenBrace(node.value)) return [unreadableExpression(node.value, node)];
  const text = expressionIn(node.value);
  if (text === '') return isRefusedEmpty(site, node) ? [emptyReference(node)] : [];
  if (site.key === 'key' && site.parent?.shape === 'dimension' && /^(?:\d|not\b|(?:true|false)$)/.test(text))
    return [noDimension(node)];
  if (site.parent?.node.kind !== 'seq' && isNoExpression(text)) return [unreadableExpression(text, node)];
  if (isFollowed(site) && leadsNowhere(site, text)) return [emptyReference(node)];
  return checkExpressionText(site, node, text);
}

/** Checks for a text that is only a quoted string or a comment, which the engine reads as nothing; in a list it skips them. */
function isNoExpression(text: string): boolean {
  return text.startsWith('#') || /^(["'])(?:(?!\1).)*\1$/.test(text);
}

function checkExpressionText(site: Site, node: ScalarNode, text: string): Problem[] {
  if (NOTHING.has(text)) return site.parent?.node.kind === 'seq' ? [] : [unreadableExpression(text, node)];
  // A block scalar keeps its final line break, which the engine cannot read either.
  return /[\n\r]/.test(node.value) || isUnreadable(text, 'reference') ? [unreadableExpression(text, node)] : [];
}

/** Checks whether a reference begins with something that leads nowhere: `null`, in a join path a dot, in `extends` a number. */
function leadsNowhere({ key }: Site, text: string): boolean {
  return (
    /^(?:null|undefined)(?![\w(])/.test(text) ||
    (key === 'join_path' && text.startsWith('.')) ||
    (key === 'extends' && /^(?:\d|not\b)/.test(text))
  );
}

function hasBrokenBrace(text: string): boolean {
  return hasEmptyBrace(text) || /\.\s*\}|\{[^{}]*\.\s*\{/.test(text);
}

function expressionIn(text: string): string {
  return text.trim().replaceAll(/[{}$]/g, '');
}

/** Checks for an item of a list of references that the engine cannot read. */
export function isUnreadableItem(item: string): boolean {
  const text = expressionIn(item);
  return hasBrokenBrace(item) || (!NOTHING.has(text) && (/[\n\r]/.test(item) || isUnreadable(text, 'reference')));
}

/** Checks for an empty pair of braces, which is an expression of its own that the engine cannot read. */
function hasEmptyBrace(text: string): boolean {
  return /\{\s*(?:\}|$)/.test(text);
}

/** Checks whether the engine refuses a reference without a name: in a list it skips punctuation. */
function isRefusedEmpty(site: Site, { value }: ScalarNode): boolean {
  if (value === '') return isFollowed(site);
  return value.trim() !== '' && site.parent?.node.kind !== 'seq';
}

/** Words that the engine reads as nothing when they are alone in a list. */
const NOTHING = new Set(['and', 'or', 'in', 'is', 'as', 'elif', 'else', 'except', 'finally']);
/** Shapes whose references are not resolved while the model is loaded. */
const UNFOLLOWED = new Set(['preAggregation', 'timeDimension', 'index', 'policyCondition', 'case', 'link']);

function isFollowed({ parent, key }: Site): boolean {
  const list = parent?.node.kind === 'seq' ? parent : undefined;
  const holder = list ? list.parent : parent;
  return !UNFOLLOWED.has(holder?.shape ?? '') && ((list?.key ?? key) !== 'add_group_by' || isMultiStage(holder));
}

/** Checks for a multi-stage member: the engine reads `add_group_by` only there. */
function isMultiStage(member: Site | undefined): boolean {
  if (member?.node.kind !== 'map') return true;
  const pair = findPair(member.node, 'multi_stage') ?? findPair(member.node, 'multiStage');
  return pair?.value?.kind === 'scalar' && pair.value.value === 'true';
}

function noDimension({ start, end }: ScalarNode): Problem {
  return { code: 'wrong-type', start, end, message: 'This must be a dimension of the cube: write `CUBE.name`.' };
}

function emptyReference({ start, end }: ScalarNode): Problem {
  return { code: 'wrong-type', start, end, message: 'An empty reference leads nowhere: write a name or remove it.' };
}

/** Reports what the engine cannot read in a text of `meta`, whose contents no shape describes. */
export function checkFreeText(node: ScalarNode, chunk: Chunk): Problem[] {
  if (isStringPrefix(node.value)) return [prefixAlone(node)];
  return node.value.includes('{') && !isDynamic(node.value) ? bracesIn(node, chunk, 'text') : [];
}

/** Checks whether a scalar is a member's name, which becomes a key before anything is evaluated; the name of a cube or view does not. */
function isMemberName({ parent }: Site, node: ScalarNode): boolean {
  return parent?.parent !== undefined && parent.nameNode === node;
}

function prefixAlone({ start, end, value }: ScalarNode): Problem {
  return { code: 'text-f', start, end, message: `The text \`${value}\` alone breaks the engine: use another one.` };
}

function bracesIn(node: ScalarNode, chunk: Chunk, kind: 'sql' | 'text'): Problem[] {
  const { braces, paths } = readTemplate(chunk.text, node);
  const problems: Problem[] = [];
  let outer = 0;
  let isEmpty = false;
  let isOver = false;
  for (const each of braces) {
    if (isOver) break;
    const { start, end, closed } = each;
    // The contents of a string inside an expression belong to that string.
    if (start < outer) continue;
    const isAdjacent = start === outer && !isEmpty;
    outer = end;
    const inner = chunk.text.slice(start + 1, closed ? end - 1 : end);
    isEmpty = inner.trim() === '';
    // A comment includes all that follows.
    isOver ||= isComment(inner);
    const names = kind === 'text' ? paths.filter((path) => start <= path.start && path.end <= end) : [];
    append(problems, enclosed({ braces: each, inner, isAdjacent, kind, names }, node, chunk));
  }
  return problems;
}

/** The contents of braces, and what they are in. */
interface Enclosed {
  readonly braces: Braces;
  readonly inner: string;
  /** Whether other braces end directly before them. */
  readonly isAdjacent: boolean;
  readonly kind: 'sql' | 'text';
  /** The names in a text that is not SQL. */
  readonly names: readonly Path[];
}

function enclosed({ braces, inner, isAdjacent, kind, names }: Enclosed, node: ScalarNode, chunk: Chunk): Problem[] {
  const swallowed = isNothing(inner) && !isAdjacent && hasTextBefore(braces, node, chunk.text);
  const behind = isAdjacent && kind === 'sql' ? [adjacent(braces)] : [];
  if (!braces.closed) return [...unclosed(braces, node, chunk.text, swallowed), ...(braces.opensText ? behind : [])];
  if (inner.trim() === '') return breaksText(braces, node, chunk.text) ? [emptyBraces(braces, node)] : [];
  if (names.some((path) => !isLoaded(path))) return [inText(inner, braces, node)];
  // The engine skips these, and what is before them stays complete.
  if (isNothing(inner) && isAdjacent) return [];
  return [...unreadable(inner, braces, node, chunk, swallowed), ...behind];
}

function unclosed({ start, end, opensText }: Braces, node: ScalarNode, text: string, swallowed: boolean): Problem[] {
  const at = { start, end: start + 1 };
  if (opensText) return [{ code: 'bad-expression', severity: 'warning', ...at, message: OPENS_TEXT }];
  const inner = text.slice(start + 1, isQuoted(node) ? end - 1 : end);
  if (swallowed) return [unreadableExpression(inner, at)];
  // To the engine, a hash begins a comment that includes the missing brace.
  if (inner.includes('#')) return [];
  const message = 'This `{` is never closed: add `}`, or write `\\{` for the character itself.';
  return [{ code: 'bad-expression', ...at, message }];
}

const OPENS_TEXT =
  'Nothing closes this `{`, so the engine drops it and adds a quote at the end. Write `\\{` for the character itself.';

function unreadable(inner: string, braces: Braces, node: ScalarNode, chunk: Chunk, swallowed: boolean): Problem[] {
  const isBroken = node.style === 'double' && /\\[nr]/.test(inner);
  if (isBroken || swallowed || isUnreadable(inner, 'braces', isLiteral(node, chunk.text)))
    return [LITERAL.test(inner) ? literal(inner, braces, node) : unreadableExpression(inner, braces)];
  return hasRefusedArgument(withoutEscapes(inner, node)) ? [refusedArgument(inner, braces)] : [];
}

/** Checks for braces of which the engine skips everything: it then fails at text before them, but not at other braces. */
function isNothing(inner: string): boolean {
  return isSkipped(inner) || isCommented(inner);
}

function hasTextBefore({ start }: Braces, node: ScalarNode, text: string): boolean {
  const before = text.slice(node.start, start);
  return /\S/.test(node.style === 'block' ? before.replace(/^.*/, '') : before.replace(/^["']/, ''));
}

function isCommented(inner: string): boolean {
  return inner.trimStart().startsWith('#');
}

/** What databases write in braces: numbers or words in a list, `{1,2}`, and JSON, `{"a": 1}`. */
const LITERAL = /^\s*(?:[\w.]+(?:\s*,\s*[\w.]+)+|\\?["'][^{}:,]*[:,][^{}]*)$/;

function literal(inner: string, { start, end }: Braces, node: ScalarNode): Problem {
  const message = `The engine reads \`{${inner}}\` as an expression, and cannot. Write \`\\{${inner}\\}\` for the characters themselves.`;
  return { code: 'bad-expression', start, end, message, fix: escaping(inner, start, end, node) };
}

/** Returns an expression as YAML reads it. */
function withoutEscapes(inner: string, { style }: ScalarNode): string {
  if (style === 'single') return inner.replaceAll("''", "'");
  return style === 'double' ? inner.replaceAll('\\"', '"') : inner;
}

function refusedArgument(inner: string, { start, end }: Braces): Problem {
  if (!hasArrow(inner)) return unreadableExpression(inner, { start, end });
  const message =
    'The engine reads expressions in YAML as Python, which writes a function as `lambda x: f"column = {x}"`.';
  return { code: 'bad-expression', start, end, message };
}

/** Checks for a comment in an expression, outside of its strings. */
function isComment(inner: string): boolean {
  return inner.includes('#') && withoutStrings(inner, { triple: false }).includes('#');
}

/** Reports braces directly behind others, which the engine cannot tell apart. */
function adjacent({ start, end }: Braces): Problem {
  const message = 'The engine cannot read braces directly behind others: write a space or an operator between them.';
  return { code: 'bad-expression', start, end, message };
}

/** Checks whether the engine knows a name while it loads the model. */
function isLoaded({ segments }: Path): boolean {
  return LOADED.has(segments[0]?.text ?? '');
}

/** Checks for braces that are all of a block text, whose indicators and indentation are around them. */
function isAllOfBlock({ start, end }: Pick<Braces, 'start' | 'end'>, node: ScalarNode, text: string): boolean {
  if (node.style !== 'block' || node.value.length !== end - start) return false;
  return (
    /^[^\n]*\n *$/.test(text.slice(node.start, start)) && /^[\r\n]*$/.test(text.slice(end, Math.max(end + 1, node.end)))
  );
}

function isQuoted({ style }: ScalarNode): boolean {
  return style === 'double' || style === 'single';
}

/** Checks for empty braces next to text but not next to other braces: the engine fails at those. */
function breaksText({ start, end }: Braces, node: ScalarNode, text: string): boolean {
  if (isAllOfBlock({ start, end }, node, text)) return false;
  const inset = isQuoted(node) ? 1 : 0;
  const before = start > node.start + inset ? text[start - 1] : undefined;
  const after = end < node.end - inset ? text[end] : undefined;
  if (after === '{') return /^\{\s*\}/.test(text.slice(end, node.end));
  return (before ?? after) !== undefined && before !== '}';
}

function emptyBraces({ start, end }: Braces, node: ScalarNode): Problem {
  const message = 'The engine cannot read empty braces in a text: write `\\{\\}` for the characters themselves.';
  return { code: 'bad-expression', start, end, message, fix: { ...escaping('', start, end, node), sure: true } };
}

function inText(inner: string, { start, end }: Braces, node: ScalarNode): Problem {
  const message = `\`{${inner}}\` is evaluated when the model is loaded, and fails. Write \`\\{${inner}\\}\` for the characters themselves.`;
  return { code: 'braces-in-text', start, end, message, fix: escaping(inner, start, end, node) };
}

/** Returns a fix that makes braces literal. Double quotes need the backslash twice, because YAML reads it first. */
function escaping(inner: string, start: number, end: number, { style }: ScalarNode): Fix {
  const sign = style === 'double' ? '\\\\' : '\\';
  return { title: `Write \`\\{${inner}\\}\``, start, end, text: `${sign}{${inner}${sign}}` };
}

/** Returns the problem of an expression that the engine's reader refuses. */
export function unreadableExpression(inner: string, { start, end }: Pick<Braces, 'start' | 'end'>): Problem {
  const text = inner.trim();
  const word = PATH.test(text) && !CONSTANT.test(text) ? reservedIn(text) : undefined;
  const message =
    word === undefined
      ? `The engine cannot read \`${text}\`: only names, paths and calls are allowed here. Write operators outside of the braces.`
      : `\`${word}\` is a reserved word of the engine's expressions: ${isReservedAnywhere(word) ? 'give the member another name' : `write \`CUBE.${word}\``}.`;
  return { code: 'bad-expression', start, end, message };
}

/** Checks for a `|` scalar, which keeps its line breaks; elsewhere they become spaces. */
function isLiteral({ style, start }: ScalarNode, text: string): boolean {
  return style === 'block' && text[start] === '|';
}

const NESTED = /\([^()]*\)|\[[^[\]]*\]/g;
const UNREADABLE: readonly RegExp[] = [
  // A subscript, an operation, an assignment, a comparison.
  /[\w)\]]\s*=\s*\S/,
  /[\w)\]]\s*\[/,
  /[\w)\]]\s*[*/%+^-]/,
  /==|!=|[<>|&;@]/,
  /\S\s+(?:in|is|if|else)\s/,
  /[\w)\]]\s+not\b/,
  /[\w)\]]\s+(?:if|in|is|or)\s*$/,
  // Several values, a format, a dictionary.
  /[,:]\s*\S/,
  /^\s*\.\.\.\s*$/,
  // A star alone: this is not a list that accepts "all".
  /^\s*\*\s*$/,
  // Nothing after a dot.
  /[\w)\]]\s*\.\s*$/,
];
const PATH = /^ *[\w$]+(?:\.[\w$]+)* *$/;
const CONSTANT = /^ *(?:True|False|None) *$/;

/** Checks whether the engine's expression reader refuses a text, ignoring what is inside strings and calls. */
export function isUnreadable(inner: string, enclosure: Enclosure, isLiteralBlock = false): boolean {
  // Nearly all expressions are a path.
  if (PATH.test(inner)) return CONSTANT.test(inner) || reservedIn(inner) !== undefined;
  let bare = withoutStrings(inner, { triple: false }).replace(/#.*/, '');
  if (/\blambda\b\s*\S/.test(bare)) return /\blambda\s*:/.test(bare);
  if (/[\w)\]]\s*\[/.test(bare)) return true;
  for (let before = ''; before !== bare;) {
    before = bare;
    bare = bare.replaceAll(NESTED, '_');
  }
  return (isLiteralBlock && bare.includes('\n')) || isRefused(bare, enclosure);
}

/** Checks an expression without brackets and strings; see {@link isUnreadable}. */
function isRefused(expression: string, enclosure: Enclosure): boolean {
  const read = expression.slice(skippedLength(expression, enclosure)).replace(/^(?:\s*not\b)+/, '');
  const { names, rest } = splitBehindNames(read) ?? { names: '', rest: read };
  const path = names.replaceAll(/\s/g, '');
  if (reservedIn(path) !== undefined || CONSTANT.test(path)) return true;
  if (names === '' && (isSkipped(expression) || expression.trim() === '')) return false;
  if (names !== '' && (rest.trim() === '' || isSkippedBehind(rest, enclosure))) return false;
  // Behind a reference, other words begin a statement.
  if (names !== '' && isSkippedBehind(rest, 'braces')) return true;
  const stop = names === '' ? 0 : stopLength(rest);
  return UNREADABLE.some((pattern) => pattern.test(stop > 0 ? rest.slice(stop) : read));
}

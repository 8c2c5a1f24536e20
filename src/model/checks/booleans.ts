import type { Problem } from '../codes.ts';
import type { Chunk } from '../file.ts';
import { booleanValue } from '#model/expressions/boolean-expression.ts';
import { readExpression, type Segment } from '#model/expressions/strings.ts';
import { type ScalarNode, scalarType } from '../syntax/tree.ts';
import type { Site } from '../typed.ts';
import { LOADED } from './loaded-names.ts';
import { isUnreadable, unreadableExpression } from './templates.ts';
import { quotedValue } from './quoted-value.ts';

/** Keys whose value the engine evaluates as an expression, so that text is allowed. */
const EXPRESSIONS = new Set([
  'primary_key',
  'scheduled_refresh',
  'union_with_source_data',
  'rewrite_queries',
  'shown',
  'public',
  'sub_query',
  'propagate_filters_to_sub_query',
  'incremental',
  'external',
  'use_original_sql_pre_aggregations',
  'read_only',
  'prefix',
  'mask',
]);
/** Booleans that the engine also accepts as the text `true` or `false`. */
const LENIENT = new Set(['split', 'allow_non_strict_date_range_match']);
const WORDS: Readonly<Record<string, string>> = {
  true: 'true',
  false: 'false',
  yes: 'true',
  on: 'true',
  y: 'true',
  no: 'false',
  off: 'false',
  n: 'false',
};

const SECURITY = /^(?:securityContext|security_context|SECURITY_CONTEXT)$/;

/**
 * Checks a scalar where a boolean is expected; some keys take an expression that is evaluated on loading
 * (docs/model-language.md#strings).
 */
export function checkBoolean(site: Site, node: ScalarNode, chunk: Chunk): Problem[] {
  const kind = scalarType(node);
  const key = site.key ?? '';
  const isScript = chunk.kind === 'script';
  if (kind === 'boolean' || (kind === 'null' && !isScript)) return [];
  if (isScript) return LENIENT.has(key) && isWord(node.value) ? [] : [notBoolean(site, node)];
  if (isWord(node.value) && isLenient(site)) return [];
  return EXPRESSIONS.has(key) ? checkEvaluated(site, node, chunk) : [notBoolean(site, node)];
}

function checkEvaluated(site: Site, node: ScalarNode, chunk: Chunk): Problem[] {
  if (hasLineBreak(node)) return [unreadableExpression(node.value, node)];
  const value = booleanValue(node.value);
  if (typeof value === 'boolean') return [];
  return value === 'unknown' && isExpression(node) ? checkExpression(node, chunk) : [notBoolean(site, node)];
}

/** Checks for a line break, which a block text keeps at its end: the engine's reader of expressions fails at it. */
function hasLineBreak({ value }: ScalarNode): boolean {
  return /[\n\r]/.test(value);
}

function isLenient({ key = '', parent }: Site): boolean {
  return LENIENT.has(key) || (key === 'multi_stage' && parent?.shape === 'dimension');
}

function isExpression(node: ScalarNode): boolean {
  const { value } = node;
  return scalarType(node) !== 'number' && !/^[\d.]*$/.test(value) && /[.(]|\b(?:and|or|not)\b/.test(value);
}

function isWord(value: string): boolean {
  return /^(?:true|false|True|False)$/.test(value);
}

function notBoolean({ key = 'This' }: Site, { value, start, end }: ScalarNode): Problem {
  const word = value.toLowerCase();
  const better = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
  const fix =
    better === undefined ? undefined : { title: `Change to \`${better}\``, start, end, text: better, sure: true };
  return {
    code: 'bad-boolean',
    start,
    end,
    message: `\`${key}\` must be true or false, not ${quotedValue(value)}.`,
    fix,
  };
}

/** Checks an expression that the engine evaluates while it loads the model. */
export function checkExpression(node: ScalarNode, chunk: Chunk): Problem[] {
  if (hasLineBreak(node) || isUnreadable(node.value, 'reference')) return [unreadableExpression(node.value, node)];
  return readExpression(chunk.text, node).paths.flatMap(({ segments }): Problem[] => {
    const [head] = segments;
    return head && !LOADED.has(head.text) ? [notLoaded(head)] : [];
  });
}

function notLoaded({ text, start, end }: Segment): Problem {
  const better = SECURITY.test(text) ? 'COMPILE_CONTEXT.securityContext' : undefined;
  const fix = better === undefined ? undefined : { title: `Change to \`${better}\``, start, end, text: better };
  const message = `\`${text}\` is not known while the model is loaded: write a value, or an expression on \`COMPILE_CONTEXT\`.`;
  return { code: 'unknown-reference', start, end, message, fix };
}

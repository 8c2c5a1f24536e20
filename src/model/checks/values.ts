import type { Problem } from '../codes.ts';
import type { Part } from '../file.ts';
import { camelize, language } from '../language/language.ts';
import type { Choice, Type } from '../language/types.ts';
import { nearest } from '../suggest.ts';
import { isDynamic, type ScalarNode, scalarType, textOf, type TreeNode } from '../syntax/tree.ts';
import type { Site } from '../typed.ts';
import { formatProblem, memberFormatProblem, needsOrigin } from './formats.ts';

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
/** Shapes whose `type` (and joins whose `relationship`) may be written in either spelling. */
const CAMEL_CHOICES = new Set(['dimension', 'measure', 'preAggregation', 'join']);
/** Booleans that the engine also takes as the text `true` or `false`. */
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

type Checker<T extends Type['is']> = (
  site: Site,
  node: TreeNode,
  type: Type & { readonly is: T },
  isScript: boolean,
) => Problem[];

const text =
  (expected: string) =>
  (_: Site, node: TreeNode, __: Type, isScript: boolean): Problem[] =>
    node.kind === 'scalar' || isScript ? [] : [wrongType(node, expected)];

const CHECKERS: { readonly [T in Type['is']]: Checker<T> } = {
  text: (site, node, type, isScript) => checkText(site, node, type.choices, isScript),
  sql: text('SQL text'),
  reference: text('a reference'),
  boolean: (site, node, _, isScript) =>
    node.kind === 'scalar' ? checkBoolean(site, node, isScript) : [wrongType(node, 'true or false')],
  number: (_, node, __, isScript) =>
    (node.kind === 'scalar' && scalarType(node) === 'number') || isScript ? [] : [wrongType(node, 'a number')],
  list: (site, node, type, isScript) => checkList(node, type, site, isScript),
  members: (site, node, _, isScript) => checkMembers(site, node, isScript),
  map: (_, node, type, isScript) =>
    node.kind === 'map' || isScript ? [] : [wrongType(node, `a mapping (${language[type.shape].title.toLowerCase()})`)],
  either: (site, node, type, isScript) =>
    site.shape !== undefined || isScript || type.of.some((option) => fits(node, option))
      ? []
      : [wrongType(node, 'another kind of value')],
  any: () => [],
};

/** Checks one value against its type. */
export function checkValue(site: Site, part: Part): Problem[] {
  const { node, type } = site;
  if (node.kind === 'opaque' || (node.kind === 'scalar' && (node.style === 'code' || isDynamic(node.value)))) return [];
  // The table has a checker for each kind of type; the compiler cannot see that this one fits.
  const check = CHECKERS[type.is] as Checker<Type['is']>;
  return check(site, node, type, part.kind === 'script');
}

function fits(node: TreeNode, type: Type): boolean {
  if (type.is === 'map') return node.kind === 'map';
  if (type.is === 'list') return node.kind === 'seq';
  return node.kind === 'scalar';
}

function wrongType(node: TreeNode, expected: string): Problem {
  const end = node.kind === 'scalar' ? node.end : Math.min(node.end, node.start + 1);
  return { code: 'wrong-type', start: node.start, end, message: `This must be ${expected}.` };
}

function checkList(node: TreeNode, type: Type & { readonly is: 'list' }, site: Site, isScript: boolean): Problem[] {
  if (node.kind === 'seq')
    return type.min !== undefined && node.items.length < type.min && !node.open
      ? [wrongType(node, 'a list with at least one item')]
      : [];
  if (isScript) return [];
  // A reference list may be a single expression; the engine reads it as one.
  if (node.kind === 'scalar' && type.of.is === 'reference') return [];
  if (node.kind === 'scalar' && site.shape === undefined && type.of.is === 'any') return [];
  return [{ ...wrongType(node, 'a list'), severity: isUnread(node, type, site) ? 'warning' : undefined }];
}

/** A mapping instead of a list in a pre-aggregation: the engine reads nothing of it, and says nothing. */
function isUnread(node: TreeNode, { of }: Type & { readonly is: 'list' }, { parent }: Site): boolean {
  return node.kind === 'map' && of.is === 'reference' && parent?.shape === 'preAggregation';
}

function checkMembers(site: Site, node: TreeNode, isScript: boolean): Problem[] {
  // Nothing at all is an empty list to the engine.
  if (node.kind === 'seq' || isScript || (node.kind === 'scalar' && scalarType(node) === 'null')) return [];
  const isNested = site.key === 'indexes' || site.key === 'granularities';
  return [
    wrongType(
      node,
      isNested ? 'a list of mappings with `name`' : 'a list: put `- name: …` in front of each definition',
    ),
  ];
}

function checkBoolean(site: Site, node: ScalarNode, isScript: boolean): Problem[] {
  const kind = scalarType(node);
  const key = site.key ?? '';
  const isQuotedWord =
    /^(?:true|false|True|False)$/.test(node.value) && (EXPRESSIONS.has(key) || LENIENT.has(key) || isScript);
  if (kind === 'boolean' || isQuotedWord) return [];
  const isExpression = EXPRESSIONS.has(key) && (/[.(]/.test(node.value) || isScript);
  if (kind === 'null' || isExpression) return [];
  const better = WORDS[node.value.toLowerCase()];
  const fix =
    better === undefined
      ? undefined
      : { title: `Change to \`${better}\``, start: node.start, end: node.end, text: better };
  return [
    {
      code: 'bad-boolean',
      start: node.start,
      end: node.end,
      message: `\`${site.key ?? 'This'}\` must be true or false, not \`${node.value}\`.`,
      fix,
    },
  ];
}

function checkText(site: Site, node: TreeNode, choices: readonly Choice[] | undefined, isScript: boolean): Problem[] {
  if (node.kind !== 'scalar') return isScript ? [] : [wrongType(node, 'text')];
  if (node.style === 'template' && node.value.includes('${')) return [];
  const kind = scalarType(node);
  if (kind === 'null') return [];
  if (kind !== 'string') return [unquoted(node, kind)];
  if (choices) return checkChoice(site, node, choices);
  return [
    ...checkMask(site, node),
    ...checkFormat(site, node),
    ...(node.value === '' && !isScript && site.key !== 'alias' ? [empty(node)] : []),
  ];
}

/** A mask is an expression: a bare word is looked up and not found. */
function checkMask(site: Site, node: ScalarNode): Problem[] {
  if (site.key !== 'mask' || !/^[A-Za-z_]\w*$/.test(node.value) || node.style === 'template') return [];
  const fix = { title: 'Quote it as SQL text', start: node.start, end: node.end, text: `"'${node.value}'"` };
  return [
    {
      code: 'bad-expression',
      start: node.start,
      end: node.end,
      message: `A mask is an expression: write the text \`${node.value}\` as \`"'${node.value}'"\`.`,
      fix,
    },
  ];
}

function unquoted(node: ScalarNode, kind: string): Problem {
  const fix = { title: 'Put it in quotes', start: node.start, end: node.end, text: `"${node.value}"` };
  return {
    code: 'wrong-type',
    start: node.start,
    end: node.end,
    message: `This is a ${kind} to YAML, but must be text: put it in quotes.`,
    fix,
  };
}

function empty(node: ScalarNode): Problem {
  return {
    code: 'wrong-type',
    start: node.start,
    end: node.end,
    message: 'An empty text is not allowed here: write something or remove the key.',
  };
}

function checkChoice(site: Site, node: ScalarNode, choices: readonly Choice[]): Problem[] {
  const shape = site.parent?.shape ?? '';
  const isLoose = CAMEL_CHOICES.has(shape) && (site.key === 'type' || site.key === 'relationship');
  const same = (value: string): boolean =>
    value === node.value || (isLoose && camelize(value) === camelize(node.value));
  const found = choices.find(({ value }) => same(value));
  if (found?.deprecated !== undefined) {
    const fix = {
      title: `Change to \`${found.deprecated}\``,
      start: node.start,
      end: node.end,
      text: found.deprecated,
    };
    return [
      {
        code: 'deprecated',
        start: node.start,
        end: node.end,
        message: `\`${node.value}\` is the old name of \`${found.deprecated}\`.`,
        fix,
      },
    ];
  }
  if (found) return isStageOnly(site, node) ? [stageOnly(node)] : [];
  const offered = choices
    .filter(({ hidden, deprecated }) => !hidden && deprecated === undefined)
    .map(({ value }) => value);
  const guess = nearest(node.value, offered);
  const fix =
    guess === undefined
      ? undefined
      : { title: `Change to \`${guess}\``, start: node.start, end: node.end, text: guess };
  return [
    {
      code: 'bad-value',
      start: node.start,
      end: node.end,
      message: `\`${node.value}\` is not allowed here. Use one of: ${offered.join(', ')}.`,
      fix,
    },
  ];
}

/** `number_agg` and `rank` exist in multi-stage measures only. */
function isStageOnly(site: Site, node: ScalarNode): boolean {
  const owner = site.parent?.node;
  if (
    site.parent?.shape !== 'measure' ||
    site.key !== 'type' ||
    !/^(?:number_?[aA]gg|rank)$/.test(node.value) ||
    owner?.kind !== 'map'
  )
    return false;
  return !owner.open && textOf(owner, 'multi_stage', 'multiStage') !== 'true';
}

function stageOnly(node: ScalarNode): Problem {
  return {
    code: 'bad-value',
    start: node.start,
    end: node.end,
    message: `\`${node.value}\` needs \`multi_stage: true\`.`,
  };
}

function checkFormat(site: Site, node: ScalarNode): Problem[] {
  const { type } = site;
  const at = { start: node.start, end: node.end };
  if (type.is !== 'text' || !type.format || node.value === '') return [];
  const message = formatProblem(type.format, node.value);
  if (message !== undefined)
    return [{ code: type.format === 'identifier' ? 'bad-name' : 'bad-format', ...at, message }];
  const owner = site.parent?.node;
  if (owner?.kind !== 'map') return [];
  if (
    type.format === 'granularityInterval' &&
    textOf(owner, 'origin') === undefined &&
    !owner.open &&
    needsOrigin(node.value)
  ) {
    return [
      {
        code: 'bad-format',
        ...at,
        message: `\`${node.value}\` does not divide a longer period evenly: add an \`origin\`.`,
      },
    ];
  }
  return type.format === 'memberFormat' ? checkMemberFormat(site, node, owner) : [];
}

function checkMemberFormat(site: Site, node: ScalarNode, owner: TreeNode & { readonly kind: 'map' }): Problem[] {
  const shape = site.parent?.shape;
  const kind = textOf(owner, 'type');
  // The format of an included member depends on a type that stands elsewhere.
  if ((shape !== 'measure' && shape !== 'dimension') || (shape === 'dimension' && kind === undefined) || owner.open)
    return [];
  const message = memberFormatProblem(node.value, shape, kind ?? '');
  return message === undefined ? [] : [{ code: 'bad-format', start: node.start, end: node.end, message }];
}

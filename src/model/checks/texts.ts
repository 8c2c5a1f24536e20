import { GROUP_SHAPES } from '#model/language/group-shapes.ts';
import { capitalized } from '#base/words.ts';
import { unreadableExpression } from './templates.ts';
import type { Problem } from '../codes.ts';
import type { Chunk } from '../file.ts';
import { camelize } from '../language/camelize.ts';
import { language } from '../language/language.ts';
import type { Choice, TextFormat, Type } from '../language/types.ts';
import { isTypo, nearestName } from '../suggest.ts';
import { findPair, type ScalarNode, scalarType, textOf, type TreeNode } from '../syntax/tree.ts';
import type { Site } from '../typed.ts';
import { checkExpression } from './booleans.ts';
import { formatProblem, meantInterval, memberFormatProblem, needsOrigin } from './formats.ts';
import { KEYED } from './names.ts';
import { quotedValue } from './quoted-value.ts';
import { isComputedText, isNothing, wrongType } from './wrong-type.ts';

/** Shapes whose `type` (and joins whose `relationship`) may be written in either spelling. */
const CAMEL_CHOICES = new Set(['dimension', 'measure', 'preAggregation', 'join']);

/** Checks a value that must be text: one of several choices, of a format, or any. */
export function checkText(site: Site, node: TreeNode, choices: readonly Choice[] | undefined, chunk: Chunk): Problem[] {
  const isScript = chunk.kind === 'script';
  // A view may have a list of groups under either key.
  if (node.kind === 'seq' && isNamesOfGroups(site.type)) return [];
  if (node.kind !== 'scalar') return [tolerated(site, node, wrongType(node, 'text'))];
  if (isComputedText(node)) return [];
  const kind = scalarType(node);
  if (isDefaulted(site, node)) return [];
  if (kind === 'null') return isScript ? [wrongType(node, 'text')] : [];
  if (choices) return checkChoice(site, node, choices);
  if (kind !== 'string') return [tolerated(site, node, unquoted(node, kind, isScript))];
  return [...checkMask(site, node, chunk), ...checkFormat(site, node), ...checkEmpty(site, node, isScript)];
}

/** Checks for the name of a view group, in place of which the engine takes a list and a function, too. */
export function isNamesOfGroups(type: Type): boolean {
  return type.is === 'list' ? isNamesOfGroups(type.of) : type.is === 'text' && type.to === 'viewGroup';
}

function checkEmpty({ key, parent }: Site, node: ScalarNode, isScript: boolean): Problem[] {
  // The engine reads the keys of groups in YAML only if they have a value.
  const mayBeEmpty = !isScript && GROUP_SHAPES.has(parent?.shape ?? '') && key !== 'name';
  return node.value === '' && !mayBeEmpty ? [empty(node)] : [];
}

/** Lowers a problem of a name that becomes a key to a warning: the engine accepts anything that reads like a name. */
function tolerated({ key, parent }: Site, node: TreeNode, problem: Problem): Problem {
  if (key !== 'name' || !(KEYED.has(parent?.shape ?? '') || parent?.shape === 'index')) return problem;
  const only = node.kind === 'seq' && node.items.length === 1 ? node.items[0] : node;
  const isName = only?.kind === 'scalar' && /^[_a-zA-Z]\w*$/.test(only.value) && scalarType(only) !== 'null';
  return isName ? { ...problem, severity: 'warning' } : problem;
}

/** Checks a mask, which is an expression: a bare word is resolved as a name and not found. */
function checkMask(site: Site, node: ScalarNode, chunk: Chunk): Problem[] {
  if (site.key !== 'mask' || chunk.kind === 'script' || /^(?:true|false|True|False)$/.test(node.value)) return [];
  if (/^[\s}$]+$/.test(node.value)) return [unreadableExpression(node.value, node)];
  if (!/^[A-Za-z_]\w*$/.test(node.value)) return checkExpression(node, chunk);
  const fix = { title: 'Quote it as SQL text', start: node.start, end: node.end, text: `"'${node.value}'"` };
  const message = `A mask is an expression: write the text \`${node.value}\` as \`"'${node.value}'"\`.`;
  return [{ code: 'bad-expression', start: node.start, end: node.end, message, fix }];
}

function unquoted(node: ScalarNode, kind: string, isScript: boolean): Problem {
  const fix = { title: 'Put it in quotes', start: node.start, end: node.end, text: `"${node.value}"`, sure: true };
  return {
    code: 'wrong-type',
    start: node.start,
    end: node.end,
    message: `This is a ${kind}${isScript ? '' : ' to YAML'}, but must be text: put it in quotes.`,
    fix,
  };
}

/** Checks for the type of a pre-aggregation or an index that has none: it is then the usual one. */
function isDefaulted({ key, parent }: Site, node: TreeNode): boolean {
  return key === 'type' && DEFAULTED.has(parent?.shape ?? '') && isNothing(node);
}

const DEFAULTED = new Set(['preAggregation', 'index']);

function empty(node: ScalarNode): Problem {
  return {
    code: 'wrong-type',
    start: node.start,
    end: node.end,
    message: 'An empty text is not allowed here: write something or remove the key.',
  };
}

const ALL = 'Write a list of names, or "*" for all.';

/** Checks for the only text that may stand in place of a list of members. */
function isAll(offered: readonly string[]): boolean {
  return offered.length === 1 && offered[0] === '*';
}

function checkChoice(site: Site, node: ScalarNode, choices: readonly Choice[]): Problem[] {
  const shape = site.parent?.shape ?? '';
  const acceptsCamelCase = CAMEL_CHOICES.has(shape) && (site.key === 'type' || site.key === 'relationship');
  const same = (value: string): boolean =>
    value === node.value ||
    (acceptsCamelCase && camelize(value) === (node.value.includes('_') ? camelize(node.value) : node.value));
  const found = choices.find(({ value }) => same(value));
  if (found?.deprecated !== undefined) {
    const fix = {
      title: `Change to \`${found.deprecated}\``,
      start: node.start,
      end: node.end,
      text: found.deprecated,
      sure: true,
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
  const guess = nearestName(node.value, offered);
  const fix =
    guess === undefined
      ? undefined
      : {
          title: `Change to \`${guess}\``,
          start: node.start,
          end: node.end,
          text: guess,
          sure: isTypo(node.value, guess, offered),
        };
  return [
    {
      code: 'bad-value',
      start: node.start,
      end: node.end,
      message: `${capitalized(quotedValue(node.value))} is not allowed here. ${isAll(offered) ? ALL : `Use one of: ${offered.join(', ')}.`}`,
      fix,
    },
  ];
}

/** Checks for types that exist in multi-stage measures only: `number_agg` and `rank`. */
function isStageOnly(site: Site, node: ScalarNode): boolean {
  const owner = site.parent?.node;
  if (
    site.parent?.shape !== 'measure' ||
    site.key !== 'type' ||
    !/^(?:number_?[aA]gg|rank)$/.test(node.value) ||
    owner?.kind !== 'map'
  )
    return false;
  const stage = findPair(owner, 'multi_stage', 'multiStage')?.value;
  return !owner.open && stage?.kind !== 'opaque' && textOf(owner, 'multi_stage', 'multiStage') !== 'true';
}

function stageOnly(node: ScalarNode): Problem {
  return {
    code: 'bad-value',
    start: node.start,
    end: node.end,
    message: `\`${node.value}\` needs \`multi_stage: true\`.`,
  };
}

/** Returns the problem of a text that does not have its format; of an interval, with what its author may have meant. */
function malformed(format: TextFormat, node: ScalarNode, message: string): Problem {
  const at = { start: node.start, end: node.end };
  const meant = meantInterval(format, node.value);
  if (meant === undefined) return { code: format === 'identifier' ? 'bad-name' : 'bad-format', ...at, message };
  return {
    code: 'bad-format',
    ...at,
    message: `${capitalized(quotedValue(node.value))} is not allowed here. Did you mean \`${meant}\`?`,
    fix: { title: `Change to \`${meant}\``, ...at, text: meant },
  };
}

function checkFormat(site: Site, node: ScalarNode): Problem[] {
  const { type } = site;
  const at = { start: node.start, end: node.end };
  if (type.is !== 'text' || !type.format || node.value === '') return [];
  const message = formatProblem(type.format, node.value);
  if (message !== undefined) return [malformed(type.format, node, message)];
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
  // The format of an included member depends on a type defined elsewhere.
  if ((shape !== 'measure' && shape !== 'dimension') || (shape === 'dimension' && kind === undefined) || owner.open)
    return [];
  // Of a type that does not exist, the type itself is reported.
  if (shape === 'dimension' && !isType(kind ?? '')) return [];
  const message = memberFormatProblem(node.value, shape, kind ?? '');
  return message === undefined ? [] : [{ code: 'bad-format', start: node.start, end: node.end, message }];
}

/** Checks for a type that dimensions have. */
function isType(text: string): boolean {
  const type = language.dimension.keys['type']?.type;
  return type?.is === 'text' && type.choices?.some(({ value }) => value === text) === true;
}

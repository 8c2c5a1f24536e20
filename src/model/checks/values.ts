import type { Problem } from '../codes.ts';
import type { Part } from '../file.ts';
import { camelize, language } from '../language/language.ts';
import type { Choice, Type } from '../language/types.ts';
import { nearest } from '../suggest.ts';
import { isDynamic, type ScalarNode, scalarType, textOf, type TreeNode, walk } from '../syntax/tree.ts';
import type { Site } from '../typed.ts';
import { checkBoolean } from './booleans.ts';
import { KEYED } from './names.ts';
import { formatProblem, memberFormatProblem, needsOrigin } from './formats.ts';

/** Shapes whose `type` (and joins whose `relationship`) may be written in either spelling. */
const CAMEL_CHOICES = new Set(['dimension', 'measure', 'preAggregation', 'join']);
type Checker<T extends Type['is']> = (
  site: Site,
  node: TreeNode,
  type: Type & { readonly is: T },
  isScript: boolean,
  part: Part,
) => Problem[];

const CHECKERS: { readonly [T in Type['is']]: Checker<T> } = {
  text: (site, node, type, isScript) => checkText(site, node, type.choices, isScript),
  sql: (site, node, _, isScript) =>
    node.kind === 'scalar' || isScript
      ? []
      : [{ ...wrongType(node, 'SQL text'), severity: isUnreadSql(site, node) ? 'warning' : undefined }],
  reference: (site, node, _, isScript) => (isScript ? checkParent(site, node) : checkReferenceValue(site, node)),
  boolean: (site, node, _, __, part) =>
    node.kind === 'scalar' ? checkBoolean(site, node, part) : [wrongType(node, 'true or false')],
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
  return check(site, node, type, part.kind === 'script', part);
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

/** Shapes whose own `sql` the engine reads while it compiles. */
const READ_SQL = new Set(['dimension', 'measure', 'segment']);

/** A mapping or a list where SQL is expected: the engine compiles the model, and fails in a query. */
function isUnreadSql({ parent }: Site, node: TreeNode): boolean {
  let isPlain = true;
  walk(node, (item) => {
    if (item.kind === 'scalar' && scalarType(item) === 'null') isPlain = false;
    if (item.kind === 'map' && item.pairs.some(({ value }) => !value)) isPlain = false;
    if (item.kind === 'seq' && item.items.includes(undefined)) isPlain = false;
  });
  if (node.kind !== 'seq' || node.items.length === 0) return isPlain;
  const isRead = READ_SQL.has(parent?.shape ?? '');
  return node.items.every(
    (item) => item?.kind === 'scalar' && isText(item) && (!isRead || (parent && mayBeMember(parent, item.value))),
  );
}

/** Whether a member of the entity around has a name: then the engine follows it, and finds it. References are their own. */
function mayBeMember(site: Site, name: string): boolean {
  if (name.includes('{')) return true;
  let root = site;
  while (root.parent) root = root.parent;
  let isThere = false;
  walk(root.node, (item) => {
    if (item.kind === 'map' && textOf(item, 'name') === name) isThere = true;
  });
  return isThere;
}

function isText(node: ScalarNode): boolean {
  return scalarType(node) === 'string';
}

/** Keys whose reference is followed while the model is loaded. */
const FOLLOWED = new Set(['extends', 'key']);

/** A script hands over the cube that it extends, not its name. */
function checkParent({ key }: Site, node: TreeNode): Problem[] {
  const isText = node.kind === 'scalar' && node.style !== 'code' && scalarType(node) === 'string';
  if (key !== 'extends' || !isText) return [];
  const name = /^(?:\$\{)?(\w+)\}?$/.exec(node.value)?.[1];
  const fix =
    name === undefined ? undefined : { title: `Change to \`${name}\``, start: node.start, end: node.end, text: name };
  return [{ ...wrongType(node, `the cube itself: \`extends: ${name ?? 'name'}\``), fix }];
}

function checkReferenceValue(site: Site, node: TreeNode): Problem[] {
  const isItem = site.parent?.node.kind === 'seq';
  const isRead = isItem || FOLLOWED.has(site.key ?? '') || site.key === 'join_path';
  if (node.kind !== 'scalar') return [{ ...wrongType(node, 'a reference'), severity: isRead ? undefined : 'warning' }];
  const kind = scalarType(node);
  if (kind === 'string' || kind === 'null' || !(isItem || FOLLOWED.has(site.key ?? ''))) return [];
  return [
    { ...wrongType(node, 'a reference'), message: `\`${node.value}\` is a ${kind}: write the name of a member.` },
  ];
}

function checkList(node: TreeNode, type: Type & { readonly is: 'list' }, site: Site, isScript: boolean): Problem[] {
  if (node.kind === 'seq')
    return type.min !== undefined && node.items.length < type.min && !node.open
      ? [wrongType(node, 'a list with at least one item')]
      : [];
  if (isScript) return [];
  // A reference list may be a single expression; the engine reads it as one.
  if (node.kind === 'scalar' && type.of.is === 'reference') return [];
  if (node.kind === 'scalar' && type.of.is === 'any' && !isListOnly(site, node)) return [];
  return [{ ...wrongType(node, 'a list'), severity: isUnread(node, type, site) ? 'warning' : undefined }];
}

/** Values that are read while the model is loaded must be a list then; an expression may yield one. */
function isListOnly({ parent }: Site, { value }: ScalarNode): boolean {
  return parent?.shape === 'stageCondition' || (parent?.shape === 'defaultFilter' && !/[{(.]/.test(value));
}

/** A mapping instead of a list in a pre-aggregation: the engine reads nothing of it, and says nothing. */
function isUnread(node: TreeNode, { of }: Type & { readonly is: 'list' }, { parent }: Site): boolean {
  return node.kind === 'map' && of.is === 'reference' && parent?.shape === 'preAggregation';
}

function checkMembers(site: Site, node: TreeNode, isScript: boolean): Problem[] {
  if (node.kind === 'seq' && isScript && site.key !== 'joins' && (node.items.length > 0 || node.open))
    return [wrongType(node, 'an object: `{ name: { … } }`')];
  if (node.kind === 'seq' && !isScript) return node.items.flatMap((item) => checkMember(item));
  // Nothing at all is an empty list to the engine.
  if (isScript || (node.kind === 'scalar' && scalarType(node) === 'null')) return [];
  const isNested = site.key === 'indexes' || site.key === 'granularities';
  return [
    wrongType(
      node,
      isNested ? 'a list of mappings with `name`' : 'a list: put `- name: …` in front of each definition',
    ),
  ];
}

function checkMember(item: TreeNode | undefined): Problem[] {
  if (!item || item.kind === 'map' || item.kind === 'opaque' || (item.kind === 'scalar' && isDynamic(item.value)))
    return [];
  return [wrongType(item, 'a mapping with a `name`')];
}

function checkText(site: Site, node: TreeNode, choices: readonly Choice[] | undefined, isScript: boolean): Problem[] {
  if (node.kind !== 'scalar') return isScript ? [] : [tolerated(site, node, wrongType(node, 'text'))];
  if (node.style === 'template' && node.value.includes('${')) return [];
  const kind = scalarType(node);
  if (kind === 'null') return [];
  if (kind !== 'string') return [tolerated(site, node, unquoted(node, kind))];
  if (choices) return checkChoice(site, node, choices);
  const mayBeEmpty = isScript || (site.key === 'alias' && site.parent?.shape === 'viewCube');
  return [
    ...checkMask(site, node),
    ...checkFormat(site, node),
    ...(node.value === '' && !mayBeEmpty ? [empty(node)] : []),
  ];
}

/** A name that becomes a key may be written as anything that reads like one. */
function tolerated({ key, parent }: Site, node: TreeNode, problem: Problem): Problem {
  if (key !== 'name' || !(KEYED.has(parent?.shape ?? '') || parent?.shape === 'index')) return problem;
  const only = node.kind === 'seq' && node.items.length === 1 ? node.items[0] : node;
  const isName = only?.kind === 'scalar' && /^[_a-zA-Z]\w*$/.test(only.value) && scalarType(only) !== 'null';
  return isName ? { ...problem, severity: 'warning' } : problem;
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

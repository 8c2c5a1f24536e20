import { append } from '#base/long-lists.ts';
import { type Hover, MarkupContent, MarkupKind } from 'vscode-languageserver';
import { baseName } from '#base/path.ts';
import { plural } from '#base/words.ts';
import { extendedParent } from '#model/effective.ts';
import { cardinality, joinsOf } from '#model/graph.ts';
import type { GranularityAt } from '#model/usages/granularity-names.ts';
import type { ModelIndex } from '#model/index.ts';
import { entityAt } from '#model/locate.ts';
import { nounOfKind } from '#model/kind-nouns.ts';
import { language } from '#model/language/language.ts';
import { camelize } from '#model/language/camelize.ts';
import { GRANULARITIES } from '#model/language/shared-keys.ts';
import type { Key, Type } from '#model/language/types.ts';
import type { EntitySymbol, MemberSymbol } from '#model/symbols.ts';
import { findPair, textOf, type TreeNode, withEllipses } from '#model/syntax/tree.ts';
import { keyInfo, typedPositionAt } from '#model/typed.ts';
import { type Subject, usagesOf } from '#model/usages/usages.ts';
import { rangeOf } from '#language-server/documents/lines.ts';
import type { Opened } from '#language-server/workspace/workspace.ts';
import { found, granularityIn, hasSchema, symbolAt } from './locations.ts';
import { jinjaHover } from '#language-server/ide/templates/jinja.ts';
import { platformHover, platformLines } from '#language-server/ide/completion/platform-words.ts';
import { templateHover } from '#language-server/ide/templates/template-help.ts';
import { booleanWords, formatWords } from './value-words.ts';
import { describeType } from './words.ts';
import { codeBlock, escapeMarkdown } from './markdown-text.ts';

/**
 * Describes what is under the cursor: a key of the language, or the cube, view or member that is defined or referred to.
 * `yieldToYaml`: another server explains keys, in files that the schema applies to.
 */
export function hover(opened: Opened, offset: number, yieldToYaml = false): Hover | null {
  const shown = hoverAt(opened, offset, yieldToYaml);
  if (!shown || !MarkupContent.is(shown.contents)) return shown;
  // VS Code would fetch a picture from an address in the description, and so reveal to its server who reads the model.
  return {
    ...shown,
    contents: { ...shown.contents, value: withEllipses(shown.contents.value).replaceAll('![', '! [') },
  };
}

function hoverAt(opened: Opened, offset: number, yieldToYaml: boolean): Hover | null {
  const ofTemplate = jinjaHover(opened, offset) ?? templateHover(opened, offset);
  if (ofTemplate) return ofTemplate;
  const granularity = granularityIn(opened, offset);
  if (granularity) return granularityHover(granularity, opened, offset);
  const subject = found(opened, offset);
  if (subject) {
    const value =
      subject.referent?.is === 'granularity'
        ? `**${subject.referent.name}** · granularity of \`${subject.referent.of.name}\``
        : [
            subjectText(subject.subject, subject.in, opened.root.index),
            ...platformLines(subject.subject, opened.root.platform),
          ].join('\n');
    return { contents: { kind: MarkupKind.Markdown, value }, range: subject.range };
  }
  const isYielded = yieldToYaml && hasSchema(opened);
  return (isYielded ? null : (hoverKey(opened, offset) ?? hoverValue(opened, offset))) ?? hoverUnknown(opened, offset);
}

/** Describes a granularity that a time dimension defines. */
function granularityHover(
  { granularity: { member, node, nameNode }, start, end }: GranularityAt,
  opened: Opened,
  offset: number,
): Hover {
  const base = symbolAt(opened, offset)?.start ?? 0;
  const facts = ['interval', 'origin', 'offset'].flatMap((key) => {
    const text = textOf(node, key);
    return text === undefined ? [] : [`- ${key}: ${escapeMarkdown(text)}`];
  });
  const lines = [
    `**${escapeMarkdown(nameNode.value)}** · granularity of \`${member.owner.name}.${member.name}\``,
    ...titleLines(textOf(node, 'title'), textOf(node, 'description')),
    ...(facts.length === 0 ? [] : ['', ...facts]),
    ...where(member.owner, opened.root.index),
  ];
  return {
    contents: { kind: MarkupKind.Markdown, value: lines.join('\n') },
    range: rangeOf(opened.positions, base + start, base + end),
  };
}

/** Describes a name that the files do not define but the platform knows. */
function hoverUnknown(opened: Opened, offset: number): Hover | null {
  const { platform } = opened.root;
  const at = platform && symbolAt(opened, offset);
  if (!at) return null;
  const inside = offset - at.start;
  const reference = at.symbol.references.find(({ start, end }) => start <= inside && inside <= end);
  if (!reference) return null;
  const upTo = reference.segments.filter(({ start }) => start <= inside).map(({ text }) => text);
  const value = platformHover(upTo, at.symbol, platform);
  if (value === undefined) return null;
  const range = rangeOf(opened.positions, at.start + reference.start, at.start + reference.end);
  return { contents: { kind: MarkupKind.Markdown, value }, range };
}

function hoverKey({ file, positions }: Opened, offset: number): Hover | null {
  const at = entityAt(file, offset);
  if (!at) return null;
  const position = typedPositionAt(at.entity, offset - at.start);
  if (!position.pair || !position.inKey) return null;
  const known = keyInfo(position.site, position.pair);
  if (!known) return null;
  const { key } = position.pair;
  const shape = position.site.shape === undefined ? '' : language[position.site.shape].title;
  const value = keySummary(known.name, shape, known.info);
  return {
    contents: { kind: MarkupKind.Markdown, value },
    range: rangeOf(positions, at.start + key.start, at.start + key.end),
  };
}

/** Explains a fixed value of the language, such as `many_to_one`. */
function hoverValue({ file, positions }: Opened, offset: number): Hover | null {
  const at = entityAt(file, offset);
  if (!at) return null;
  const { site } = typedPositionAt(at.entity, offset - at.start);
  const { node, key } = site;
  if (node.kind !== 'scalar' || key === undefined) return null;
  const doc = docOfValue(site.type, node.value, key);
  if (doc === undefined) return null;
  const value = [`**${escapeMarkdown(node.value)}** · \`${key}\``, '', doc].join('\n');
  return {
    contents: { kind: MarkupKind.Markdown, value },
    range: rangeOf(positions, at.start + node.start, at.start + node.end),
  };
}

/** Returns the description of a value that a type knows. */
function docOfValue(type: Type, value: string, key: string): string | undefined {
  if (type.is === 'either')
    return type.of.map((option) => docOfValue(option, value, key)).find((doc) => doc !== undefined);
  if (type.is === 'list') return docOfValue(type.of, value, key);
  if (type.is === 'boolean') return booleanWords(key, value);
  if (type.is !== 'text') return undefined;
  if (type.format === 'memberFormat' || key === 'format') return formatWords(value);
  // Scripts often have the other spelling: `manyToOne`.
  const known = type.choices?.find((choice) => camelize(choice.value) === camelize(value));
  if (known?.deprecated !== undefined) return `${known.doc} Deprecated: write \`${known.deprecated}\`.`;
  if (known) return known.doc;
  const isGranularity = type.format === 'granularity' && (GRANULARITIES as readonly string[]).includes(value);
  return isGranularity ? `One row per ${value}.` : undefined;
}

/** Returns the description of a key of the language for hovers and completions. */
export function keySummary(name: string, shape: string, info: Key): string {
  const lines = [
    `**${name}** · ${shape} · ${describeType(info.type)}${info.required ? ' · required' : ''}`,
    '',
    info.doc,
  ];
  if (info.deprecated) lines.push('', `Deprecated: ${info.deprecated.why}`);
  return lines.join('\n');
}

/** Describes a cube, view or member: its kind, its SQL and its documentation. */
export function subjectText(subject: Subject, inside: EntitySymbol, index: ModelIndex): string {
  if (subject.is === 'entity') return entitySummary(subject.entity, index);
  if (subject.is === 'member') return memberSummary(subject.member, inside, index);
  return `**${escapeMarkdown(subject.node.value)}** · name of a member in the view \`${subject.view.name}\``;
}

const MEMBER_KINDS = ['measure', 'dimension', 'segment'] as const;

function entitySummary(entity: EntitySymbol, index: ModelIndex): string {
  const { node } = entity.entity;
  const members = [...index.membersOf(entity).byName.values()];
  const count = (kind: MemberSymbol['kind']): number => members.filter((member) => member.kind === kind).length;
  const parent = extendedParent(entity, index);
  const lines = [
    `**${escapeMarkdown(entity.name)}** · ${nounOfKind(entity.kind)}${parent ? ` · extends \`${parent.name}\`` : ''}`,
    ...titleLines(textOf(node, 'title'), textOf(node, 'description')),
  ];
  if (entity.kind !== 'viewGroup') lines.push('', MEMBER_KINDS.map((kind) => plural(count(kind), kind)).join(', '));
  for (const { to, join } of entity.kind === 'cube' ? joinsOf(entity, index).slice(0, 8) : [])
    lines.push(`- joins \`${to.name}\` (${cardinality(join)})`);
  append(lines, [
    ...sqlLines(entity.chunk.text, findPair(node, 'sql_table', 'sqlTable', 'sql')?.value),
    ...where(entity, index),
  ]);
  return lines.join('\n');
}

function memberSummary(member: MemberSymbol, inside: EntitySymbol, index: ModelIndex): string {
  const { node, owner } = member;
  const type = textOf(node, 'type');
  const facts = [
    nounOfKind(member.kind),
    type,
    textOf(node, 'format'),
    textOf(node, 'primary_key', 'primaryKey') === 'true' ? 'primary key' : undefined,
    textOf(node, 'public') === 'false' ? 'not public' : undefined,
  ];
  const lines = [
    `**${escapeMarkdown(`${owner.name}.${member.name}`)}** · ${escapeMarkdown(facts.filter((fact) => fact !== undefined).join(' · '))}`,
    ...titleLines(textOf(node, 'title'), textOf(node, 'description')),
  ];
  if (
    inside !== owner &&
    inside.extends &&
    inside.members.get(member.name) === undefined &&
    index.member(inside, member.name)?.member === member
  )
    lines.push('', `Inherited from \`${owner.name}\`.`);
  if (member.kind === 'preAggregation') append(lines, preAggregationLines(member));
  append(lines, sqlLines(owner.chunk.text, findPair(node, 'sql')?.value));
  const uses = usagesOf({ is: 'member', member }, index).filter(({ role }) => role !== 'definition').length;
  append(lines, ['', plural(uses, 'use'), ...where(owner, index)]);
  return lines.join('\n');
}

/** Returns the members of a pre-aggregation, and how it is partitioned and refreshed. */
function preAggregationLines({ node, owner }: MemberSymbol): string[] {
  const written = (...keys: [string, ...string[]]): string | undefined => {
    const value = findPair(node, ...keys)?.value;
    return (
      value &&
      owner.chunk.text
        .slice(value.start, value.end)
        .replaceAll(/^[ \t]*- +|^\[|\]$/gm, '')
        .trim()
    );
  };
  const inOne = (text: string | undefined): string | undefined => text?.split(/(?<!\s)\s*\n\s*/).join(', ');
  const granularity = textOf(node, 'granularity');
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['measures', inOne(written('measures'))],
    ['dimensions', inOne(written('dimensions'))],
    ['segments', inOne(written('segments'))],
    ['time dimension', [written('time_dimension', 'timeDimension'), granularity].filter((text) => text).join(' by ')],
    ['partitions by', textOf(node, 'partition_granularity', 'partitionGranularity')],
    ['refresh', inOne(written('refresh_key', 'refreshKey'))],
  ];
  const known = facts.filter(([, text]) => text !== undefined && text !== '');
  return known.length === 0
    ? []
    : ['', ...known.map(([name, text]) => `- ${name}: ${escapeMarkdown((text ?? '').slice(0, 200))}`)];
}

function titleLines(title: string | undefined, description: string | undefined): string[] {
  return [
    ...(title === undefined ? [] : ['', `*${escapeMarkdown(title)}*`]),
    ...(description === undefined ? [] : ['', escapeMarkdown(description)]),
  ];
}

function sqlLines(text: string, node: TreeNode | undefined): string[] {
  if (!node) return [];
  // Quotes of YAML would be highlighted as quotes of SQL.
  const isQuoted = node.kind === 'scalar' && (node.style === 'single' || node.style === 'double');
  const sql = (isQuoted ? node.value : text.slice(node.start, node.end)).slice(0, 600);
  return ['', ...codeBlock('sql', sql.replace(/^[|>][-+]?\s*\n/, '').replaceAll(/^\s{4,}/gm, '  '))];
}

function where(entity: EntitySymbol, index: ModelIndex): string[] {
  const file = index.placement(entity.chunk)?.file;
  return file ? ['', `Defined in ${decodeURIComponent(baseName(file.path))}`] : [];
}

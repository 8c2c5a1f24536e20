import { append } from '#base/long-lists.ts';
import type { Problem } from '../codes.ts';
import type { ModelFile, Chunk, PlacedChunk } from '../file.ts';
import { nearestName } from '../suggest.ts';
import { isDynamic, type ScalarNode, scalarType, type TreeNode } from '../syntax/tree.ts';
import { parseYaml } from '../syntax/parse.ts';
import { ONE_DOCUMENT } from '../syntax/yaml/split.ts';
import { isNothing } from './wrong-type.ts';

const SECTIONS = ['cubes', 'views', 'view_groups'] as const;

/** Checks the top level of a file: unknown, duplicate and non-list sections. Offsets are the file's. */
export function checkFile(file: ModelFile): Problem[] {
  if (file.language === 'script') return [];
  const problems: Problem[] = [];
  const seen = new Map<string, number>();
  const documents = file.problems.flatMap(({ message, start }) => (message === ONE_DOCUMENT ? [start] : []));
  for (const { key, start } of sectionKeys(file)) {
    if (isDynamic(key.value)) continue;
    const at = { start: start + key.start, end: start + key.end };
    const isKnown = (SECTIONS as readonly string[]).includes(key.value) || isBehindTab(file.text, at.start);
    if (!isKnown) problems.push(unknownSection(key, at));
    const earlier = seen.get(key.value);
    // The sections of another document cannot be put together with these.
    const isTwice = earlier !== undefined && !documents.some((mark) => earlier < mark && mark <= at.start);
    if (isTwice && file.jinja.length === 0 && !file.conflicted) {
      problems.push({
        code: 'duplicate-key',
        ...at,
        message: `\`${key.value}\` appears twice in this file: put all entries under one.`,
      });
    }
    seen.set(key.value, at.start);
  }
  for (const placed of file.chunks) append(problems, checkSection(placed));
  return [...problems, ...undefinedAliases(file)];
}

/** Checks for a key that is indented with tabs, which have a problem of their own: what it belongs to is not known. */
function isBehindTab(text: string, start: number): boolean {
  return /\t[ \t]*$/.test(text.slice(text.lastIndexOf('\n', start - 1) + 1, start));
}

/** Reports aliases (`*name`) whose anchor (`&name`) is not above them, or whose anchored value contains them. */
function undefinedAliases(file: ModelFile): Problem[] {
  // The anchor may be in the output of a template, or in text that a merge conflict made unreadable.
  if (file.jinja.length > 0 || file.conflicted) return [];
  const problems: Problem[] = [];
  /** The end of the last value with an anchor. */
  const ends = new Map<string, number>();
  for (const { chunk, start } of file.chunks) {
    for (const { name, isAlias, ...range } of chunk.anchors) {
      const place = { start: start + range.start, end: start + range.end };
      const end = ends.get(name);
      if (!isAlias) ends.set(name, place.end);
      else if (end === undefined)
        problems.push({ code: 'yaml-syntax', ...place, message: `No value above has the anchor \`&${name}\`.` });
      else if (place.start < end)
        problems.push({ code: 'yaml-syntax', ...place, message: `The value of \`&${name}\` contains itself.` });
    }
  }
  return problems;
}

function unknownSection(key: ScalarNode, at: { readonly start: number; readonly end: number }): Problem {
  const guess = nearestName(key.value, SECTIONS);
  const hint =
    guess === undefined
      ? `Only ${SECTIONS.map((name) => `\`${name}\``).join(', ')} are allowed at the top.`
      : `Did you mean \`${guess}\`?`;
  return {
    code: 'unknown-section',
    ...at,
    message: `\`${key.value}\` is not a section of a model file. ${hint}`,
    fix: guess === undefined ? undefined : { title: `Change to \`${guess}\``, ...at, text: guess },
  };
}

/** Yields the top-level keys in order, once per occurrence. */
function* sectionKeys(file: ModelFile): Iterable<{ readonly key: ScalarNode; readonly start: number }> {
  let last = -1;
  for (const { chunk, start, sectionStart, lead } of file.chunks) {
    if (chunk.kind === 'whole') {
      // A parser's result for a template that it cannot read is meaningless.
      if (file.jinja.length > 0 && chunk.problems.length > 0) continue;
      if (chunk.node?.kind === 'map') for (const { key } of chunk.node.pairs) yield { key, start };
      continue;
    }
    if (sectionStart === last || isDynamic(chunk.section)) continue;
    last = sectionStart;
    const header = parseYaml(firstLine(lead.slice(sectionStart - start))).node;
    const pair = header?.kind === 'map' ? header.pairs[0] : undefined;
    if (pair) yield { key: pair.key, start: sectionStart };
  }
}

function firstLine(text: string): string {
  const length = text.search(/[\r\n]/);
  return length === -1 ? text : text.slice(0, length);
}

function checkSection({ chunk, start }: PlacedChunk): Problem[] {
  if (chunk.kind === 'item') return itemProblems(chunk, start);
  if (chunk.node?.kind === 'scalar' && scalarType(chunk.node) === 'null') return [];
  if (chunk.node?.kind !== 'map')
    return chunk.node && !chunk.templated
      ? [
          {
            code: 'wrong-type',
            severity: hasKeys(chunk.node, chunk.text) ? undefined : 'warning',
            start: start + chunk.node.start,
            end: start + chunk.node.end,
            message: 'A model file is a mapping with `cubes`, `views` and `view_groups`.',
          },
        ]
      : [];
  return chunk.node.pairs.flatMap(({ key, value }): Problem[] => {
    if (!(SECTIONS as readonly string[]).includes(key.value) || !value || value.kind === 'opaque') return [];
    // A template may add the items.
    if (chunk.templated || isFromTemplate(value)) return [];
    if (value.kind === 'seq') return value.items.flatMap((item) => oddItem(item, start));
    if (isNothing(value)) return [];
    return [
      {
        code: 'wrong-type',
        start: start + key.start,
        end: start + key.end,
        message: `\`${key.value}\` must be a list: put \`- name: …\` in front of each definition.`,
      },
    ];
  });
}

/** Checks whether the engine finds keys in the contents of a file. It accepts a file in which it finds none, such as a number. */
function hasKeys(node: TreeNode, text: string): boolean {
  // A block text without text is not even YAML here, unless its indentation is given.
  if (node.kind === 'scalar' && node.style === 'block' && !/^.[-+]?\d/.test(text.slice(node.start))) return true;
  if (node.kind === 'scalar') return scalarType(node) === 'string' && node.value !== '';
  return node.kind !== 'seq' || node.items.length > 0;
}

/** Whether a template determines the value: it may be a list or a mapping, which the engine then reads. */
function isFromTemplate(node: TreeNode): boolean {
  return node.kind === 'scalar' && isDynamic(node.value);
}

/** Checks an item of a section that is written in brackets. */
function oddItem(item: TreeNode | undefined, start: number): Problem[] {
  if (!item || item.kind === 'map' || item.kind === 'opaque' || isFromTemplate(item)) return [];
  return [
    {
      code: 'wrong-type',
      start: start + item.start,
      end: start + item.start + 1,
      message: 'Each item of this list must be a mapping with a `name`.',
    },
  ];
}

function itemProblems(chunk: Chunk, start: number): Problem[] {
  if (
    chunk.entities.length > 0 ||
    chunk.node?.kind !== 'seq' ||
    chunk.templated ||
    !(SECTIONS as readonly string[]).includes(chunk.section)
  )
    return [];
  const [item] = chunk.node.items;
  if (item?.kind === 'opaque' || (item && isFromTemplate(item)) || chunk.problems.length > 0) return [];
  const at = { start: start + chunk.node.start, end: start + chunk.node.start + 1 };
  return [
    {
      code: item ? 'wrong-type' : 'null-value',
      ...at,
      message: 'Each item of this list must be a mapping with a `name`.',
    },
  ];
}

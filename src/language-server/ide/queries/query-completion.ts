import { type CompletionItem, CompletionItemKind, type CompletionList } from 'vscode-languageserver';
import { granularitiesOf } from '#model/granularities.ts';
import { fitsMember } from '#model/filter-operators.ts';
import type { ModelIndex } from '#model/index.ts';
import { queryCursorAt } from '#model/query-files/query-cursor.ts';
import { queryMember, queryNames, writtenName } from '#model/query-files/query-members.ts';
import { alternativesOf, type QueryShape, type QueryType } from '#model/query-files/shapes.ts';
import type { OpenedQuery } from '#language-server/workspace/query-files.ts';
import { granularityItems, memberItem } from '#language-server/ide/completion/candidates.ts';
import { placedInYaml } from '#language-server/ide/completion/placed-in-yaml.ts';

/** Returns the completions at an offset of a query file: keys, fixed values, and members of the model. */
export function queryCompletion(opened: OpenedQuery, offset: number): CompletionList {
  const { file, positions } = opened;
  const { shape, value, siblings, wordStart, isFlow } = queryCursorAt(file.text, offset);
  const place = { text: file.text, positions, wordStart: Math.min(wordStart, offset), offset };
  const items = [
    ...(shape ? keyItems(shape, siblings, isFlow) : []),
    ...(value
      ? alternativesOf(value).flatMap((type) =>
          valueItems(type, opened, file.text.slice(wordStart, offset), siblings.get('member')),
        )
      : []),
  ];
  return { isIncomplete: false, items: items.map((item) => placedInYaml(item, place)) };
}

function keyItems(
  { title, keys, oneOf = [] }: QueryShape,
  siblings: ReadonlyMap<string, unknown>,
  isFlow: boolean,
): CompletionItem[] {
  const isChosen = oneOf.some((name) => siblings.has(name));
  return Object.entries(keys).flatMap(([label, { type, doc }], at): CompletionItem[] => {
    if (siblings.has(label) || (isChosen && oneOf.includes(label))) return [];
    return [
      {
        label,
        kind: CompletionItemKind.Property,
        detail: title,
        documentation: doc,
        sortText: `0${String(at).padStart(2, '0')}`,
        insertText: label + (isFlow ? ': ' : behindKey(type)),
      },
    ];
  });
}

/** Returns the choices without operators that do not fit the member of the filter. */
function fitting(
  choices: readonly string[],
  member: string | undefined,
  index: ModelIndex | undefined,
): readonly string[] {
  const compared = member === undefined || !index ? undefined : queryMember(member, index)?.member;
  return compared ? choices.filter((operator) => fitsMember(operator, compared)) : choices;
}

/** Returns the text that must follow a key. */
function behindKey(type: QueryType): string {
  if (type.is === 'list') return ':\n  - ';
  return type.is === 'map' ? ':\n  ' : ': ';
}

/** Returns what a value can be. `compared`: the member that a filter is about. */
function valueItems(type: QueryType, opened: OpenedQuery, word: string, compared?: string): CompletionItem[] {
  const index = opened.root?.index;
  switch (type.is) {
    case 'choice':
      return fitting(type.choices, compared, index).map((label, at) => ({
        label,
        kind: CompletionItemKind.EnumMember,
        sortText: String(at).padStart(2, '0'),
      }));
    case 'boolean':
      return ['true', 'false'].map((label) => ({ label, kind: CompletionItemKind.EnumMember }));
    case 'byMember':
      return valueItems(type.key, opened, word).map((item) => ({ ...item, insertText: `${item.label}: ` }));
    case 'member': {
      if (!index) return [];
      const [cube, own, granularity] = word.split('.');
      const time = granularity === undefined ? undefined : queryMember(`${cube ?? ''}.${own ?? ''}`, index);
      if (time?.kind === 'time' && type.isColumn)
        return granularityItems(granularitiesOf(time.member.member)).map((item) => ({
          ...item,
          label: `${writtenName(time)}.${item.label}`,
        }));
      return queryNames(type.kinds, index).map((found) => ({
        ...memberItem(found.member, '1'),
        label: writtenName(found),
        sortText: `1${writtenName(found)}`,
      }));
    }
    default:
      return [];
  }
}

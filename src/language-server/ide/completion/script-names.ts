import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import type { Type } from '#model/language/types.ts';
import { type Held, visibleNames, type VisibleName } from '#model/syntax/script/visible-names.ts';
import type { Opened } from '#language-server/workspace/workspace.ts';

const KINDS: Readonly<Record<Held, CompletionItemKind>> = {
  object: CompletionItemKind.Variable,
  list: CompletionItemKind.Variable,
  text: CompletionItemKind.Constant,
  number: CompletionItemKind.Constant,
  boolean: CompletionItemKind.Constant,
  function: CompletionItemKind.Function,
  class: CompletionItemKind.Class,
};

/**
 * Returns the script's own names that may stand for a value: those that hold such a value first, then what is known only when the
 * script runs; functions come last, because they have to be called.
 */
export function ownNames({ file }: Opened, offset: number, wanted: readonly Held[]): CompletionItem[] {
  return visibleNames(file.text, offset).flatMap(({ name, held, code }: VisibleName): CompletionItem[] => {
    const rank = rankOf(held, wanted);
    if (rank === undefined) return [];
    return [
      {
        label: name,
        kind: held ? KINDS[held] : CompletionItemKind.Variable,
        detail: code,
        sortText: `6${rank}${name}`,
      },
    ];
  });
}

function rankOf(held: Held | undefined, wanted: readonly Held[]): number | undefined {
  if (held === undefined) return 1;
  if (wanted.includes(held)) return 0;
  return held === 'function' ? 2 : undefined;
}

/** Returns what a name must hold to stand for a value of a type. */
export function heldFor(type: Type): readonly Held[] {
  switch (type.is) {
    case 'map':
    case 'members':
      return ['object'];
    case 'list':
      return ['list'];
    case 'text':
    case 'sql':
      return ['text'];
    case 'boolean':
    case 'number':
      return [type.is];
    case 'either':
      return type.of.flatMap(heldFor);
    case 'any':
      return ['object', 'list', 'text', 'number', 'boolean'];
    default:
      return [];
  }
}

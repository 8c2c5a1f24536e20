import { type Hover, MarkupKind } from 'vscode-languageserver';
import { entityAt } from '#model/locate.ts';
import { language } from '#model/language/language.ts';
import type { Key } from '#model/language/types.ts';
import { keyInfo, placeAt } from '#model/typed.ts';
import { rangeOf } from '../lines.ts';
import type { Opened } from '../workspace.ts';
import { describeType } from './words.ts';

/** What stands under the cursor: a key of the language, or the cube, view or member that is defined or referred to. */
export function hover({ file, positions }: Opened, offset: number): Hover | null {
  const at = entityAt(file, offset);
  if (!at) return null;
  const place = placeAt(at.entity, offset - at.start);
  if (!place.pair || !place.inKey) return null;
  const found = keyInfo(place.site, place.pair);
  if (!found) return null;
  const { key } = place.pair;
  const shape = place.site.shape === undefined ? '' : language[place.site.shape].title;
  return {
    contents: { kind: MarkupKind.Markdown, value: keyWords(found.name, shape, found.info) },
    range: rangeOf(positions, at.start + key.start, at.start + key.end),
  };
}

/** A key of the language, as hover and completion explain it. */
export function keyWords(name: string, shape: string, info: Key): string {
  const lines = [
    `**${name}** · ${shape} · ${describeType(info.type)}${info.required ? ' · required' : ''}`,
    '',
    info.doc,
  ];
  if (info.deprecated) lines.push('', `Deprecated: ${info.deprecated.why}`);
  return lines.join('\n');
}

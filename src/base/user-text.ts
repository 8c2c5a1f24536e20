import { STRAY } from './stray-characters.ts';

declare const isUserText: unique symbol;

/**
 * Text that is safe to show in VS Code: it contains no link, no icon syntax and no invisible character, whatever a server, a
 * repository, a link or an agent put into it. Only this module creates it; VS Code's API takes nothing else
 * (`src/shell/vscode/guarded`).
 */
export type UserText = string & { readonly [isUserText]: true };

/** The maximum length of a value inside a sentence, UTF-16 code units: a longer one would push the sentence out of view. */
const VALUE_LIMIT = 500;
const SENTENCE_LIMIT = 2000;
const PASSAGE_LIMIT = 20_000;

/**
 * Builds a sentence with values: text`Push ${count} files to ${branch}?`. Each value becomes one line of bounded length. An icon
 * is drawn only at the very start of the template: text`$(check) Signed out of ${account}`.
 */
export function text(template: TemplateStringsArray, ...values: readonly (string | number)[]): UserText {
  const [first = '', ...rest] = template;
  const [icon] = LEADING_ICON.exec(first) ?? [''];
  let all = first.slice(icon.length);
  for (const [index, literal] of rest.entries()) {
    all += oneLine(String(values[index]), VALUE_LIMIT) + literal;
  }
  return branded(icon + inert(all));
}

/** Makes one line of a name, or of a whole sentence from elsewhere. */
export function textOf(value: string): UserText;
export function textOf(value: string | undefined): UserText | undefined;
export function textOf(value: string | undefined): UserText | undefined {
  return value === undefined ? undefined : branded(inert(oneLine(value, SENTENCE_LIMIT)));
}

/** Makes a text of several lines, such as the detail of a question; keeps its line breaks. */
export function passage(value: string): UserText;
export function passage(value: string | undefined): UserText | undefined;
export function passage(value: string | undefined): UserText | undefined {
  return value === undefined
    ? undefined
    : branded(
        inert(
          cut(visible(value.replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, '\n').replaceAll('\t', '  ')), PASSAGE_LIMIT),
        ),
      );
}

/** Prefixes a text with a VS Code icon, for labels that draw icons. */
export function withIcon(icon: string, label: UserText): UserText {
  return branded(`$(${icon.replaceAll(/[^\da-z~-]/g, '')}) ${label}`);
}

/** Joins several texts and keeps the icons of each. */
export function joinTexts(texts: readonly UserText[], separator: '\n' | '\n\n' | ' · ' | ', ' | ' '): UserText {
  return branded(texts.join(separator));
}

const LEADING_ICON = /^\$\([a-z][\da-z-]*(?:~spin)?\)/;

/**
 * Control characters, direction marks and characters without a glyph: they make a name look like another one. Joiners and
 * variation selectors stay where emoji and several scripts need them.
 */
const HIDDEN = new RegExp(
  `${/[[\p{Cc}\p{Cf}\p{DI}\u2800]--[\n\p{Join_Control}\p{Variation_Selector}]]/v.source}|${STRAY.source}`,
  'gv',
);

function visible(value: string): string {
  return value.toWellFormed().replaceAll(HIDDEN, '\uFFFD');
}

function oneLine(value: string, limit: number): string {
  return cut(visible(value.replaceAll(/\s+/g, ' ')), limit);
}

function cut(value: string, limit: number): string {
  if (value.length <= limit) return value;
  // Half of a surrogate pair at the end would be drawn as a box.
  return `${value.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** VS Code draws `[label](address)` as a link and `$(name)` as an icon wherever it finds them: a space breaks both. */
function inert(value: string): string {
  return value.replaceAll(/([\]$])(?=\()/g, '$1 ');
}

function branded(value: string): UserText {
  return value as UserText;
}

declare const isUserText: unique symbol;

/**
 * Text that VS Code may show: whatever a server, a repository, a link or an agent put into it, it holds no link, no icon
 * syntax and no invisible character. Only this module makes it; VS Code's own API takes nothing else (`src/shell/vscode/guarded`).
 */
export type UserText = string & { readonly [isUserText]: true };

/** Longest value inside a sentence, UTF-16 code units: longer ones would push the sentence out of sight. */
const VALUE_LIMIT = 500;
const SENTENCE_LIMIT = 2000;
const PASSAGE_LIMIT = 20_000;

/**
 * A sentence with values: text`Push ${count} files to ${branch}?`. Each value becomes one line of bounded length. Only an
 * icon at the very start of the template is drawn: text`$(check) Signed out of ${account}`.
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

/** A name, or a whole sentence that was written elsewhere, as one line. */
export function textOf(value: string): UserText;
export function textOf(value: string | undefined): UserText | undefined;
export function textOf(value: string | undefined): UserText | undefined {
  return value === undefined ? undefined : branded(inert(oneLine(value, SENTENCE_LIMIT)));
}

/** Text of several lines, such as the detail of a question; its line breaks stay. */
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

/** A text behind an icon of VS Code, for labels that draw icons. */
export function withIcon(icon: string, label: UserText): UserText {
  return branded(`$(${icon.replaceAll(/[^\da-z~-]/g, '')}) ${label}`);
}

/** Several texts as one; the icons of each stay. */
export function joinTexts(texts: readonly UserText[], separator: '\n' | '\n\n' | ' · ' | ', ' | ' '): UserText {
  return branded(texts.join(separator));
}

const LEADING_ICON = /^\$\([a-z][\da-z-]*(?:~spin)?\)/;

/**
 * Controls, direction marks and characters without a shape: they make a name look like another one. Joiners and variants stay,
 * because emoji and several scripts need them.
 */
const HIDDEN = /[[\p{Cc}\p{Cf}\p{DI}\u2800]--[\n\p{Join_Control}\p{Variation_Selector}]]/gv;

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

/** VS Code draws `[label](address)` as a link and `$(name)` as an icon wherever it finds them: a blank ends both. */
function inert(value: string): string {
  return value.replaceAll(/([\]$])(?=\()/g, '$1 ');
}

function branded(value: string): UserText {
  return value as UserText;
}

import { STRAY } from '#base/stray-characters.ts';
import type { Variables } from '#tools/platform/open-platform.ts';

/**
 * Makes a text safe for a terminal or a log: a control character of the model could move the cursor, rename the window or fold the
 * log, one of writing direction or without a glyph could make a name look like another, and a line could be a command to the service
 * whose pipeline runs this.
 */
export function printable(text: string, variables: Variables): string {
  const shown = text.replaceAll(HIDDEN, '\uFFFD');
  return isInPipeline(variables) ? withoutMarks(shown).replaceAll(/^([^\S\n]*):(?=:)/gm, '$1: ') : shown;
}

/** Makes annotations safe: they are commands of GitHub themselves, and nothing else in them may be one, of whatever service. */
export function printableAnnotations(text: string): string {
  return withoutMarks(text.replaceAll(HIDDEN, '\uFFFD'));
}

/**
 * Writes a JSON text without characters that a terminal or the log of a pipeline could act on. They occur in strings only, where an
 * escape means the same, so that the values stay as they are.
 */
export function printableJson(text: string): string {
  return text
    .replaceAll(HIDDEN, (character) => character.split('').map(escapeUnit).join(''))
    .replaceAll('##', String.raw`#\u0023`);
}

/** Escapes a UTF-16 code unit as in JSON; a character beyond U+FFFF is two of them. */
function escapeUnit(unit: string): string {
  return String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Checks whether the process runs in a pipeline. GitHub, Azure and TeamCity set variables of their own; other services set `CI`,
 * as most do.
 */
function isInPipeline(variables: Variables): boolean {
  const isSet = (name: string): boolean => !['', 'false', '0', undefined].includes(variables[name]?.toLowerCase());
  return ['GITHUB_ACTIONS', 'TF_BUILD', 'TEAMCITY_VERSION', 'CI'].some(isSet);
}

/** Breaks what begins a command in the middle of a line: `##[` of GitHub and Azure, `##vso[` of Azure, `##teamcity[` of TeamCity. */
function withoutMarks(text: string): string {
  return text.replaceAll(/##(?=\[|vso\[|teamcity\[)/gi, '# #');
}

/** What a terminal acts on, and what has no glyph: agents read as text what a user does not see. */
const ACTING = /[[\p{Cc}\p{Bidi_Control}\p{DI}\u2028\u2029]--[\t\n\p{Join_Control}\p{Variation_Selector}]]/v;
const HIDDEN = new RegExp(`${ACTING.source}|${STRAY.source}`, 'gv');

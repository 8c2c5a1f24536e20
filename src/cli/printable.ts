import type { Variables } from '#tools/open-platform.ts';

/**
 * Makes a text safe for a terminal or a log: a control character of the model could move the cursor or rename the window, one of
 * writing direction could make a name look like another, and a line could be a command to the service whose pipeline runs this.
 */
export function printable(text: string, variables: Variables): string {
  const shown = text.replaceAll(CONTROLS, '\uFFFD');
  if (variables['GITHUB_ACTIONS'] !== 'true' && variables['TF_BUILD'] === undefined) return shown;
  return shown.replaceAll(/^(\s*):(?=:)/gm, '$1: ').replaceAll(/##(?=\[|vso\[)/g, '# #');
}

const CONTROLS = /[[\p{Cc}\p{Bidi_Control}]--[\t\n]]/gv;

import { existsSync, readFileSync } from 'node:fs';

/** A test that a page names. */
export interface Proof {
  readonly file: string;
  readonly name: string;
}

/** The tests that a piece of Markdown names, as code: `test/… › name of the test`. */
export function proofsIn(markdown: string): readonly Proof[] {
  return [...markdown.matchAll(/(``?)(test\/[^`]+?) › (.+?)\1(?!`)/g)].map(([, , file = '', name = '']) => ({
    file,
    name,
  }));
}

/** Whether a file has a test of that name; journeys that share a window are played, and tables of tests name a feature. */
export function isThere({ file, name }: Proof): boolean {
  const quoted = `(?:'${escaped(name)}'|"${escaped(name)}"|\`${escaped(name)}\`)`;
  const test = new RegExp(String.raw`(?:\b(?:it|play)\(\s*|\)\(\s*)${quoted}\s*,|\bfeature: ${quoted},`);
  return existsSync(file) && test.test(readFileSync(file, 'utf8'));
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}

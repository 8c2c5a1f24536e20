import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';

/** A reader can keep about so many things in mind. */
const MOST = 8;

/** The interfaces of a file that declare more members of their own than a reader can keep in mind. */
function tooLarge(text: string): readonly string[] {
  return [...text.matchAll(/^export interface (\w+)[^]*?^\}/gm)].flatMap(([body, name = '']) => {
    // The formatter indents members by two spaces, and everything inside of them further.
    const members = body.match(/^ {2}(?:readonly )?\w+\??[:(<]/gm) ?? [];
    return members.length > MOST ? [`${name}: ${members.length}`] : [];
  });
}

const files = globSync('src/features/**/deps.ts', { cwd: root });

describe('what features say they need', () => {
  it('is declared in small interfaces', () => {
    expect(files.length).toBeGreaterThan(3);
    expect(files.flatMap((path) => tooLarge(readFileSync(join(root, path), 'utf8')))).toEqual([]);
  });

  it('would be found too much with a planted ninth member', () => {
    const members = (count: number): string =>
      Array.from(
        { length: count },
        (_, at) => `  /** Nested. */\n  readonly m${at}: () => {\n    readonly a: 1;\n  };\n`,
      ).join('');
    const planted = `export interface Small {\n${members(8)}}\n\nexport interface Large extends Small {\n${members(8)}  call(): void;\n}\n`;
    expect(tooLarge(planted)).toEqual(['Large: 9']);
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { capabilities } from '#language-server/features.ts';
import * as protocol from '#features/language/messages.ts';
import { isThere, proofsIn, type Proof } from '#support/proofs.ts';

const page = readFileSync('test/language.md', 'utf8');

interface Row {
  readonly section: string;
  readonly what: string;
  /** At the lowest level, over the server, inside VS Code. */
  readonly levels: readonly (readonly Proof[])[];
}

describe('the table of the language server', () => {
  const rows = rowsOf(page);

  it('names only tests that are there', () => {
    expect(rows.length).toBeGreaterThan(40);
    expect(rows.flatMap(({ levels }) => levels.flat()).filter((proof) => !isThere(proof))).toEqual([]);
  });

  it('shows every feature on all three levels, and everything else on one at least', () => {
    expect(rows.filter((row) => !isShown(row)).map(({ what }) => what)).toEqual([]);
  });

  it('has all that the server can do, each of its commands, settings and requests', () => {
    expect(offered().filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('would notice a test that is not there, a level that lacks, and a feature that is in no row', () => {
    const [row] = rowsOf(
      '## Features\n| what | a | b | c |\n| x | `test/unit/tools/language-table.test.ts › nothing` | — | — |\n',
    );
    expect(row?.levels.flat().map(isThere)).toEqual([false]);
    expect(row && isShown(row)).toBe(false);
    const less = page.replaceAll('`hoverProvider`', '').replaceAll('`modelbench/joinGraph`', '');
    expect(offered().filter((name) => !less.includes(`\`${name}\``))).toEqual([
      'hoverProvider',
      'modelbench/joinGraph',
    ]);
  });
});

function rowsOf(markdown: string): readonly Row[] {
  return markdown.split(/^## /m).flatMap((section) =>
    [...section.matchAll(/^\| (?!what |---)(.+?) \| (.+) \| (.+) \| (.+) \|$/gm)].map(([, what = '', ...levels]) => ({
      section: section.split('\n')[0] ?? '',
      what,
      levels: levels.map(proofsIn),
    })),
  );
}

function isShown({ section, levels }: Row): boolean {
  const shown = levels.filter((proofs) => proofs.length > 0).length;
  return section === 'Features' ? shown === 3 : shown > 0;
}

/** What there is, as the server, the manifest and the protocol say it. */
function offered(): readonly string[] {
  const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly contributes: {
      readonly commands: readonly { readonly command: string }[];
      readonly configuration: readonly { readonly properties: Readonly<Record<string, unknown>> }[];
    };
  };
  const named = [
    ...contributes.commands.map(({ command }) => command),
    ...contributes.configuration.flatMap(({ properties }) => Object.keys(properties)),
    ...Object.values(protocol.lensCommands),
  ];
  return [
    ...Object.keys(capabilities(protocol.defaultLanguageSettings)).filter((name) => name.endsWith('Provider')),
    ...named.filter((name) => name.startsWith('modelbench.language.')),
    ...Object.values(protocol).filter((value) => typeof value === 'string'),
  ];
}

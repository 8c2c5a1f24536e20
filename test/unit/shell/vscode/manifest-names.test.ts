import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { localisedManifest } from '#support/manifest.ts';

const text = localisedManifest();
const { contributes } = JSON.parse(text) as {
  readonly contributes: {
    readonly configuration: readonly { readonly properties: Readonly<Record<string, unknown>> }[];
  };
};
const settings = contributes.configuration.flatMap(({ properties }) => Object.keys(properties));

/** The fields of an interface in a file of `src`, by their quoted names. */
function fieldsOf(file: string): readonly string[] {
  return [...readFileSync(`src/${file}`, 'utf8').matchAll(/^ {2}readonly '([\w.]+)'/gm)].map(([, name]) => name ?? '');
}

const isOfLanguage = (name: string): boolean => name.startsWith('modelbench.language.');

it('the manifest declares the settings that are typed, and no other', () => {
  const typed = fieldsOf('shell/settings.ts').map((name) => `modelbench.${name}`);
  expect([...settings].sort()).toEqual([...typed].sort());
});

it('every setting of the language is read', () => {
  const files = readdirSync('src/features/language/vscode', 'utf8').map((file) => `features/language/vscode/${file}`);
  const source = [...files, 'shell/vscode/settings.ts'].map((file) => readFileSync(`src/${file}`, 'utf8')).join('\n');
  const names = settings.filter(isOfLanguage).map((name) => name.slice('modelbench.'.length));
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !source.includes(`'${name}'`))).toEqual([]);
});

it('every context key is asked for, and every one that is asked for is set', () => {
  const keys = fieldsOf('shell/context-key-names.ts');
  const clauses = [...text.matchAll(/"(?:when|enablement)":\s*"((?:\\.|[^"\\])*)"/g)].map(([, clause]) => clause ?? '');
  const operands = clauses.flatMap((clause) => clause.split(/&&|\|\|/)).map((part) => part.trim());
  const asked = new Set(operands.flatMap((part) => /^\(?!?(modelbench\.\w+)\b/.exec(part)?.[1] ?? []));
  expect([...asked].sort()).toEqual([...keys].sort());
});

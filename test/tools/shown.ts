// node test/tools/shown.ts: lists the tests that show each feature of test/language.md and each answer of test/chat-complaints.md.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.ts';

/** What a test runs: functions alone, a running language server, or VS Code. */
export type Level = 'functions' | 'server' | 'VS Code';

/** A test with a `@shows` comment. */
export interface Shown {
  readonly feature: string;
  readonly level: Level;
  readonly file: string;
  readonly test: string;
}

/** Returns what the tests of this repository show. */
export function shownByTests(): readonly Shown[] {
  return ['test/unit', 'test/vscode', 'test/e2e'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .flatMap((file) => shownIn(file, readFileSync(join(root, file), 'utf8'))),
  );
}

/** Returns what the tests of a file show, according to its comments. */
export function shownIn(file: string, text: string): readonly Shown[] {
  return [...text.matchAll(/^ *\/\/ @shows (.+)\n/gm)].flatMap(({ 0: comment, 1: features = '', index }) => {
    const test = nameOfTest(text.slice(index + comment.length));
    return features.split(', ').map((written) => ({
      feature: written.replace(/ \(server\)$/, ''),
      level: /^test\/(?:vscode|e2e)\//.test(file) ? 'VS Code' : written.endsWith(' (server)') ? 'server' : 'functions',
      file,
      test,
    }));
  });
}

/** Returns the name of the test at the beginning of a text: a call, a table of cases, or an entry of a table of features. */
function nameOfTest(text: string): string {
  const quoted = /(?:'((?:[^'\\]|\\.)*)'|"([^"]*)"|`([^`]*)`)/.source;
  const named = /^\s*(?:it|describe)\.each/.test(text)
    ? new RegExp(String.raw`\)\(\s*${quoted},`).exec(text)
    : new RegExp(String.raw`^\s*(?:(?:it|describe|play)\(\s*|feature: )${quoted}`).exec(text);
  return named?.slice(1).find((name) => name !== undefined) ?? '';
}

if (import.meta.main) {
  const shown = shownByTests().toSorted((a, b) => a.feature.localeCompare(b.feature));
  for (const { feature, level, file, test } of shown) console.log(`${feature} (${level}): ${file} › ${test}`);
}

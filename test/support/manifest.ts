import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Returns the texts of `package.json`, by key, from `package.nls.json`. */
export function manifestTexts(): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8')) as Readonly<Record<string, string>>;
}

/** Returns `package.json` as VS Code shows it: each `%key%` is replaced by its text. */
export function localisedManifest(): string {
  const texts = manifestTexts();
  return readFileSync(join(root, 'package.json'), 'utf8').replaceAll(/"%([\w.-]+)%"/g, (key, name: string) =>
    JSON.stringify(texts[name] ?? key),
  );
}

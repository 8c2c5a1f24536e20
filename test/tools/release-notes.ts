// node test/tools/release-notes.ts: writes what the page of a release says of the version in package.json. It fails where the changelog
// has no dated section of it. It needs no dependencies, so that a release can begin with it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The most characters that GitHub takes in the text of a release; the digests come after it. */
const LONGEST = 120_000;

/**
 * Returns the section of a version in a changelog, without its heading. Throws an error that names what is missing: a section, its
 * date, or its text.
 */
export function releaseNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const [heading = '', ...lines] = sections.find((text) => text.startsWith(`[${version}]`))?.split('\n') ?? [];
  if (heading === '') throw new Error(`CHANGELOG.md has no section of version ${version}.`);
  const [, date] = /^\[[^\]]+\] - (\d{4}-\d{2}-\d{2})$/.exec(heading) ?? [];
  if (date === undefined)
    throw new Error(`CHANGELOG.md has no date for version ${version}: write “## [${version}] - 2026-01-31”.`);
  const text = lines.join('\n').trim();
  if (text === '') throw new Error(`CHANGELOG.md says nothing about version ${version}.`);
  if (text.length > LONGEST) throw new Error(`CHANGELOG.md says more about version ${version} than GitHub takes.`);
  return `${text}\n`;
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '../..');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
  process.stdout.write(releaseNotes(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version));
}

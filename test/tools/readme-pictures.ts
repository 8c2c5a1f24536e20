// node test/tools/readme-pictures.ts: copies the pictures that journeys took for the README into media/readme.
import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.ts';

/** The folder into which journeys write the pictures of README.md. */
export const madeFor = join(root, 'test-results/readme');
const shownFrom = join(root, 'media/readme');

/** Returns the pictures that a README shows, by name without folder and extension. */
export function picturesShown(readme: string): readonly string[] {
  return [...readme.matchAll(/!\[[^\]]+\]\(media\/readme\/([\w-]+)\.png\)/g)].map(([, name = '']) => name);
}

/** Returns the pictures that the sources of journeys take for the README, one entry per occurrence. */
export function picturesMade(sources: readonly string[]): readonly string[] {
  return sources.flatMap((text) => [...text.matchAll(/\.readmePicture\('([\w-]+)'\)/g)].map(([, name = '']) => name));
}

/**
 * Returns the problems of the README's pictures: exactly one journey must take each shown one, and only the shown ones are
 * stored.
 */
export function pictureProblems(pictures: {
  readonly shown: readonly string[];
  readonly made: readonly string[];
  readonly stored: readonly string[];
}): readonly string[] {
  const { shown, made, stored } = pictures;
  const names = [...new Set([...shown, ...made, ...stored])].toSorted();
  return names.flatMap((name) => [
    ...(shown.includes(name) ? [] : [`README.md does not show ${name}.png`]),
    ...(stored.includes(name) ? [] : [`media/readme has no ${name}.png: node test/tools/readme-pictures.ts`]),
    ...(made.filter((each) => each === name).length === 1 ? [] : [`not exactly one journey makes ${name}.png`]),
  ]);
}

/** Returns the problems of the pictures in this repository. */
export function pictureProblemsHere(): readonly string[] {
  const journeys = join(root, 'test/e2e');
  const files = readdirSync(journeys).filter((name) => name.endsWith('.ts'));
  return pictureProblems({
    shown: picturesShown(readFileSync(join(root, 'README.md'), 'utf8')),
    made: picturesMade(files.map((name) => readFileSync(join(journeys, name), 'utf8'))),
    stored: readdirSync(shownFrom).map((name) => name.replace(/\.png$/, '')),
  });
}

if (import.meta.main) {
  const made = existsSync(madeFor) ? readdirSync(madeFor) : [];
  for (const name of made) copyFileSync(join(madeFor, name), join(shownFrom, name));
  console.log(made.length > 0 ? `Updated: ${made.join(', ')}` : 'No journey has made a picture for the README.');
}

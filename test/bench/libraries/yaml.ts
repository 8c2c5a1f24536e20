import { parseDocument } from 'yaml';
import { parseFile } from '#model/file.ts';
import type { Figure } from '../figures.ts';
import { generateOneFile } from '../language/model.ts';
import { sideBySide } from './side-by-side.ts';

/** A whole file of the reference model, read from nothing. */
export function yamlFigures(): readonly Figure[] {
  return [1, 20, 100].map((cubes) => {
    const text = generateOneFile(cubes);
    parseFile('warm.yml', text);
    return sideBySide(
      `read a file of ${Math.round(text.length / 1000)} KB`,
      'yaml',
      () => parseFile('model.yml', text),
      () => parseDocument(text),
    );
  });
}

/**
 * Returns the model folder that a configuration names: `schemaPath: 'semantic'` in a `cube.js`, `schema_path = 'semantic'` in a
 * `cube.py`. The text is read and never run: returns undefined if it names none or computes the name. See
 * docs/model-language.md#where-models-are.
 */
export function namedModelFolder(text: string): string | undefined {
  const code = text.replaceAll(/^\s*(?:\/\/|#|\*).*$/gm, '');
  return /\b(?:schemaPath|schema_path)["']?\s*[:=]\s*(["'`])([^"'`$\n]+)\1/.exec(code)?.[2];
}

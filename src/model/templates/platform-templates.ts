import type { ModelFile } from '../file.ts';
import { innerOf, type UnknownValues, unknownValues } from './unknown-values.ts';

/**
 * Returns the templates that only the platform can render: those that use the environment or a value that the model does not
 * define (`globals.py` does), and those that import or include one of them. `isPython`: whether there may be a `globals.py`.
 */
export function platformTemplates(files: readonly ModelFile[], isPython: boolean): ReadonlySet<ModelFile> {
  const templates = files.filter(({ language, jinja }) => language === 'yaml' && jinja.length > 0);
  const values = isPython ? unknownValues(templates) : new Map<ModelFile, UnknownValues>();
  const found = new Set(
    templates.filter((file) => file.text.includes('env_var') || usesUnknown(file, values.get(file))),
  );
  let before;
  do {
    before = found.size;
    const names = [...found].map(({ path }) => decodeURIComponent(path.slice(path.lastIndexOf('/') + 1)));
    for (const file of templates) if (names.some((name) => file.text.includes(name))) found.add(file);
  } while (found.size !== before);
  return found;
}

function usesUnknown({ text, jinja }: ModelFile, values: UnknownValues | undefined): boolean {
  if (!values) return false;
  let macro: string | undefined;
  return jinja.some((span) => {
    if (span.kind === 'comment') return false;
    const inner = innerOf(span, text);
    const rest = span.kind === 'expression' ? inner : inner.replace(/^\s*\w+/, '');
    if (span.word === 'macro') [, macro] = /^\s*(\w+)/.exec(rest) ?? [];
    if (span.word === 'endmacro') macro = undefined;
    if (span.word === 'macro' || span.word.startsWith('end')) return false;
    return values.holds(rest.replace(/\bimport\b.*$/s, '').replace(/\bas\s+\w+\s*$/, ''), macro);
  });
}

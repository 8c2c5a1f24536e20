import { isRecord, type Json } from './rules.ts';

/** What the texts in a chart are made of. */
export interface TextSources {
  /** The columns that text channels name. */
  readonly fields: ReadonlySet<string>;
  /** Texts that the specification itself contains. */
  readonly literals: ReadonlySet<string>;
}

/** Returns what the texts of a specification are made of, in all of its views. */
export function textSources(spec: unknown): TextSources {
  const fields = new Set<string>();
  const literals = new Set<string>();
  const add = (text: Json | undefined): void => {
    if (typeof text === 'string') literals.add(text);
    else if (Array.isArray(text)) text.forEach(add);
    else if (isRecord(text)) {
      // A backslash keeps a dot from being read as a path.
      if (typeof text['field'] === 'string') fields.add(text['field'].replaceAll('\\', ''));
      for (const key of ['value', 'datum', 'condition']) add(text[key]);
    }
  };
  const visit = (view: Json | undefined): void => {
    if (Array.isArray(view)) view.forEach(visit);
    if (!isRecord(view)) return;
    add(view['text']);
    Object.values(view).forEach(visit);
  };
  visit(spec as Json);
  return { fields, literals };
}

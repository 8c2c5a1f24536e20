import type { DocumentedType } from './documented.ts';
import { isDone, type Mode } from './mode.ts';
import { fieldType, reading, walk } from './types.ts';

/**
 * The same values in other forms: ids as texts where they were numbers and the other way round, counts as texts, and times with
 * an offset and without milliseconds. Servers that store ids as big integers, or that put a gateway of another language in front,
 * answer like this.
 */
export const otherForms: Mode = {
  answer: (operation, answered) => {
    const type = operation.answer.json;
    if (type === undefined || !isDone(answered)) return answered;
    return { ...answered, json: reformed(type, answered.json) };
  },
};

function reformed(type: DocumentedType, json: unknown): unknown {
  return walk(type, json, {
    object: (value, { fields }) =>
      Object.fromEntries(
        Object.entries(value).map(([name, each]) => {
          const of = fieldType(fields, name);
          const found = of === undefined ? undefined : reading(of);
          const isId = name === 'id' || name.endsWith('Id');
          return [name, found?.kind === 'plain' ? inOtherForm(isId ? 'id' : found.name, each) : each];
        }),
      ),
  });
}

function inOtherForm(type: string, value: unknown): unknown {
  switch (type) {
    case 'id':
      if (typeof value === 'number') return String(value);
      return typeof value === 'string' && /^[1-9]\d{0,14}$/.test(value) ? Number(value) : value;
    case 'integer':
    case 'number':
      return typeof value === 'number' ? String(value) : value;
    case 'timestamp':
      return typeof value === 'string' ? withOffset(value) : value;
    default:
      return value;
  }
}

/** The same second in another time zone: `2026-11-29T22:30:00+05:30`. */
function withOffset(time: string): string {
  const at = Date.parse(time);
  if (Number.isNaN(at)) return time;
  const shifted = new Date(at + (5 * 60 + 30) * 60_000);
  return `${shifted.toISOString().slice(0, 19)}+05:30`;
}

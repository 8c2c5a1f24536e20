import { capitalized } from '#base/words.ts';
import type { Problem } from '../codes.ts';
import { FILLER, type ScalarNode, withEllipses } from '../syntax/tree.ts';
import type { Site } from '../typed.ts';
import { quotedValue } from './quoted-value.ts';

/** Names that the engine confuses with its keys of the same name, wherever they occur (docs/model-language.md#names). */
const KEYS = new Set(['sql', 'sql_table', 'sqlTable', 'extends']);
/** Properties that every object of the engine has already. */
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype));
/** Shapes whose names (or aliases) are keys of such an object. */
const ENTITIES = new Set(['cube', 'view', 'include']);
/** Shapes whose names become keys. */
export const KEYED: ReadonlySet<string> = new Set([
  'dimension',
  'measure',
  'segment',
  'hierarchy',
  'preAggregation',
  'granularity',
]);

/** Shapes whose names the engine takes for its own keys where they are alike. */
const MISTAKEN: ReadonlySet<string> = new Set([...KEYED, 'index']);

/** Checks for a name that the engine takes for one of its keys; it searches for `extends` anywhere in the name. */
function isMistaken(name: string): boolean {
  return KEYS.has(name) || name.includes('extends');
}

/** Reports well-formed names that are reserved. */
export function checkTakenName({ type, key, parent }: Site, node: ScalarNode): Problem[] {
  if (type.is !== 'text' || type.format !== 'identifier') return [];
  const shape = parent?.shape ?? '';
  const isTaken = MISTAKEN.has(shape)
    ? key === 'name' && isMistaken(node.value)
    : ENTITIES.has(shape) && INHERITED.has(node.value);
  return isTaken ? [taken(node)] : [];
}

/** Reports reserved names of a script's members, where the name is itself a key. */
export function checkTakenKey({ shape, nameNode, pair }: Site): Problem[] {
  if (!nameNode || nameNode !== pair?.key || !MISTAKEN.has(shape ?? '')) return [];
  if (isMistaken(nameNode.value)) return [taken(nameNode)];
  // What is not known of a name that code puts together may be right.
  const known = nameNode.value.replaceAll(FILLER, '_');
  return isIdentifier(known) ? [] : [badName({ ...nameNode, value: withEllipses(nameNode.value) })];
}

/** Reports reserved names of a script's views, where the name is not the value of a key. */
export function checkTakenEntity(node: ScalarNode): Problem[] {
  return INHERITED.has(node.value) ? [taken(node)] : [];
}

/** Checks whether the engine accepts a text as a name: ASCII letters, digits and `_`, not starting with a digit. */
export function isIdentifier(name: string): boolean {
  return /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name);
}

/** Returns the problem of a text that is not a valid name. */
export function badName({ value, start, end }: ScalarNode): Problem {
  const message = `${capitalized(quotedValue(value))} is not a name: use letters, digits and \`_\`, starting with a letter or \`_\`.`;
  return { code: 'bad-name', start, end, message };
}

function taken({ value, start, end }: ScalarNode): Problem {
  const message = `\`${value}\` cannot be a name: the engine reserves it. Choose another name.`;
  return { code: 'bad-name', start, end, message };
}

import { mayBe, type ObjectValue, type Value } from './value.ts';

/** Maximum depth of lists in each other; a list may even contain itself. */
const DEEPEST = 10;

/**
 * Returns the text that JavaScript makes of a value where it needs one, as in `` `${value}` ``; undefined if that is not known.
 * A list is its items with commas between them, and an object that does not say otherwise is `[object Object]`.
 */
export function asText(value: Value, depth = 0): string | undefined {
  switch (value.is) {
    case 'primitive':
      return String(value.value);
    case 'object':
      return isPlain(value) ? '[object Object]' : undefined;
    case 'list': {
      if (depth === DEEPEST) return undefined;
      const items = value.items.map((item) => (isMissing(item) ? '' : asText(item, depth + 1)));
      return items.includes(undefined) ? undefined : items.join(',');
    }
    default:
      return undefined;
  }
}

/** Checks for an object without methods that decide which text it becomes. */
function isPlain({ entries, isOpen, instanceOf }: ObjectValue): boolean {
  if (isOpen || instanceOf) return false;
  return ![...entries.keys()].some((key) => DECIDING.some((name) => key === name || mayBe(key, name)));
}

const DECIDING = ['toString', 'valueOf'];

/** A list leaves out what is missing. */
function isMissing(item: Value): boolean {
  return item.is === 'primitive' && (item.value === null || item.value === undefined);
}

import type { Problem } from '../codes.ts';
import { isDynamic, type Pair } from '../syntax/tree.ts';
import { quotedKey } from './quoted-value.ts';

/** Reports a key without a value where the engine needs one. */
export function nullValue({ key, end }: Pair): Problem {
  return {
    code: 'null-value',
    start: key.start,
    end: key.end,
    message: `${quotedKey(key.value)} has no value. Give it one, or remove the key.`,
    fix: isDynamic(key.value)
      ? undefined
      : { title: `Remove ${quotedKey(key.value)}`, start: key.start, end, text: '' },
  };
}

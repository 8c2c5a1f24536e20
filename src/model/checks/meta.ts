import { append } from '#base/long-lists.ts';
import type { Problem } from '../codes.ts';
import type { Chunk } from '../file.ts';
import { type TreeNode, walk } from '../syntax/tree.ts';
import { checkDuplicates } from './duplicate-keys.ts';
import { checkFreeText } from './templates.ts';

/** Reports what the engine cannot read in a value whose contents no shape describes, such as `meta`. */
export function checkMeta(node: TreeNode, chunk: Chunk): Problem[] {
  if (chunk.kind === 'script') return [];
  const problems: Problem[] = [];
  const passedOver = new Set<TreeNode>();
  walk(node, (item) => {
    if (item.kind === 'map') {
      append(problems, checkDuplicates(item, chunk));
      for (const { key, value } of item.pairs) {
        passedOver.add(key);
        if (SQL_KEYS.has(key.value)) walk(value, (inner) => passedOver.add(inner));
      }
    }
    if (item.kind === 'scalar' && !passedOver.has(item)) append(problems, checkFreeText(item, chunk));
  });
  return problems;
}

/** Keys whose value is always SQL, which is not read before a query. */
const SQL_KEYS = new Set(['sql', 'sql_table', 'sqlTable']);

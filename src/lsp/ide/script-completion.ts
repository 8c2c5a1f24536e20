import type { CompletionItem } from 'vscode-languageserver';
import type { Opened } from '../workspace.ts';
import { heads, tails } from './candidates.ts';
import { symbolAt } from './places.ts';

/** In a JavaScript model: members behind `${` and behind dots. */
export function scriptCompletion(opened: Opened, offset: number): CompletionItem[] {
  const { file, root } = opened;
  const before = file.text.slice(Math.max(0, offset - 300), offset);
  const open = before.lastIndexOf('${');
  if (open === -1 || before.indexOf('}', open) !== -1) return [];
  const owner = symbolAt(opened, offset)?.symbol ?? lastBefore(opened, offset);
  if (!owner) return [];
  const names = (/([\w.]*)$/.exec(before)?.[1] ?? '').split('.').slice(0, -1);
  return names.length === 0 ? heads(owner, 'member', 'sql', root.index) : tails(names, owner, 'member', root.index);
}

/** While the call under the cursor cannot be parsed, the name in front of it still says which cube it is. */
function lastBefore({ file, root }: Opened, offset: number): ReturnType<Opened['root']['index']['entity']> {
  const calls = [...file.text.slice(0, offset).matchAll(/\b(?:cube|view)\s*\(\s*[`'"](\w+)[`'"]/g)];
  const name = calls.at(-1)?.[1];
  return name === undefined ? undefined : root.index.entity(name);
}

import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import yaml from 'highlight.js/lib/languages/yaml';
import type { ComponentChildren } from 'preact';
import { visible } from '#shared/page/visible.ts';

hljs.registerLanguage('sql', sql);
hljs.registerLanguage('yaml', yaml);
hljs.registerLanguage('javascript', javascript);
hljs.registerLanguage('json', json);
hljs.registerLanguage('python', python);
hljs.registerLanguage('bash', bash);

/** Code beyond this length, in characters, is not coloured. */
const LONGEST = 50_000;
/** Such long lines and gaps are not code to read, and the highlighter reads them again for each of their characters. */
const ENDLESS = /[^\n]{2000}|\s{500}/;

/**
 * A node of the highlighter's tree: scopes around texts. It is converted to elements, so that model text only becomes text nodes.
 */
interface ScopeNode {
  readonly scope?: string;
  readonly children: readonly (ScopeNode | string)[];
}

/** Returns highlighted code as elements; plain text if the language is unknown. */
export function highlighted(code: string, language: string): ComponentChildren {
  const name = language.toLowerCase();
  const isEndless = code.length > LONGEST || ENDLESS.test(code);
  if (isEndless || hljs.getLanguage(name) === undefined) return visible(code);
  const { _emitter } = hljs.highlight(code, { language: name, ignoreIllegals: true });
  return children((_emitter as unknown as { readonly rootNode: ScopeNode }).rootNode);
}

function children(node: ScopeNode): ComponentChildren[] {
  return node.children.map((child) =>
    typeof child === 'string' ? (
      visible(child)
    ) : (
      <span class={`hl-${(child.scope ?? 'text').split('.')[0]}`}>{children(child)}</span>
    ),
  );
}

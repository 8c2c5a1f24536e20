import { files } from './files.ts';
import { indented, yaml } from '#support/language/raw.ts';

/** The whole judgement: the new text of the file and what is removed from it, a quotation, or a draft with its reason. */
export type Expected =
  | { readonly becomes: (text: string) => string; readonly removes?: readonly string[] }
  | 'quote'
  | { readonly draft: string }
  | { readonly creates: string };

export interface Answer {
  readonly name: string;
  readonly path: string;
  readonly markdown: string;
  readonly expected: Expected;
}

export const ORDERS = 'model/cubes/orders.yml';
export const SHOP = 'model/cubes/shop.yml';
export const SALES = 'model/views/sales.yml';
export const RETURNS = 'model/cubes/returns.js';
export const TEMPLATE = 'model/cubes/stores.yml.jinja';
export const NEW = 'model/cubes/payments.yml';

export const orders = files[ORDERS] ?? '';
export const fence = (info: string, text: string): string => `\`\`\`${info}\n${text}\n\`\`\`\n`;
export const add = (path: string, text: string, info = 'yaml'): string =>
  `Add this to \`${path}\`:\n\n${fence(info, text)}`;
export const answer = (name: string, path: string, markdown: string, expected: Expected): Answer => ({
  name,
  path,
  markdown,
  expected,
});
export const after = (line: string, text: string) => ({
  becomes: (file: string): string => {
    if (!file.includes(`${line}\n`)) throw new Error(`The file has no line “${line}”.`);
    return file.replace(`${line}\n`, () => `${line}\n${text}\n`);
  },
});
export const replaced = (before: string, now: string) => ({
  becomes: (file: string): string => {
    if (!file.includes(before)) throw new Error(`The file has no “${before}”.`);
    return file.replace(before, () => now);
  },
});
export const lastFilter = `          - sql: "{CUBE}.status = 'paid'"`;
export const average = indented(
  6,
  yaml`
    - name: average
      sql: amount
      type: avg`,
);

import { type AnyNode, type Options, tokenizer } from 'acorn';
import { simple } from 'acorn-walk';
import { importsOf } from './imports.ts';
import { namesIn } from './patterns.ts';
import { readScript } from './read.ts';

/** A name that a script declares, with the code that gives it its value. Offsets are the script's. */
export interface Declaration {
  readonly start: number;
  readonly end: number;
  readonly code: string;
  /** The file of the model that it comes from, and its name there; without a name it is what the whole file exports. */
  readonly imported?: { readonly path: string; readonly name: string | undefined } | undefined;
}

/** The names that a script declares and uses. */
export interface ScriptCode {
  readonly declared: ReadonlyMap<string, readonly Declaration[]>;
  /** By their offsets. */
  readonly uses: readonly { readonly name: string; readonly start: number }[];
}

/** Returns the names of a script outside of the model's language: what its definitions may take values from. Never fails. */
export function scriptCode(written: string): ScriptCode {
  const { program, text } = readScript(written);
  const declared = new Map<string, Declaration[]>();
  const uses: { name: string; start: number }[] = [];
  const files = importsOf(program);
  const fileIn = ({ start, end }: AnyNode): string | undefined =>
    files.find((file) => file.start >= start && file.end <= end)?.path;
  const declare = (name: string, node: Pick<AnyNode, 'start' | 'end'>, imported?: Declaration['imported']): void => {
    const { start, end } = node;
    const declaration = { start, end, code: codeOf(text.slice(start, end)), imported };
    declared.set(name, [...(declared.get(name) ?? []), declaration]);
  };
  simple(program, {
    Identifier: ({ name, start }) => uses.push({ name, start }),
    VariableDeclarator: (node) => {
      const path = fileIn(node);
      for (const name of namesIn(node.id))
        declare(name, node, path === undefined ? undefined : { path, name: undefined });
    },
    Function: (node) => {
      if (node.id) declare(node.id.name, node);
    },
    Class: (node) => {
      if (node.id) declare(node.id.name, node);
    },
    ImportDeclaration: (node) => {
      const path = fileIn(node);
      if (path === undefined) return;
      for (const each of node.specifiers)
        declare(each.local.name, each, {
          path,
          name: each.type === 'ImportSpecifier' ? nameOf(each.imported) : 'default',
        });
    },
    ExportDefaultDeclaration: (node) => declare('default', node),
    ExportNamedDeclaration: (node) => {
      for (const { local, exported } of node.specifiers) {
        declare(nameOf(exported), local);
        uses.push({ name: nameOf(local), start: local.start });
      }
    },
  });
  return { declared, uses: uses.sort((one, other) => one.start - other.start) };
}

/** Returns code without what makes no difference: comments, layout, the kind of quotes, semicolons and trailing commas. */
export function codeOf(text: string): string {
  try {
    const tokens = [...tokenizer(text, options)].map(({ type, start, end }) => {
      const written = text.slice(start, end);
      const quoted = written.slice(1, -1);
      return type.label === 'string' && !/["\\]/.test(quoted) ? `"${quoted}"` : written;
    });
    return tokens
      .filter((token, at) => token !== ';' && !(token === ',' && closing.has(tokens[at + 1] ?? '')))
      .join(' ');
  } catch {
    return text.replaceAll(/\s+/g, ' ').trim();
  }
}

const options: Options = { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true };
const closing = new Set([')', ']', '}']);

function nameOf(node: { readonly name: string } | { readonly value?: unknown }): string {
  return 'name' in node ? node.name : String(node.value);
}

import { parseSync } from 'oxc-parser';

/** A call whose arguments are the items of a list: its function, and the list as it is written. */
export interface SpreadCall {
  readonly called: string;
  readonly list: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

interface Call extends Node {
  readonly callee: Node & { readonly property?: Node };
  readonly arguments: readonly (Node & { readonly argument?: Node })[];
}

/**
 * Returns the calls of a source file that take their arguments from a list. A call has space for about 120,000 arguments and throws
 * a RangeError for more, so such a list must be short. What a function was itself given as its rest parameter is not among them: its
 * callers have written that.
 */
export function spreadCalls(path: string, source: string): readonly SpreadCall[] {
  const found: SpreadCall[] = [];
  const visit = (value: unknown, rest: ReadonlySet<string>): void => {
    if (typeof value !== 'object' || value === null) return;
    const known = 'params' in value ? new Set([...rest, ...restNames(value.params, source)]) : rest;
    if (isCall(value)) {
      const { callee } = value;
      for (const each of value.arguments) {
        if (each.type !== 'SpreadElement' || !each.argument) continue;
        const list = textOf(each.argument, source);
        if (known.has(list) || each.argument.type === 'ArrayExpression') continue;
        found.push({ called: textOf(callee.property ?? callee, source), list });
      }
    }
    for (const child of Object.values(value)) visit(child, known);
  };
  visit(parseSync(path, source).program, new Set());
  return found;
}

function isCall(value: object): value is Call {
  return 'type' in value && (value.type === 'CallExpression' || value.type === 'NewExpression');
}

function restNames(params: unknown, source: string): readonly string[] {
  if (!Array.isArray(params)) return [];
  return (params as readonly (Node & { readonly argument?: Node })[]).flatMap(({ type, argument }) =>
    type === 'RestElement' && argument ? [textOf(argument, source).replace(/:.*/s, '')] : [],
  );
}

function textOf({ start, end }: Node, source: string): string {
  return source.slice(start, end).replaceAll(/\s+/g, ' ');
}

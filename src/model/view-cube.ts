import { isTrue } from '#model/expressions/boolean-expression.ts';
import { findValue, type Chunk } from './chunk.ts';
import { isOpenAt, itemsIn, pathIn, scalarAt } from './read.ts';
import type { Path } from '#model/expressions/strings.ts';
import { Kind, kindOf, nextOf, STRIDE } from './syntax/tape.ts';
import { isDynamic, type ScalarNode } from './syntax/tree.ts';
import { Written } from './written.ts';

/** One `cubes:` entry of a view. */
export class ViewCubeSymbol extends Written {
  readonly path: Path | undefined;
  readonly includes: '*' | readonly IncludeSymbol[] | undefined;
  readonly excludes: readonly ScalarNode[];
  readonly prefix: boolean;
  readonly split: boolean;
  readonly alias: string | undefined;
  /** Whether its names are known only when the template is rendered, or come from an alias of YAML or from code. */
  readonly isDynamic: boolean;

  constructor(chunk: Chunk, cell: number) {
    super(chunk, cell);
    const path = findValue(chunk, cell, 'join_path', 'joinPath');
    this.path = path === -1 ? undefined : pathIn(chunk, path);
    this.includes = includesIn(chunk, findValue(chunk, cell, 'includes'));
    this.excludes = itemsIn(chunk, findValue(chunk, cell, 'excludes')).flatMap((item) => scalarAt(chunk, item) ?? []);
    this.prefix = isTrue(this.text('prefix'));
    this.split = this.text('split') === 'true';
    this.alias = this.text('alias');
    this.isDynamic =
      hasOpaque(chunk, cell) ||
      (chunk.hasFiller && isDynamic(`${this.alias ?? ''}${this.text('prefix') ?? ''}${this.text('split') ?? ''}`));
  }
}

/** Checks whether a value in a map is opaque, at any depth. */
function hasOpaque({ tape }: Chunk, map: number): boolean {
  const after = nextOf(tape, map);
  for (let at = map; at < after; at += STRIDE) if (kindOf(tape, at) === Kind.opaque) return true;
  return false;
}

/** Checks for a name that a script declares itself, so that it stands for another one. */
function isLocal(chunk: Chunk, cell: number): boolean {
  const node = scalarAt(chunk, cell);
  return node?.style === 'code' && chunk.locals.has(/^[\w$]+/.exec(node.value)?.[0] ?? '');
}

export interface IncludeSymbol {
  readonly nameNode: ScalarNode;
  readonly aliasNode: ScalarNode | undefined;
}

function includesIn(chunk: Chunk, cell: number): ViewCubeSymbol['includes'] {
  const all = scalarAt(chunk, cell);
  if (all) return all.value === '*' ? '*' : undefined;
  if (cell === -1 || kindOf(chunk.tape, cell) !== Kind.seq || isOpenAt(chunk, cell)) return undefined;
  if (itemsIn(chunk, cell).some((item) => isLocal(chunk, item) || isLocal(chunk, findValue(chunk, item, 'name'))))
    return undefined;
  return itemsIn(chunk, cell).flatMap((item): IncludeSymbol[] => {
    const plain = scalarAt(chunk, item);
    if (plain) return [{ nameNode: plain, aliasNode: undefined }];
    if (kindOf(chunk.tape, item) !== Kind.map) return [];
    const nameNode = scalarAt(chunk, findValue(chunk, item, 'name'));
    return nameNode ? [{ nameNode, aliasNode: scalarAt(chunk, findValue(chunk, item, 'alias')) }] : [];
  });
}

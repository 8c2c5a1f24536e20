import { isTrue } from './boolean-expression.ts';
import { findValue, type Part } from './part.ts';
import { isOpenAt, itemsIn, pathIn, scalarAt } from './read.ts';
import type { Path } from './strings.ts';
import { Kind, kindOf } from './syntax/tape.ts';
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
  /** Its names are known only when the template is rendered. */
  readonly isDynamic: boolean;

  constructor(part: Part, cell: number) {
    super(part, cell);
    const path = findValue(part, cell, 'join_path', 'joinPath');
    this.path = path === -1 ? undefined : pathIn(part, path);
    this.includes = includesIn(part, findValue(part, cell, 'includes'));
    this.excludes = itemsIn(part, findValue(part, cell, 'excludes')).flatMap((item) => scalarAt(part, item) ?? []);
    this.prefix = isTrue(this.text('prefix'));
    this.split = this.text('split') === 'true';
    this.alias = this.text('alias');
    this.isDynamic =
      part.hasFiller && isDynamic(`${this.alias ?? ''}${this.text('prefix') ?? ''}${this.text('split') ?? ''}`);
  }
}

export interface IncludeSymbol {
  readonly nameNode: ScalarNode;
  readonly aliasNode: ScalarNode | undefined;
}

function includesIn(part: Part, cell: number): ViewCubeSymbol['includes'] {
  const all = scalarAt(part, cell);
  if (all) return all.value === '*' ? '*' : undefined;
  if (cell === -1 || kindOf(part.tape, cell) !== Kind.seq || isOpenAt(part, cell)) return undefined;
  return itemsIn(part, cell).flatMap((item): IncludeSymbol[] => {
    const plain = scalarAt(part, item);
    if (plain) return [{ nameNode: plain, aliasNode: undefined }];
    if (kindOf(part.tape, item) !== Kind.map) return [];
    const nameNode = scalarAt(part, findValue(part, item, 'name'));
    return nameNode ? [{ nameNode, aliasNode: scalarAt(part, findValue(part, item, 'alias')) }] : [];
  });
}

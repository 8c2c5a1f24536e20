import type { Chunk } from '../chunk.ts';
import type { Entity } from '../syntax/entity.ts';
import type { MapNode, ScalarNode } from '../syntax/tree.ts';
import { type Site, walkEntity } from '../typed.ts';
import { sqlText, type SqlText } from './sql-texts.ts';

/** A piece of SQL in a cube. */
export interface SqlPosition {
  readonly node: ScalarNode;
  readonly sql: SqlText;
  /** The innermost surrounding shape, and its key there. */
  readonly shape: Site['shape'];
  readonly key: string;
  /** The keys from the member down to it: `case`, `when`, `sql`. */
  readonly path: readonly string[];
  /** The list of the cube that its member is in: `measures`, `dimensions`, `joins` …; undefined outside of members. */
  readonly list: string | undefined;
  readonly member: MapNode | undefined;
}

interface Read {
  readonly chunk: Chunk;
  readonly positions: readonly SqlPosition[];
}

/**
 * The latest result: checks that read SQL run in sequence for each entity, and parsing it is the slowest step. A weak map, because a
 * chunk holds all that is known of its model, which would otherwise stay in memory after its document was closed.
 */
let latest = new WeakMap<MapNode, Read>();

/** Returns every piece of an entity's SQL that is known exactly as the engine receives it. */
export function sqlPositions(entity: Entity, chunk: Chunk): readonly SqlPosition[] {
  const { node } = entity;
  const known = latest.get(node);
  if (known?.chunk === chunk) return known.positions;
  const read: Read = { chunk, positions: readPositions(entity, chunk) };
  latest = new WeakMap([[node, read]]);
  return read.positions;
}

function readPositions(entity: Entity, chunk: Chunk): readonly SqlPosition[] {
  const positions: SqlPosition[] = [];
  walkEntity(entity, (site) => {
    if (site.type.is !== 'sql' || site.node.kind !== 'scalar') return;
    const sql = sqlText(chunk, site.node);
    if (sql) positions.push({ node: site.node, sql, ...surroundings(site) });
  });
  return positions;
}

function surroundings(site: Site): Omit<SqlPosition, 'node' | 'sql'> {
  const shape = site.parent?.shape;
  const path: string[] = [];
  for (let at: Site | undefined = site; at; at = at.parent) {
    const list = at.parent;
    if (list?.parent && !list.parent.parent && list.type.is === 'members' && at.node.kind === 'map')
      return { shape, key: site.key ?? '', path, list: list.key, member: at.node };
    if (at.key !== undefined) path.unshift(at.key);
  }
  return { shape, key: site.key ?? '', path, list: undefined, member: undefined };
}

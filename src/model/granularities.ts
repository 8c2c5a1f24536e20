import { GRANULARITIES } from './language/shared-keys.ts';
import type { MemberSymbol } from './symbols.ts';
import type { MapNode, ScalarNode } from './syntax/tree.ts';
import { childrenOf, rootSite } from './typed.ts';

/** A granularity that a time dimension defines. */
export interface OwnGranularity {
  readonly member: MemberSymbol;
  readonly node: MapNode;
  readonly nameNode: ScalarNode;
}

/** Returns the names that may follow a time dimension. */
export function granularitiesOf(member: MemberSymbol): readonly string[] {
  return [...GRANULARITIES, ...ownGranularities(member).map(({ nameNode }) => nameNode.value)];
}

/** Returns the granularities that a time dimension defines. */
export function ownGranularities(member: MemberSymbol): readonly OwnGranularity[] {
  if (!member.has('granularities')) return [];
  const site = childrenOf({
    ...rootSite(member.owner.entity),
    node: member.node,
    shape: 'dimension',
    type: { is: 'map', shape: 'dimension' },
  }).find(({ key }) => key === 'granularities');
  return (site ? childrenOf(site) : []).flatMap(({ node, nameNode }) =>
    nameNode && node.kind === 'map' ? [{ member, node, nameNode }] : [],
  );
}

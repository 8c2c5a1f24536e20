import { GRANULARITIES } from './language/shared-keys.ts';
import type { MemberSymbol } from './symbols.ts';
import { childrenOf, rootSite } from './typed.ts';

/** Returns the names that may follow a time dimension. */
export function granularitiesOf(member: MemberSymbol): readonly string[] {
  if (!member.has('granularities')) return GRANULARITIES;
  const site = childrenOf({
    ...rootSite(member.owner.entity),
    node: member.node,
    shape: 'dimension',
    type: { is: 'map', shape: 'dimension' },
  }).find(({ key }) => key === 'granularities');
  const names = site ? childrenOf(site).flatMap(({ nameNode }) => (nameNode ? [nameNode.value] : [])) : [];
  return [...GRANULARITIES, ...names];
}

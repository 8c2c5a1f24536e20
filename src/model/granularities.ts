import { GRANULARITIES } from './language/shared-keys.ts';
import type { MemberSymbol } from './symbols.ts';
import { ownGranularities } from './granularity-names.ts';

/** Returns the names that may follow a time dimension. */
export function granularitiesOf(member: MemberSymbol): readonly string[] {
  return [...GRANULARITIES, ...ownGranularities(member).map(({ nameNode }) => nameNode.value)];
}

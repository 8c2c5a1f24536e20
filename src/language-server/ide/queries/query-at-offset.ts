import type { MemberSymbol } from '#model/symbols.ts';
import type { Opened } from '#language-server/workspace/workspace.ts';
import { symbolAt } from '#language-server/ide/locations.ts';

/** The most members in a query: SQL with more of them is not readable. */
const MOST_MEMBERS = 40;

/** Returns a query for the member at an offset, or else for its whole cube or view. */
export function queryAtOffset(
  opened: Opened,
  offset: number,
): { readonly name: string; readonly query: Readonly<Record<string, unknown>> } | undefined {
  const at = symbolAt(opened, offset);
  if (!at || at.symbol.kind === 'viewGroup' || at.symbol.dynamic) return undefined;
  const { symbol, start } = at;
  const effective = [...opened.root.index.membersOf(symbol).byName.values()];
  const named = (kind: MemberSymbol['kind']): readonly string[] =>
    effective
      .filter((each) => each.kind === kind && each.member.text('type') !== 'geo')
      .slice(0, MOST_MEMBERS)
      .map(({ name }) => `${symbol.name}.${name}`);
  const own = [...symbol.members.values()].find(
    (member) => start + member.start <= offset && offset <= start + member.end,
  );
  const [measures, dimensions] = [named('measure'), named('dimension')];
  const name = own ? `${symbol.name}.${own.name}` : symbol.name;
  switch (own?.kind) {
    case 'measure':
      return { name, query: { measures: [name] } };
    case 'dimension':
      return { name, query: { dimensions: [name] } };
    case 'segment': {
      const counted = measures.slice(0, 1);
      return { name, query: { measures: counted, dimensions: counted.length > 0 ? [] : dimensions, segments: [name] } };
    }
    default:
      return measures.length + dimensions.length > 0
        ? { name: symbol.name, query: { measures, dimensions } }
        : undefined;
  }
}

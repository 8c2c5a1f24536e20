import type { CubeMeta, MemberMeta } from '../../engine/types.ts';
import { afterGroup, isSymbol, isWord, SqlError, type Token } from './tokens.ts';

type Tokens = readonly Token[];

export interface Member {
  readonly kind: 'measure' | 'dimension' | 'segment';
  /** `cube.member`. */
  readonly name: string;
  readonly type: string;
  readonly aggType: string | undefined;
}

/** What names mean inside one SELECT. */
export interface Scope {
  /** Every member of every cube in FROM, public ones only: what `*` stands for. */
  readonly members: readonly Member[];
  /** Reads a member reference (`revenue`, `sales.revenue`, `"s"."revenue"`) that starts at `at`. */
  memberAt(tokens: Tokens, at: number): { readonly member: Member; readonly end: number } | undefined;
}

/** The cubes and views of a FROM clause; undefined when it names none of them (a subquery or a common table). */
export function readScope(from: Tokens, meta: readonly CubeMeta[]): Scope | undefined {
  const sources = readSources(from);
  if (!sources) return undefined;
  const tables = sources.map(({ name, alias }) => {
    const cube = meta.find((candidate) => candidate.name === name);
    if (!cube) throw new SqlError(`Table or CTE with name '${name}' not found.`);
    return { alias, cube, members: membersOf(cube) };
  });
  const lookUp = (name: string, table: string | undefined): Member | undefined => {
    const found = tables
      .filter(({ alias, cube }) => table === undefined || table === alias || table === cube.name)
      .flatMap(({ cube, members }) => members.filter((member) => member.name === `${cube.name}.${name}`));
    if (found.length > 1) throw new SqlError(`Column '${name}' is in more than one table: write the table before it.`);
    return found[0];
  };
  return {
    members: tables.flatMap(({ members }) => members),
    memberAt: (tokens, at) => {
      const first = tokens[at];
      if (!isName(first) || isSymbol(tokens[at - 1], '.')) return undefined;
      const second = tokens[at + 2];
      if (isSymbol(tokens[at + 1], '.') && isName(second)) {
        const member = lookUp(second.value, first.value);
        if (!member) throw new SqlError(`Column '${first.value}.${second.value}' not found.`);
        return { member, end: at + 3 };
      }
      if (isSymbol(tokens[at + 1], '(')) return undefined;
      const member = lookUp(first.value, undefined);
      return member && { member, end: at + 1 };
    },
  };
}

interface Source {
  readonly name: string;
  readonly alias: string | undefined;
}

/** `a [AS] x [CROSS|LEFT|INNER JOIN b [ON …]]…`: join conditions are the model's own business. */
function readSources(from: Tokens): readonly Source[] | undefined {
  const sources: Source[] = [];
  let at = 0;
  while (at < from.length) {
    if (isSymbol(from[at], '(')) return undefined;
    let name = from[at];
    // `public.orders`: the schema says nothing here.
    if (isSymbol(from[at + 1], '.')) {
      name = from[at + 2];
      at += 2;
    }
    if (!isName(name)) throw new SqlError('FROM must name a cube or view.');
    at++;
    if (isWord(from[at], 'AS')) at++;
    const next = from[at];
    const alias = isName(next) && !isWord(next, ...joinWords) ? next.value : undefined;
    if (alias !== undefined) at++;
    sources.push({ name: name.value, alias });
    at = toNextSource(from, at);
  }
  return sources;
}

const joinWords = ['CROSS', 'LEFT', 'RIGHT', 'INNER', 'FULL', 'OUTER', 'JOIN', 'ON', 'USING'];

function toNextSource(from: Tokens, start: number): number {
  let at = start;
  while (at < from.length) {
    if (isSymbol(from[at], ',') || isWord(from[at], 'JOIN')) return at + 1;
    at = isSymbol(from[at], '(') ? afterGroup(from, at) : at + 1;
  }
  return at;
}

function membersOf(cube: CubeMeta): readonly Member[] {
  const visible = <T extends { readonly isVisible: boolean }>(members: readonly T[]): readonly T[] =>
    members.filter((member) => member.isVisible);
  const of = (kind: 'measure' | 'dimension', members: readonly MemberMeta[]): readonly Member[] =>
    visible(members).map(({ name, type, aggType }) => ({ kind, name, type, aggType }));
  return [
    ...of('dimension', cube.dimensions),
    ...of('measure', cube.measures),
    ...visible(cube.segments).map(({ name }) => ({
      kind: 'segment' as const,
      name,
      type: 'boolean',
      aggType: undefined,
    })),
  ];
}

function isName(token: Token | undefined): token is Token {
  return token?.kind === 'word' || token?.kind === 'name';
}

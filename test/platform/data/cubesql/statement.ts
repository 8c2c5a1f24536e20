import { afterGroup, isSymbol, isWord, splitAtCommas, SqlError, type Token } from './tokens.ts';

type Tokens = readonly Token[];

/** One SELECT cut at its clauses. Absent clauses are empty lists. */
export interface Select {
  readonly distinct: boolean;
  readonly items: readonly SelectItem[];
  readonly from: Tokens;
  readonly where: Tokens;
  readonly groupBy: readonly Tokens[];
  readonly having: Tokens;
  readonly orderBy: readonly Tokens[];
  /** `LIMIT … OFFSET …` as written. */
  readonly limit: Tokens;
}

interface SelectItem {
  readonly expression: Tokens;
  readonly alias: string | undefined;
}

const clauses = ['FROM', 'WHERE', 'GROUP', 'HAVING', 'ORDER', 'LIMIT', 'OFFSET'] as const;
type Clause = (typeof clauses)[number];

/** Parses `SELECT …` (the whole token list; no set operators). */
export function parseSelect(tokens: Tokens): Select {
  if (!isWord(tokens[0], 'SELECT')) throw new SqlError('Only SELECT statements can be run.');
  const parts = cutClauses(tokens.slice(1));
  const head = parts.get('SELECT') ?? [];
  const distinct = isWord(head[0], 'DISTINCT');
  const items = splitAtCommas(distinct ? head.slice(1) : head).map(selectItem);
  const by = (clause: Clause): readonly Tokens[] => {
    const content = parts.get(clause) ?? [];
    if (content.length === 0) return [];
    if (!isWord(content[0], 'BY')) throw new SqlError(`${clause} must be followed by BY.`);
    return splitAtCommas(content.slice(1));
  };
  return {
    distinct,
    items,
    from: parts.get('FROM') ?? [],
    where: parts.get('WHERE') ?? [],
    groupBy: by('GROUP'),
    having: parts.get('HAVING') ?? [],
    orderBy: by('ORDER'),
    limit: [...withKeyword('LIMIT', parts.get('LIMIT')), ...withKeyword('OFFSET', parts.get('OFFSET'))],
  };
}

function cutClauses(tokens: Tokens): ReadonlyMap<Clause | 'SELECT', Tokens> {
  const parts = new Map<Clause | 'SELECT', Token[]>([['SELECT', []]]);
  let current: Clause | 'SELECT' = 'SELECT';
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at];
    if (!token) break;
    const clause = token.kind === 'word' ? clauses.find((name) => name === token.value.toUpperCase()) : undefined;
    // `orders.limit` or `"group"` are names, not clauses; ORDER BY within OVER (…) sits in parentheses.
    if (clause && !isSymbol(tokens[at - 1], '.')) {
      if (parts.has(clause)) throw new SqlError(`${clause} occurs twice.`);
      parts.set(clause, []);
      current = clause;
      at++;
      continue;
    }
    const end = isSymbol(token, '(') ? afterGroup(tokens, at) : at + 1;
    parts.get(current)?.push(...tokens.slice(at, end));
    at = end;
  }
  return parts;
}

function withKeyword(keyword: string, content: Tokens | undefined): Tokens {
  if (!content) return [];
  return [{ kind: 'word', value: keyword, raw: keyword }, ...content];
}

/** `expression [AS] alias`. */
function selectItem(tokens: Tokens): SelectItem {
  const last = tokens.at(-1);
  const before = tokens.at(-2);
  if (last && before && (last.kind === 'word' || last.kind === 'name')) {
    if (isWord(before, 'AS')) return { expression: tokens.slice(0, -2), alias: last.value };
    const follows = before.kind !== 'symbol' || isSymbol(before, ')');
    if (follows && !isWord(last, 'END', 'NULL', 'TRUE', 'FALSE') && !isWord(before, 'NOT', 'DISTINCT')) {
      return { expression: tokens.slice(0, -1), alias: last.value };
    }
  }
  if (tokens.length === 0) throw new SqlError('A column is missing between two commas.');
  return { expression: tokens, alias: undefined };
}

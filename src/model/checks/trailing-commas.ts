import type { Problem } from '../codes.ts';
import type { ModelIndex } from '../index.ts';
import type { SqlToken } from '../sql/lexer.ts';
import { sqlPositions } from '../sql/positions.ts';
import { isWord } from '../sql/roles.ts';
import { isBalanced } from '../sql/sql-texts.ts';
import { AGGREGATE_FUNCTIONS, SCALARS } from '../sql/words.ts';
import type { EntitySymbol } from '../symbols.ts';
import { findPair } from '../syntax/tree.ts';

/** Databases that refuse a comma behind the last item of every list. The others accept it in some lists. */
const STRICT = new Set(['postgres', 'postgresql', 'mysql', 'mssql', 'sqlserver', 'oracle', 'sqlite', 'trino']);
/** Databases in which even the arguments of a function can end with a comma. */
const LENIENT = new Set(['duckdb', 'motherduck']);

/** Reports a comma behind the last item of a list, where the database refuses it; where it is unknown, if all databases do. */
export function checkTrailingCommas(entity: EntitySymbol, index: ModelIndex): Problem[] {
  const { chunk } = entity;
  if (chunk.templated) return [];
  const database = databaseOf(entity, index);
  return sqlPositions(entity.entity, chunk).flatMap(({ sql }) =>
    isBalanced(sql) ? inTokens(sql.tokens, database) : [],
  );
}

/** Returns the kind of database that a cube is in; undefined if it is not known, or if the cube can be in another one. */
function databaseOf({ entity }: EntitySymbol, { database }: ModelIndex): string | undefined {
  const isElsewhere = findPair(entity.node, 'data_source', 'dataSource', 'extends') !== undefined;
  return isElsewhere ? undefined : database;
}

function inTokens(tokens: readonly SqlToken[], database = ''): Problem[] {
  const problems: Problem[] = [];
  const open: number[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'open') open.push(at);
    const comma = tokens[at - 1];
    const start = token.kind === 'close' ? open.pop() : undefined;
    if (comma?.text !== ',') continue;
    const isRefused =
      token.kind === 'close' ? refusesInBrackets(tokens, start, database) : refusesBefore(tokens, at, database);
    if (isRefused) problems.push(problemAt(comma));
  }
  const last = tokens.at(-1);
  if (last?.text === ',' && STRICT.has(database) && tokens.some((_, at) => isWord(tokens, at, /^select$/)))
    problems.push(problemAt(last));
  return problems;
}

function refusesInBrackets(tokens: readonly SqlToken[], open: number | undefined, database: string): boolean {
  if (LENIENT.has(database) || open === undefined) return false;
  if (STRICT.has(database)) return true;
  const name = tokens[open - 1];
  const isFunction = name?.kind === 'word' && (SCALARS.has(name.text) || AGGREGATE_FUNCTIONS.has(name.text));
  return isFunction && tokens[open - 2]?.text !== '.';
}

/** Checks for a clause of a query directly behind a comma. */
function refusesBefore(tokens: readonly SqlToken[], at: number, database: string): boolean {
  if (!STRICT.has(database)) return false;
  return (
    isWord(tokens, at, /^(?:from|where|having|union)$/) ||
    (isWord(tokens, at, /^(?:group|order)$/) && tokens[at + 1]?.text === 'by')
  );
}

function problemAt({ start, end }: SqlToken): Problem {
  return { code: 'incomplete-sql', start, end, message: 'Nothing follows this comma in its list: remove it.' };
}

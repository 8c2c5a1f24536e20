import type { CubeMeta, GeneratedSql, SemanticQuery, SqlResult } from '../../engine/types.ts';
import { err, ok, type Result } from '#base/result.ts';
import { planSelect } from './select.ts';
import { readScope } from './scope.ts';
import { parseSelect } from './statement.ts';
import { afterGroup, isSymbol, isWord, render, splitAtCommas, SqlError, tokenize, type Token } from './tokens.ts';

type Tokens = readonly Token[];

export interface PlanContext {
  readonly meta: readonly CubeMeta[];
  /** Milliseconds since the epoch, for `CURRENT_DATE`. */
  readonly now: number;
  generate(query: SemanticQuery): Promise<SqlResult>;
}

/** A finished piece of SQL; `params` in the order of their placeholders. */
export interface Sql {
  readonly sql: string;
  readonly params: GeneratedSql['params'];
}

/**
 * Plans SQL over the model's cubes and views: every SELECT from a cube becomes a semantic query, whose generated SQL takes
 * the place of the cube; expressions, HAVING, ORDER BY and LIMIT stay around it. Subqueries, WITH and UNION are planned
 * inside out. Tables of the warehouse itself are out of reach.
 */
export async function planSql(text: string, context: PlanContext): Promise<Result<Sql, string>> {
  try {
    return ok(await new Planner(context).query(tokenize(text), new Set()));
  } catch (error) {
    if (error instanceof SqlError) return err(error.message);
    throw error;
  }
}

class Planner {
  readonly #context: PlanContext;
  /** Subqueries that are planned already stand in the token list as one token each. */
  readonly #planned = new Map<Token, Sql>();

  constructor(context: PlanContext) {
    this.#context = context;
  }

  async query(tokens: Tokens, tables: ReadonlySet<string>): Promise<Sql> {
    if (isWord(tokens[0], 'WITH')) return this.#with(tokens, tables);
    const flat = await this.#planSubqueries(tokens, tables);
    const parts: Sql[] = [];
    let start = 0;
    for (let at = 0; at <= flat.length; at++) {
      if (at < flat.length && !isWord(flat[at], 'UNION', 'INTERSECT', 'EXCEPT')) continue;
      parts.push(await this.#select(flat.slice(start, at), tables));
      if (at === flat.length) break;
      const all = isWord(flat[at + 1], 'ALL');
      parts.push({ sql: ` ${flat[at]?.value ?? ''}${all ? ' ALL' : ''} `, params: [] });
      start = at + (all ? 2 : 1);
      at = start;
    }
    return concat(parts);
  }

  async #with(tokens: Tokens, outer: ReadonlySet<string>): Promise<Sql> {
    const tables = new Set(outer);
    const parts: Sql[] = [{ sql: 'WITH ', params: [] }];
    let at = 1;
    for (;;) {
      const name = tokens[at];
      if (!name || !isWord(tokens[at + 1], 'AS') || !isSymbol(tokens[at + 2], '(')) {
        throw new SqlError('WITH must be followed by name AS (SELECT …).');
      }
      const end = afterGroup(tokens, at + 2);
      const body = await this.query(tokens.slice(at + 3, end - 1), tables);
      parts.push({ sql: `${quote(name.value)} AS (`, params: [] }, body, { sql: ')', params: [] });
      tables.add(name.value);
      at = end;
      if (!isSymbol(tokens[at], ',')) break;
      parts.push({ sql: ', ', params: [] });
      at++;
    }
    return concat([...parts, { sql: ' ', params: [] }, await this.query(tokens.slice(at), tables)]);
  }

  async #planSubqueries(tokens: Tokens, tables: ReadonlySet<string>): Promise<Tokens> {
    const flat: Token[] = [];
    for (let at = 0; at < tokens.length;) {
      const token = tokens[at];
      if (!token) break;
      if (isSymbol(token, '(') && isWord(tokens[at + 1], 'SELECT', 'WITH')) {
        const end = afterGroup(tokens, at);
        const inner = await this.query(tokens.slice(at + 1, end - 1), tables);
        const stand: Token = { kind: 'symbol', value: '(query)', raw: `(${inner.sql})` };
        this.#planned.set(stand, inner);
        flat.push(stand);
        at = end;
      } else {
        flat.push(token);
        at++;
      }
    }
    return flat;
  }

  async #select(tokens: Tokens, tables: ReadonlySet<string>): Promise<Sql> {
    const select = parseSelect(tokens);
    if (select.from.length === 0 || this.#readsOnly(select.from, tables)) {
      return { sql: render(tokens), params: this.#params(tokens) };
    }
    const scope = readScope(select.from, this.#context.meta);
    if (!scope) throw new SqlError('FROM names something that is neither a cube, a view nor a subquery.');
    return planSelect(select, scope, { ...this.#context, params: (used) => this.#params(used) });
  }

  /** Whether FROM consists of subqueries and common tables alone. */
  #readsOnly(from: Tokens, tables: ReadonlySet<string>): boolean {
    const sources = splitAtCommas(from).flatMap((part) => {
      const starts = [0, ...part.flatMap((token, index) => (isWord(token, 'JOIN') ? [index + 1] : []))];
      return starts.map((start) => part[start]);
    });
    const known = sources.map(
      (source) => source !== undefined && (this.#planned.has(source) || tables.has(source.value)),
    );
    if (known.includes(true) && known.includes(false)) {
      throw new SqlError('A cube or view cannot be joined with a subquery: select from it in a subquery of its own.');
    }
    return known.every(Boolean);
  }

  #params(tokens: Tokens): Sql['params'] {
    return tokens.flatMap((token) => this.#planned.get(token)?.params ?? []);
  }
}

function concat(parts: readonly Sql[]): Sql {
  return { sql: parts.map((part) => part.sql).join(''), params: parts.flatMap((part) => part.params) };
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

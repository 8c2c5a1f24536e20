import { applyPolicies } from './access-policy.ts';
import type { GoodCompilation } from './compilations.ts';
import { createDuckDbQueryClass } from './duckdb-query.ts';
import type { EngineQueryClass, SchemaCompiler } from './schema-compiler.ts';
import type { SecurityContext, SemanticQuery, SqlResult } from './types.ts';

const queryClasses = new WeakMap<SchemaCompiler, EngineQueryClass>();

/** Generates the SQL of one query; what a user can mend comes back as a `UserError` with the engine's own text. */
export function generateSql(
  compilation: GoodCompilation,
  query: SemanticQuery,
  securityContext: SecurityContext | undefined,
): SqlResult {
  const { engine, compilers } = compilation;
  const queryClass = queryClasses.get(engine) ?? createDuckDbQueryClass(engine);
  queryClasses.set(engine, queryClass);
  try {
    const policies = applyPolicies(compilation, query, securityContext ?? {});
    const [hidden] = policies.hidden;
    if (hidden !== undefined) {
      const error = `You requested hidden member: '${hidden}'. Please make it visible using \`public: true\``;
      return { ok: false, type: 'UserError', error };
    }
    const { limit, ...options } = query;
    const built = new queryClass(compilers, {
      ...options,
      filters: [...query.filters, ...policies.filters],
      maskedMembers: policies.maskedMembers,
      rowLimit: limit,
      contextSymbols: { securityContext: securityContext ?? {} },
      // Rows without their key are fine for a user who looks at data.
      allowUngroupedWithoutPrimaryKey: true,
    });
    const [sql, params] = built.buildSqlAndParams();
    return { ok: true, value: { sql, params, columns: built.aliasNameToMember } };
  } catch (error) {
    if (!(error instanceof Error)) return { ok: false, type: 'Error', error: String(error) };
    return { ok: false, type: error.constructor.name === 'UserError' ? 'UserError' : 'Error', error: error.message };
  }
}

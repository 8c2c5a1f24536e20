import * as builder from '@cubejs-backend/schema-compiler/dist/src/adapter/QueryBuilder.js';
import * as matching from '@cubejs-backend/schema-compiler/dist/src/adapter/PreAggregations.js';
import { failedRules, type Matches } from '#model/pre-aggregations/failed-rules.ts';
import { proposeRollup } from '#model/pre-aggregations/propose-rollup.ts';
import type { QueryForm, RollupReferences } from '#model/pre-aggregations/query-form.ts';
import type { Candidate, PreAggregationReport } from '#model/pre-aggregations/rules.ts';
import type { EngineQuery, EngineQueryAnswer, EngineQuestion } from '../messages.ts';
import { type Compilers, compileModel } from './compile.ts';

/** The functions of the engine's query builder that are used here, with narrow types. */
interface BuiltQuery {
  readonly preAggregations: {
    findPreAggregationForQuery: () => MatchResult | undefined;
    findPreAggregationToUseForCube: (cube: string) => unknown;
    rollupMatchResults(): readonly MatchResult[];
  };
  readonly join?: { readonly root: string } | undefined;
  readonly dimensions: readonly Member[];
  readonly filters: readonly { getMembers(): NestedMembers }[];
  collectCubeNames(): readonly string[];
  buildSqlAndParams(): readonly [string, readonly unknown[]];
  resolveFullMemberPathFn(): (member: string) => string;
}
interface Member {
  expressionPath(): string;
}
/** The members of a filter; for a group of filters, a list for each of them. */
type NestedMembers = readonly (Member | NestedMembers)[];
interface MatchResult {
  readonly preAggregationId: string;
  readonly preAggregation: { readonly type: string };
  readonly canUsePreAggregation: boolean;
  readonly references: RollupReferences;
}
interface Builder {
  readonly createQuery: (compilers: Compilers, dialect: string, query: object) => BuiltQuery | null;
}
interface Matching {
  readonly PreAggregations: {
    transformQueryToCanUseForm(query: BuiltQuery): QueryForm;
    canUsePreAggregationForTransformedQueryFn(
      form: QueryForm,
      references: RollupReferences,
    ): { readonly canUse: boolean };
  };
}
const { createQuery } = builder as unknown as Builder;
const { PreAggregations } = matching as unknown as Matching;

/** The last model: the next query is usually about the same one. */
let last: { readonly files: string; readonly model: Awaited<ReturnType<typeof compileModel>> } | undefined;

/** Resolves to the SQL of a query and the pre-aggregations that serve it, as texts and lists of texts only. */
export async function answerQuery({
  files,
  query,
  dialect,
}: Extract<EngineQuestion, { readonly kind: 'query' }>): Promise<EngineQueryAnswer> {
  const key = JSON.stringify(files);
  if (last?.files !== key) last = { files: key, model: await compileModel(files) };
  const { compilers, errors } = last.model;
  if (errors.length > 0) return { kind: 'refused', errors };
  try {
    const [sql, values] = withoutPreAggregations(build(compilers, dialect, query)).buildSqlAndParams();
    const preAggregations = reportOn(build(compilers, dialect, query), compilers);
    return { kind: 'compiled', sql, values: values.map((value) => JSON.stringify(value) ?? ''), preAggregations };
  } catch (error) {
    return { kind: 'wrong', message: error instanceof Error ? error.message : 'The engine failed.' };
  }
}

function build(compilers: Compilers, dialect: string, query: EngineQuery): BuiltQuery {
  const built = createQuery(compilers, dialect, {
    ...query,
    contextSymbols: { securityContext: {} },
    allowUngroupedWithoutPrimaryKey: true,
  });
  if (!built) throw new Error(`The engine has no dialect for “${dialect}”.`);
  return built;
}

/** Returns the query on the source tables: a pre-aggregation is built from it, and it runs if none is ready. */
function withoutPreAggregations(query: BuiltQuery): BuiltQuery {
  query.preAggregations.findPreAggregationForQuery = () => undefined;
  query.preAggregations.findPreAggregationToUseForCube = () => null;
  return query;
}

const matches: Matches = (form, references) =>
  PreAggregations.canUsePreAggregationForTransformedQueryFn(form, references).canUse;

function reportOn(query: BuiltQuery, compilers: Compilers): PreAggregationReport {
  const form = formOf(query);
  const results = query.preAggregations.rollupMatchResults();
  const used = query.preAggregations.findPreAggregationForQuery()?.preAggregationId;
  const candidates = [
    ...results.map((result) => candidate(result, form, used)),
    ...originalSqls(query.collectCubeNames(), compilers),
  ];
  const cube = query.join?.root;
  if (used !== undefined || cube === undefined) return { candidates, proposed: [], obstacles: [] };
  const isSegment = (name: string): boolean => compilers.cubeEvaluator.isInstanceOfType('segments', name);
  const fullPath = query.resolveFullMemberPathFn();
  return { candidates, ...proposeRollup(form, { cube, isSegment, fullPath }, matches) };
}

function formOf(query: BuiltQuery): QueryForm {
  const fullPath = query.resolveFullMemberPathFn();
  const selected = new Set(query.dimensions.map((dimension) => fullPath(dimension.expressionPath())));
  const filtered = query.filters
    .flatMap((filter) => membersOf(filter.getMembers()))
    .map((member) => fullPath(member.expressionPath()));
  return {
    ...PreAggregations.transformQueryToCanUseForm(query),
    filteredOnly: [...new Set(filtered)].filter((name) => !selected.has(name)),
  };
}

function membersOf(all: NestedMembers): readonly Member[] {
  return all.flatMap((each) => ('expressionPath' in each ? [each] : membersOf(each)));
}

function candidate(result: MatchResult, form: QueryForm, used: string | undefined): Candidate {
  const { preAggregationId: id, preAggregation, canUsePreAggregation, references } = result;
  const base = { id, type: preAggregation.type, isUsed: id === used };
  if (base.isUsed) {
    const isWhole = matches(form, references) && !matches(form, { ...references, allowNonStrictDateRangeMatch: false });
    return { ...base, failed: isWhole ? [{ rule: 'wholePeriods' }] : [] };
  }
  if (canUsePreAggregation && used !== undefined) return { ...base, failed: [{ rule: 'shadowed', by: used }] };
  const failed = failedRules(form, references, matches);
  return { ...base, failed: failed.length > 0 ? failed : [{ rule: 'other' }] };
}

function originalSqls(cubes: readonly string[], { cubeEvaluator }: Compilers): readonly Candidate[] {
  return cubes.flatMap((cube) =>
    Object.entries(cubeEvaluator.preAggregationsForCube(cube))
      .filter(([, { type }]) => type === 'originalSql')
      .map(([name, { type }]) => ({
        id: `${cube}.${name}`,
        type,
        isUsed: false,
        failed: [{ rule: 'originalSql' as const }],
      })),
  );
}

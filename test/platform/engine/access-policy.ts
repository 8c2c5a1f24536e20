import type { GoodCompilation } from './compilations.ts';
import type { AccessPolicy, CubeEvaluator, EvaluatedCube, PolicyFilter } from './schema-compiler.ts';
import type { CubeMeta, QueryFilter, SecurityContext, SemanticQuery } from './types.ts';

/** What a security context may see of one member. */
type Access = 'full' | 'masked' | 'none';

/**
 * The metadata that a security context may see: members that no matching access policy grants are left out, and cubes
 * that are left without any member too.
 */
export function visibleMeta(compilation: GoodCompilation, securityContext: SecurityContext): readonly CubeMeta[] {
  const access = createAccess(compilation.compilers.cubeEvaluator, securityContext);
  const sees = ({ name }: { readonly name: string }): boolean => access.ofMember(name) !== 'none';
  return compilation.meta
    .map((cube) => {
      if (!access.isRestricted(cube.name)) return cube;
      return {
        ...cube,
        measures: cube.measures.filter(sees),
        dimensions: cube.dimensions.filter(sees),
        segments: cube.segments.filter(sees),
        hierarchies: cube.hierarchies
          .map((hierarchy) => ({ ...hierarchy, levels: hierarchy.levels.filter((name) => sees({ name })) }))
          .filter((hierarchy) => hierarchy.levels.length > 0),
        folders: cube.folders.map((folder) => ({
          ...folder,
          members: folder.members.filter((name) => sees({ name })),
        })),
      };
    })
    .filter((cube) => !access.isRestricted(cube.name) || cube.measures.length + cube.dimensions.length > 0);
}

interface PolicyOutcome {
  /** Row filters to add to the query. */
  readonly filters: readonly QueryFilter[];
  readonly maskedMembers: readonly { readonly member: string }[];
  /** Members the context may not use; the query is refused when there are any. */
  readonly hidden: readonly string[];
}

/** What the model's access policies make of a query for a security context. */
export function applyPolicies(
  compilation: GoodCompilation,
  query: SemanticQuery,
  securityContext: SecurityContext,
): PolicyOutcome {
  const access = createAccess(compilation.compilers.cubeEvaluator, securityContext);
  const members = membersOf(query);
  const filters: QueryFilter[] = [];
  for (const member of members) filters.push(...access.rowFilters(member));
  // A view is a boundary for members, but the rows of the cubes beneath it stay restricted.
  for (const member of aliasMembers(compilation.meta, members)) filters.push(...access.rowFilters(member));
  return {
    filters: uniqueBy(filters, (filter) => JSON.stringify(filter)),
    maskedMembers: members.filter((member) => access.ofMember(member) === 'masked').map((member) => ({ member })),
    hidden: members.filter((member) => access.ofMember(member) === 'none'),
  };
}

interface AccessOfContext {
  isRestricted(cube: string): boolean;
  ofMember(member: string): Access;
  /** The filters that every row must pass for this member: one per call, `or` over the policies that grant the member. */
  rowFilters(member: string): readonly QueryFilter[];
}

function createAccess(evaluator: CubeEvaluator, securityContext: SecurityContext): AccessOfContext {
  const context = withPlatformContext(securityContext);
  const matching = new Map<string, readonly AccessPolicy[] | undefined>();
  const policiesOf = (cubeName: string): readonly AccessPolicy[] | undefined => {
    if (!matching.has(cubeName)) {
      const cube = evaluator.evaluatedCubes[cubeName];
      matching.set(
        cubeName,
        cube?.accessPolicy?.filter((policy) => matches(evaluator, cube, policy, context)),
      );
    }
    return matching.get(cubeName);
  };
  const granting = (member: string): readonly AccessPolicy[] =>
    (policiesOf(cubeOf(member)) ?? []).filter((policy) => accessOf(policy, member) !== 'none');
  return {
    isRestricted: (cube) => policiesOf(cube) !== undefined,
    ofMember: (member) => {
      const policies = policiesOf(cubeOf(member));
      if (!policies) return 'full';
      const grants = policies.map((policy) => accessOf(policy, member));
      if (grants.includes('full')) return 'full';
      return grants.includes('masked') ? 'masked' : 'none';
    },
    rowFilters: (member) => {
      const cube = evaluator.evaluatedCubes[cubeOf(member)];
      if (!cube || !policiesOf(cube.name)) return [];
      const alternatives = granting(member).map((policy) => rowFilter(evaluator, cube, policy, context));
      // One policy that lets every row through is enough.
      if (alternatives.length === 0 || alternatives.includes(undefined)) return [];
      const filters = alternatives.filter((filter) => filter !== undefined);
      return filters.length === 1 ? filters : [{ or: filters }];
    },
  };
}

/** Access policies read `groups` and `userAttributes` from a reserved branch of the security context. */
function withPlatformContext(securityContext: SecurityContext): SecurityContext {
  const own = securityContext['cubeCloud'];
  const nested = typeof own === 'object' && own !== null ? own : {};
  return {
    ...securityContext,
    cubeCloud: {
      groups: groupsOf(securityContext),
      userAttributes: securityContext['userAttributes'] ?? {},
      ...nested,
    },
  };
}

function groupsOf(securityContext: SecurityContext): readonly string[] {
  const reserved = securityContext['cubeCloud'] as { groups?: unknown } | undefined;
  const groups = securityContext['groups'] ?? reserved?.groups;
  return Array.isArray(groups) ? groups.filter((group): group is string => typeof group === 'string') : [];
}

function matches(
  evaluator: CubeEvaluator,
  cube: EvaluatedCube,
  policy: AccessPolicy,
  context: SecurityContext,
): boolean {
  const wanted = policy.groups ?? (policy.group === undefined ? [] : [policy.group]);
  const groups = groupsOf(context);
  if (!wanted.some((group) => group === '*' || groups.includes(group))) return false;
  return (policy.conditions ?? []).every((condition) =>
    isTrue(evaluator.evaluateContextFunction(cube, condition.if, { securityContext: context })),
  );
}

/** A condition comes back as a value or, from an f-string, as its text. */
function isTrue(value: unknown): boolean {
  return typeof value === 'string' ? !['', 'false', '0', 'undefined', 'null'].includes(value) : Boolean(value);
}

function accessOf(policy: AccessPolicy, member: string): Access {
  if (!policy.memberLevel || lists(policy.memberLevel, member)) return 'full';
  return policy.memberMasking && lists(policy.memberMasking, member) ? 'masked' : 'none';
}

function lists(
  list: { includesMembers: readonly string[]; excludesMembers: readonly string[] },
  member: string,
): boolean {
  return list.includesMembers.includes(member) && !list.excludesMembers.includes(member);
}

function rowFilter(
  evaluator: CubeEvaluator,
  cube: EvaluatedCube,
  policy: AccessPolicy,
  context: SecurityContext,
): QueryFilter | undefined {
  const filters = policy.rowLevel?.filters ?? [];
  if (filters.length === 0) return undefined;
  const evaluated = filters.map((filter) => evaluate(evaluator, cube, filter, context));
  return evaluated.length === 1 ? evaluated[0] : { and: evaluated };
}

function evaluate(
  evaluator: CubeEvaluator,
  cube: EvaluatedCube,
  filter: PolicyFilter,
  context: SecurityContext,
): QueryFilter {
  if ('and' in filter) return { and: filter.and.map((part) => evaluate(evaluator, cube, part, context)) };
  if ('or' in filter) return { or: filter.or.map((part) => evaluate(evaluator, cube, part, context)) };
  const values: unknown =
    typeof filter.values === 'function'
      ? evaluator.evaluateContextFunction(cube, filter.values, { securityContext: context })
      : filter.values;
  return {
    member: filter.memberReference,
    operator: filter.operator,
    ...(values === undefined ? {} : { values: (Array.isArray(values) ? values : [values]).flat().map(String) }),
  };
}

function membersOf(query: SemanticQuery): readonly string[] {
  const ofFilter = (filter: QueryFilter): readonly string[] => {
    if ('and' in filter) return filter.and.flatMap(ofFilter);
    return 'or' in filter ? filter.or.flatMap(ofFilter) : [filter.member];
  };
  return uniqueBy(
    [
      ...query.measures,
      ...query.dimensions,
      ...query.segments,
      ...query.timeDimensions.map((time) => time.dimension),
      ...query.filters.flatMap(ofFilter),
    ],
    (member) => member,
  );
}

function aliasMembers(meta: readonly CubeMeta[], members: readonly string[]): readonly string[] {
  return members.flatMap((member) => {
    const cube = meta.find(({ name }) => name === cubeOf(member));
    if (cube?.type !== 'view') return [];
    const found = [...cube.measures, ...cube.dimensions].find(({ name }) => name === member);
    return found?.aliasMember === undefined ? [] : [found.aliasMember];
  });
}

function cubeOf(member: string): string {
  return member.slice(0, Math.max(0, member.indexOf('.')));
}

function uniqueBy<T>(items: readonly T[], key: (item: T) => string): readonly T[] {
  return [...new Map(items.map((item) => [key(item), item])).values()];
}

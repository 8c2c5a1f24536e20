import type { Target } from './language/types.ts';
import { type Path, readExpression, readTemplate, type Segment } from './strings.ts';
import type { Entity } from './syntax/entity.ts';
import { isDynamic, type ScalarNode } from './syntax/tree.ts';
import { type Site, walkEntity } from './typed.ts';

/** A place where the model names something of the model. Offsets are the part's. */
export interface Reference {
  readonly segments: readonly Segment[];
  readonly start: number;
  readonly end: number;
  /** `sql`: inside a template; `path`: a reference expression; `name`: a plain name that stands for something. */
  readonly form: 'sql' | 'path' | 'name';
  readonly target: Target;
  /** Whether the engine resolves it when it compiles (otherwise only when a query needs it, or never). */
  readonly checked: boolean;
  /** The key that holds it, in the table's spelling. */
  readonly key: string;
  /** The innermost shape around it. */
  readonly shape: string;
  /** The member it stands in. */
  readonly memberName: ScalarNode | undefined;
  readonly whole: boolean;
  readonly call: boolean;
  /** The value that holds it. */
  readonly node: ScalarNode;
}

/** Shapes whose references the engine never looks at when it compiles (verified against it). */
const LATE_SHAPES = new Set([
  'preAggregation',
  'timeDimension',
  'index',
  'outputColumn',
  'policyCondition',
  'case',
  'memberLevel',
  'memberMasking',
]);
/** Shapes whose own `sql` the engine resolves when it compiles. */
const EARLY_SQL = new Set(['dimension', 'measure', 'segment']);
/** Keys that the engine reads only of multi-stage members. */
const STAGE_KEYS = new Set([
  'group_by',
  'reduce_by',
  'add_group_by',
  'time_dimension',
  'exclude',
  'keep_only',
  'include',
]);

/** Every reference of an entity, in order. */
export function extractReferences(entity: Entity, text: string): readonly Reference[] {
  const references: Reference[] = [];
  let memberName: ScalarNode | undefined;
  walkEntity(entity, (site) => {
    if (site.parent?.type.is === 'members' && site.parent.parent?.parent === undefined) {
      memberName = site.nameNode;
      if (site.shape === 'join' && site.nameNode)
        references.push(nameReference(site, site.nameNode, 'cube', memberName));
    }
    if (site.node.kind === 'scalar') addScalar(references, site, site.node, text, memberName);
    return true;
  });
  return references;
}

function addScalar(
  references: Reference[],
  site: Site,
  node: ScalarNode,
  text: string,
  memberName: ScalarNode | undefined,
): void {
  const { type } = site;
  if (isDynamic(node.value) && type.is !== 'sql') return;
  if (type.is === 'sql') addPaths(references, site, node, readTemplate(text, node).paths, memberName, 'sql', 'member');
  else if (type.is === 'reference')
    addPaths(references, site, node, referencePaths(text, node), memberName, 'path', type.to);
  // A join's own name is a reference that was added with its site.
  else if (type.is === 'text' && type.to && !(site.key === 'name' && site.parent?.shape === 'join')) {
    if (node.style !== 'code') references.push(nameReference(site, node, type.to, memberName));
    else addPaths(references, site, node, readExpression(text, node).paths, memberName, 'path', type.to);
  }
}

/** An explicit f-string or a quoted JavaScript path are templates; anything else is an expression. */
function referencePaths(text: string, node: ScalarNode): readonly Path[] {
  return node.style === 'template' ? readTemplate(text, node).paths : readExpression(text, node).paths;
}

function addPaths(
  references: Reference[],
  site: Site,
  node: ScalarNode,
  paths: readonly Path[],
  memberName: ScalarNode | undefined,
  form: 'sql' | 'path',
  target: Target,
): void {
  if (paths.length === 0) return;
  const base = {
    form,
    target,
    checked: isChecked(site),
    key: keyOf(site),
    shape: shapeOf(site),
    memberName,
    node,
  } as const;
  for (const { segments, start, end, whole, call } of paths)
    references.push({ ...base, segments, start, end, whole, call });
}

function nameReference(site: Site, node: ScalarNode, target: Target, memberName: ScalarNode | undefined): Reference {
  return {
    segments: nameSegments(node),
    start: node.start,
    end: node.end,
    form: 'name',
    target,
    checked: isChecked(site),
    key: keyOf(site),
    shape: shapeOf(site),
    memberName,
    whole: true,
    call: false,
    node,
  };
}

/** The parts of a dotted name, with the offsets of its text inside quotes. */
function nameSegments(node: ScalarNode): readonly Segment[] {
  const quoted = node.style === 'double' || node.style === 'single' || node.style === 'template';
  let start = node.start + (quoted ? 1 : 0);
  return node.value.split('.').map((text) => {
    const segment = { text, start, end: start + text.length };
    start = segment.end + 1;
    return segment;
  });
}

function keyOf(site: Site): string {
  return site.key ?? (site.parent ? keyOf(site.parent) : '');
}

function shapeOf(site: Site): string {
  return site.shape ?? (site.parent ? shapeOf(site.parent) : '');
}

function isChecked(site: Site): boolean {
  const shape = shapeOf(site);
  const key = keyOf(site);
  if (site.type.is === 'sql') return EARLY_SQL.has(shape) && key === 'sql';
  if (LATE_SHAPES.has(shape) || key === 'excludes') return false;
  return !STAGE_KEYS.has(key) || shape === 'viewCube' || isMultiStage(site);
}

function isMultiStage(site: Site): boolean {
  for (let at: Site | undefined = site; at; at = at.parent) {
    if (at.shape !== 'measure' && at.shape !== 'dimension') continue;
    const { node } = at;
    const flag =
      node.kind === 'map'
        ? node.pairs.find(({ key }) => key.value === 'multi_stage' || key.value === 'multiStage')?.value
        : undefined;
    return flag?.kind === 'scalar' && flag.value === 'true';
  }
  return false;
}

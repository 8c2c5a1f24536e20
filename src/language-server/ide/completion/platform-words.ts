import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import type { Target } from '#model/language/types.ts';
import type { EntitySymbol, MemberSymbol } from '#model/symbols.ts';
import type { Subject } from '#model/usages/usages.ts';
import type { PlatformCube, PlatformMember, PlatformModel } from '#features/language/messages.ts';
import type { Opened } from '#language-server/workspace/workspace.ts';
import { inEveryRow } from './candidates.ts';

/** A name that the files do not define: templates and scripts may generate it. */
interface Named {
  readonly cube: PlatformCube;
  readonly member: PlatformMember | undefined;
}

const KINDS: Readonly<Record<PlatformMember['kind'], CompletionItemKind>> = {
  measure: CompletionItemKind.Function,
  dimension: CompletionItemKind.Field,
  segment: CompletionItemKind.Event,
};

/**
 * Returns members of a cube that only the platform knows, for a model that is partly generated. If the files define the whole
 * model, a name that they lack was deleted or is misspelt, and is not offered.
 */
export function platformMembers(
  { root }: Opened,
  cubeName: string,
  target: Target,
  have: readonly CompletionItem[],
): CompletionItem[] {
  const { platform, index } = root;
  const cube = platform?.cubes.find(({ name }) => name === cubeName);
  if (!platform || !cube || !index.dynamic) return [];
  const known = new Set(have.map(({ label }) => label));
  return cube.members
    .filter(({ name, kind }) => !known.has(name) && fits(kind, target))
    .map((member) => ({
      label: member.name,
      kind: KINDS[member.kind],
      ...inEveryRow(`${member.kind} · ${member.type} · from ${platform.environment}`),
      sortText: `5${member.name}`,
      ...documentation(member),
    }));
}

/** Returns cubes and views that only the platform knows; see `platformMembers`. */
export function platformEntities(
  { root: { platform, index } }: Opened,
  kinds: readonly EntitySymbol['kind'][],
): CompletionItem[] {
  if (!platform || !index.dynamic) return [];
  return platform.cubes
    .filter(({ name, kind }) => kinds.includes(kind) && !index.entity(name))
    .map((cube) => ({
      label: cube.name,
      kind: cube.kind === 'cube' ? CompletionItemKind.Class : CompletionItemKind.Interface,
      ...inEveryRow(`${cube.kind} · from ${platform.environment}`),
      sortText: `5${cube.name}`,
      ...documentation(cube),
    }));
}

/** Returns how the environment differs for a cube, view or member of the files, as lines of a hover. */
export function platformLines(subject: Subject, platform: PlatformModel | undefined): string[] {
  // There are no cubes at all if the environment has not been built yet.
  if (!platform || subject.is === 'alias' || platform.cubes.length === 0) return [];
  const entity = subject.is === 'entity' ? subject.entity : subject.member.owner;
  const cube = platform.cubes.find(({ name }) => name === entity.name);
  const text = subject.is === 'entity' ? entitySummary(entity, cube) : memberSummary(subject.member, cube);
  return text === undefined ? [] : ['', `*${text.replace('%', `\`${platform.environment}\``)}*`];
}

const NOT_YET = 'Not on % yet';

function entitySummary(entity: EntitySymbol, cube: PlatformCube | undefined): string | undefined {
  return cube || entity.kind === 'viewGroup' || isHidden(entity) ? undefined : NOT_YET;
}

function memberSummary(local: MemberSymbol, cube: PlatformCube | undefined): string | undefined {
  const { name, kind } = local;
  // The platform's metadata contains neither these nor hidden members, such as primary keys that are not public.
  if (kind === 'hierarchy' || kind === 'preAggregation' || isHidden(local)) return undefined;
  const member = cube?.members.find((candidate) => candidate.name === name);
  if (!member) return local.text('primary_key', 'primaryKey') === 'true' ? undefined : NOT_YET;
  const type = local.text('type');
  const differs = type !== undefined && member.type !== '' && !same(type, member.type);
  return differs ? `On %: ${member.kind} · ${member.type}` : undefined;
}

function isHidden(symbol: EntitySymbol | MemberSymbol): boolean {
  return symbol.text('public', 'shown') === 'false';
}

/** Returns the hover of a reference to something that only the platform knows. */
export function platformHover(
  reference: readonly string[],
  owner: EntitySymbol,
  platform: PlatformModel,
): string | undefined {
  const found = find(reference, owner, platform);
  if (!found) return undefined;
  const { cube, member } = found;
  const head = member
    ? `**${cube.name}.${member.name}** · ${member.kind} · ${member.type}`
    : `**${cube.name}** · ${cube.kind}`;
  const { title, description } = member ?? cube;
  const texts = [title === undefined ? '' : `*${title}*`, description ?? ''].filter((text) => text !== '');
  return [head, ...texts, `From \`${platform.environment}\`: the files do not define it.`].join('\n\n');
}

function find(path: readonly string[], owner: EntitySymbol, platform: PlatformModel): Named | undefined {
  const names = path.map((name) => (name === 'CUBE' || name === 'TABLE' ? owner.name : name));
  const last = names.at(-1);
  const cube = platform.cubes.find(({ name }) => name === last);
  if (cube) return { cube, member: undefined };
  const holder = platform.cubes.find(({ name }) => name === (names.at(-2) ?? owner.name));
  const member = holder?.members.find(({ name }) => name === last);
  return holder && member && { cube: holder, member };
}

function documentation({ title, description }: Pick<PlatformMember, 'title' | 'description'>): {
  documentation?: string;
} {
  const text = description ?? title;
  return text === undefined ? {} : { documentation: text };
}

function fits(kind: PlatformMember['kind'], target: Target): boolean {
  if (target === 'dimension' || target === 'switchDimension') return kind === 'dimension';
  if (target === 'measure' || target === 'segment') return kind === target;
  return target !== 'preAggregation';
}

/** Checks whether two types are the same: the engine writes `countDistinct` where a file may have `count_distinct`. */
function same(a: string, b: string): boolean {
  const plain = (text: string): string => text.replaceAll('_', '').toLowerCase();
  return plain(a) === plain(b);
}

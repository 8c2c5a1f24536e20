import type { CubeMeta, MemberMeta } from '../engine/types.ts';
import { isEmptyWord, meanings, wordsOf, type Word } from './words.ts';

/** A member of a cube or view with the words that name it. */
export interface Entry {
  readonly kind: 'measure' | 'dimension';
  /** The cube or view it belongs to. */
  readonly cube: string;
  /** Without the cube. */
  readonly name: string;
  readonly title: string;
  readonly description: string | undefined;
  readonly type: string;
  readonly aggType: string | undefined;
  readonly format: unknown;
  readonly phrases: readonly Phrase[];
}

/** One way to say a member: stems that must all occur. */
interface Phrase {
  readonly stems: readonly string[];
  /** What is taken off the score because the phrase leaves something out. */
  readonly cost: number;
  /** Whether the words must stand together: the cube's name in front of a member's (*store region*). */
  readonly together?: true | undefined;
}

/** One cube or view that can be asked. */
export interface Source {
  readonly name: string;
  readonly type: 'cube' | 'view';
  readonly title: string;
  readonly description: string | undefined;
  readonly entries: readonly Entry[];
  /** Dimensions of other cubes that the model joins to this one; views bring theirs along. */
  readonly joined: readonly Entry[];
}

/** The visible part of a data model as an agent looks at it. */
export function readCatalogue(cubes: readonly CubeMeta[]): readonly Source[] {
  const visible = cubes.filter((cube) => cube.isVisible);
  const entries = new Map(visible.map((cube) => [cube.name, entriesOf(cube)]));
  return visible
    .map((cube) => ({
      name: cube.name,
      type: cube.type,
      title: cube.title,
      description: cube.description,
      entries: entries.get(cube.name) ?? [],
      joined: visible
        .filter((other) => isJoined(cube, other))
        .flatMap((other) => (entries.get(other.name) ?? []).filter(({ kind }) => kind === 'dimension')),
    }))
    .filter((source) => source.entries.length > 0);
}

function isJoined(cube: CubeMeta, other: CubeMeta): boolean {
  const cubes = cube.type === 'cube' && other.type === 'cube' && cube.name !== other.name;
  return cubes && cube.connectedComponent !== undefined && cube.connectedComponent === other.connectedComponent;
}

function entriesOf(cube: CubeMeta): readonly Entry[] {
  const measures = cube.measures.filter((member) => member.isVisible);
  const dimensions = cube.dimensions.filter((member) => member.isVisible && member.type !== 'geo');
  return [
    ...measures.map((member) => entry('measure', cube.name, member)),
    ...dimensions.map((member) => entry('dimension', cube.name, member)),
  ];
}

function entry(kind: Entry['kind'], cube: string, member: MemberMeta): Entry {
  const name = member.name.slice(member.name.indexOf('.') + 1);
  const { shortTitle, description, type, aggType, format } = member;
  const said = [shortTitle, name.replaceAll('_', ' ')].map((text) => tellingStems(text));
  const owner = kind === 'dimension' ? tellingStems(cube.replaceAll('_', ' ')) : [];
  const phrases = said.flatMap((stems) => phrasesOf(stems, owner));
  return { kind, cube, name, title: shortTitle, description, type, aggType, format, phrases: uniquePhrases(phrases) };
}

/** Words too general to name a member alone. People who leave out *name* mean the name; other words matter more. */
const silent = new Set(['name', 'id', 'is', 'at']);
const general = new Set([...silent, 'date', 'type', 'kind', 'rate', 'level']);

function tellingStems(text: string): readonly string[] {
  return wordsOf(text)
    .filter((word) => !isEmptyWord(word))
    .map((word) => word.stem);
}

/** A member by its own words, without the general ones, without its first (often the cube's), and after its cube's name. */
function phrasesOf(stems: readonly string[], owner: readonly string[]): readonly Phrase[] {
  const telling = stems.filter((word) => !general.has(word));
  const cost = stems.some((word) => general.has(word) && !silent.has(word)) ? 0.4 : 0;
  const owned = owner.length > 0 && !owner.some((word) => stems.includes(word)) ? [...owner, ...stems] : [];
  const phrases: readonly Phrase[] = [
    { stems: owned, cost: 0, together: true },
    { stems, cost: 0 },
    { stems: telling, cost },
    { stems: telling.slice(1), cost: cost + 0.1 },
  ];
  return phrases.filter((phrase) => phrase.stems.some((word) => !general.has(word)));
}

function uniquePhrases(phrases: readonly Phrase[]): readonly Phrase[] {
  const cheapest = phrases.toSorted((a, b) => b.cost - a.cost);
  return [...new Map(cheapest.map((phrase) => [phrase.stems.join(' '), phrase])).values()].sort(
    (a, b) => b.stems.length - a.stems.length,
  );
}

/** A member found in a question, with the positions of the words that named it. */
export interface Hit {
  readonly entry: Entry;
  readonly at: readonly number[];
  /** How well it is named: the number of words, less for a name cut short. */
  readonly score: number;
}

/** Where and how well a question names a member; undefined where it does not. */
export function findEntry(entry: Entry, question: readonly Word[], used: ReadonlySet<number>): Hit | undefined {
  for (const phrase of entry.phrases) {
    const at: number[] = [];
    for (const stem of phrase.stems) {
      const index = question.findIndex((word, i) => !used.has(i) && !at.includes(i) && meanings(word).includes(stem));
      if (index === -1) break;
      at.push(index);
    }
    if (at.length !== phrase.stems.length) continue;
    // Words that belong together stand together.
    const spread = Math.max(...at) - Math.min(...at) + 1 - at.length;
    if (phrase.together && spread > 0) continue;
    const literal = phrase.stems.every((stem, i) => question[at[i] ?? -1]?.stem === stem) ? 0 : 0.15;
    return { entry, at, score: at.length - phrase.cost - spread * 0.2 - literal };
  }
  return undefined;
}

import type { CubeMeta, MemberMeta } from '../engine/types.ts';
import { isEmptyWord, meanings, wordsOf, type Word } from './words.ts';

/** A member of a cube or view with the words that name it. */
export interface Entry {
  readonly kind: 'measure' | 'dimension';
  /** Without the cube. */
  readonly name: string;
  readonly title: string;
  readonly description: string | undefined;
  readonly type: string;
  readonly aggType: string | undefined;
  readonly format: unknown;
  /** Each is a way to say it: stems that must all occur. */
  readonly phrases: readonly (readonly string[])[];
}

/** One cube or view that can be asked. */
export interface Source {
  readonly name: string;
  readonly type: 'cube' | 'view';
  readonly title: string;
  readonly description: string | undefined;
  readonly entries: readonly Entry[];
}

/** The visible part of a data model as an agent looks at it. */
export function readCatalogue(cubes: readonly CubeMeta[]): readonly Source[] {
  return cubes
    .filter((cube) => cube.isVisible)
    .map((cube) => ({
      name: cube.name,
      type: cube.type,
      title: cube.title,
      description: cube.description,
      entries: [
        ...cube.measures.filter((member) => member.isVisible).map((member) => entry('measure', member)),
        ...cube.dimensions
          .filter((member) => member.isVisible && member.type !== 'geo')
          .map((member) => entry('dimension', member)),
      ],
    }))
    .filter((source) => source.entries.length > 0);
}

function entry(kind: Entry['kind'], member: MemberMeta): Entry {
  const name = member.name.slice(member.name.indexOf('.') + 1);
  const { shortTitle, description, type, aggType, format } = member;
  const said = [shortTitle, name.replaceAll('_', ' ')].map((text) => wordsOf(text));
  const phrases = said.flatMap((words) => phrasesOf(words));
  return { kind, name, title: shortTitle, description, type, aggType, format, phrases: uniquePhrases(phrases) };
}

/** Words too general to name a member alone, and the ones that may be left out of a longer name. */
const general = new Set(['name', 'id', 'date', 'type', 'kind', 'at', 'rate', 'is', 'level']);

function phrasesOf(words: readonly Word[]): readonly (readonly string[])[] {
  const stems = words.filter((word) => !isEmptyWord(word)).map((word) => word.stem);
  const telling = stems.filter((word) => !general.has(word));
  const short = telling.slice(1);
  return [stems, telling, short].filter((phrase) => phrase.some((word) => !general.has(word)));
}

function uniquePhrases(phrases: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return [...new Map(phrases.map((phrase) => [phrase.join(' '), phrase])).values()].sort((a, b) => b.length - a.length);
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
  const whole = entry.phrases[0]?.length ?? 0;
  for (const phrase of entry.phrases) {
    const at: number[] = [];
    for (const stem of phrase) {
      const index = question.findIndex((word, i) => !used.has(i) && !at.includes(i) && meanings(word).includes(stem));
      if (index === -1) break;
      at.push(index);
    }
    if (at.length !== phrase.length) continue;
    // Words that belong together stand together.
    const spread = Math.max(...at) - Math.min(...at) + 1 - at.length;
    const literal = phrase.every((stem, i) => question[at[i] ?? -1]?.stem === stem) ? 0 : 0.15;
    return { entry, at, score: phrase.length - (whole - phrase.length) * 0.1 - spread * 0.2 - literal };
  }
  return undefined;
}

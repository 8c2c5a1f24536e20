import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { FileNotes, NotedText } from '#language-server/host.ts';

interface Note {
  readonly uri: string;
  /** Of the whole text, or of its excerpt. */
  readonly hash: string;
  readonly excerpt?: { readonly start: number; readonly end: number; readonly length: number };
}

const MOST_SKIPPED = 50;
/** Notes all have the same length, so that a shorter note leaves no remains of a longer one. */
const LENGTH = 4_096;

/**
 * Notes in a folder which file is being worked on. A process that crashes on a file leaves its note behind, and the next process
 * skips the file until its text changes.
 */
export function fileNotes(folder: string): FileNotes {
  mkdirSync(folder, { recursive: true });
  const [current, list] = [join(folder, 'working-on.json'), join(folder, 'skipped.json')];
  const skipped = [...read<readonly Note[]>(list, []), ...read<readonly Note[]>(current, [])].slice(-MOST_SKIPPED);
  writeFileSync(list, JSON.stringify(skipped));
  // Opened once, because a note is written for every file of a model.
  const file = openSync(current, 'w');
  process.once('exit', () => closeSync(file));
  let now: Note | undefined;
  const write = (note: Note | undefined): void => {
    now = note;
    writeSync(file, JSON.stringify(note ? [note] : []).padEnd(LENGTH), 0);
  };
  return {
    isSkipped: (uri, text) => {
      const known = skipped.filter((note) => note.uri === uri);
      return known.some((note) => isOf(note, text));
    },
    during: (uri, noted, work) => {
      const outer = now;
      write(noteOf(uri, noted));
      try {
        return work();
      } finally {
        write(outer);
      }
    },
  };
}

function noteOf(uri: string, { text, excerpt }: NotedText): Note {
  if (!excerpt) return { uri, hash: hashOf(text) };
  const { start } = excerpt;
  return {
    uri,
    hash: hashOf(excerpt.text),
    excerpt: { start, end: start + excerpt.text.length, length: text.length },
  };
}

/** Checks whether a note is one of this text. */
function isOf({ hash, excerpt }: Note, text: string): boolean {
  if (!excerpt) return hash === hashOf(text);
  return text.length === excerpt.length && hash === hashOf(text.slice(excerpt.start, excerpt.end));
}

let last: { readonly text: string; readonly hash: string } | undefined;

function hashOf(text: string): string {
  if (last?.text !== text) last = { text, hash: createHash('sha256').update(text).digest('base64') };
  return last.hash;
}

function read<T>(path: string, otherwise: T): T {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    return otherwise;
  }
}

import { type Prose, proseOf } from './prose.ts';

/** A phrase that docs/writing.md#words-to-replace replaces. */
export interface ReplacedWord {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly phrase: string;
  readonly instead: string;
}

/** The phrases that are wrong in every context, so that a program can find them, each with what to write. */
const table: readonly (readonly [RegExp, string])[] = [
  [/\bby (?:itself|themselves)\b/i, 'automatically, on its own'],
  [/\bonce more\b|\banew\b/i, 'again'],
  [/\bso long\b(?! as\b)/i, 'until then, meanwhile'],
  [/\b(?:go|goes|gone|going|went) on with\b/i, 'continue, resume'],
  [/\b(?:un)?settle[ds]?\b|\bsettling\b/i, 'resolve, finish, decide'],
  [/\b(?:tells?|telling|told) of\b/i, 'report, show'],
  [/\bminds\b|\b(?:in|its) mind\b/i, 'what is really meant'],
  [/\bpersons?\b/i, 'user, you'],
  [/\bsomebody\b/i, 'someone'],
  [/(?<!\buser )\bwho asks\b/i, 'user, caller'],
  [/\bbut the one\b/i, 'except the one'],
  [/(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|better\b)\w+/i, 'is not a …'],
];

/** Metaphors that are wrong too. They are searched for in the product and in the names of tests. */
const metaphors: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:look(?:s|ed|ing)? (?:at|for|again|into|through)|(?:a|the|fresh|first|next|last) looks? at)\b/i,
    'check, read, search',
  ],
  [/\b(?:tells?|told|telling)\b(?! (?:\w+ )?apart\b)/i, 'report, show, say'],
];

/** Folders whose prose was reviewed sentence by sentence: there, a sentence names what happens instead of “nobody”. */
const readFolders = /^(?:src|test\/platform)\//;

/** Phrases that are searched for in those folders and in the names of tests. */
const riddles: readonly (readonly [RegExp, string])[] = [
  [/\bnobody\b|\bno one\b/i, 'what happens instead: “is not read”, “unanswered”'],
  [/\bwhat (?:it|this|that) (?:minds|says of)\b/i, 'what it means'],
  [/\bas (?:good|well) as it goes\b/i, 'as far as possible'],
];

/** Returns every such phrase in the prose of a file. Texts of tests are data, so only the names of tests are read. */
export function replacedWords(file: string, source: string): readonly ReplacedWord[] {
  const phrasesFor = (kind: Prose['kind']): typeof table => [
    ...table,
    ...(file.startsWith('src/') || kind === 'testName' ? metaphors : []),
    ...(readFolders.test(file) || kind === 'testName' ? riddles : []),
  ];
  // Parsing every file takes seconds; few contain such a phrase even in their code.
  const all = [...table, ...metaphors, ...riddles];
  if (all.every(([phrase]) => !phrase.test(source.replaceAll(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ')))) return [];
  const isRead = ({ kind }: Prose): boolean => kind !== 'text' || !file.startsWith('test/');
  return proseOf(file, source)
    .filter(isRead)
    .flatMap(({ kind, line, text }) =>
      phrasesFor(kind).flatMap(([pattern, instead]) => {
        const [phrase] = /\s/.test(text) ? (pattern.exec(text) ?? []) : [];
        return phrase === undefined ? [] : [{ file, line, phrase, instead }];
      }),
    );
}

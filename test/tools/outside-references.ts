/** A phrase in a file that refers to a document outside of the repository. */
export interface OutsideReference {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly phrase: string;
}

/** Forms of such references: by folder, by section, by a mark, or as if the reader had the document. */
const phrases: readonly RegExp[] = [
  /(?<![\w/.#-])(?:design|findings|research|spec)\/[\w*-]+/,
  /\.\.\/shared\b(?!\/page)|\bshared\/(?:design|findings|research|spec|reference|corpora|writing)\b/,
  /\b[Mm]anagement (?:part )?\d+(?:\.\d+)*/,
  /\b[Cc]hat (?:part )?\d+\.\d+/,
  /\b[Pp]ayloads(?:\.md\b|, [A-Z]| page\b|\))|\bpage of payloads\b/,
  /§ ?\d/,
  /◇/,
  /\b(?:both|two|either|neither) (?:API )?documents?\b(?= (?:have|has|say|says|list|lists|show|shows|name|names|describe)\b|[.:,;)])/,
  /\b[Nn]o document (?:has|lists|shows|says|names|describes)\b/,
  /\b[Tt]he documents (?:allow|describe|fix|leave|list|name|promise|say|show)\b/,
];

/** Returns every such phrase in files of the repository (path → text). */
export function outsideReferences(files: ReadonlyMap<string, string>): readonly OutsideReference[] {
  return [...files].flatMap(([file, text]) =>
    text.split('\n').flatMap((content, at) =>
      phrases.flatMap((phrase) => {
        const [found] = phrase.exec(content) ?? [];
        return found === undefined ? [] : [{ file, line: at + 1, phrase: found }];
      }),
    ),
  );
}

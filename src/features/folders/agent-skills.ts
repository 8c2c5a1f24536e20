/** An assistant that reads skills from a folder of the project. */
export interface SkillReader {
  readonly label: string;
  /** Relative to the project. */
  readonly folder: string;
}

/** Assistants with the folders that their documentation names for skills of a project (docs/tools.md#skills). */
export const skillReaders: readonly SkillReader[] = [
  { label: 'GitHub Copilot', folder: '.github/skills' },
  { label: 'Claude Code', folder: '.claude/skills' },
  { label: 'Cursor', folder: '.cursor/skills' },
  { label: 'Other agents', folder: '.agents/skills' },
];

/** A file to write; paths are relative to the project. */
export interface SkillFile {
  readonly path: string;
  readonly text: string;
}

/** The result of comparing skills with the files of a project. */
export interface SkillInstallation {
  readonly added: readonly SkillFile[];
  /** Files that exist with another text: from an older version, or changed by the team. */
  readonly changed: readonly SkillFile[];
}

/**
 * Compares the skills (texts by name) with those of a project for the chosen readers. `read` resolves to the text of a file of
 * the project, or `undefined` if there is none.
 */
export async function planSkills(
  skills: ReadonlyMap<string, string>,
  readers: readonly SkillReader[],
  read: (path: string) => Promise<string | undefined>,
): Promise<SkillInstallation> {
  const files = readers.flatMap(({ folder }) =>
    [...skills].map(([name, text]) => ({ path: `${folder}/${name}/SKILL.md`, text })),
  );
  const existing = await Promise.all(files.map(async ({ path }) => read(path)));
  return {
    added: files.filter((_, at) => existing[at] === undefined),
    changed: files.filter(({ text }, at) => existing[at] !== undefined && withUnixLines(existing[at]) !== text),
  };
}

/** Git may check out a file with the line ends of Windows, which does not make it another one. */
function withUnixLines(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

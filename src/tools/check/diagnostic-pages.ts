import { codes } from '#model/codes.ts';

/** The page about a kind of problem: what it means and what to do about it. */
export interface DiagnosticPage {
  readonly code: string;
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

/** Returns the pages of all problems that `check` can find (docs/model-language.md#diagnostics). */
export function diagnosticPages(): readonly DiagnosticPage[] {
  return Object.entries(codes).map(([code, { title, severity, help }]) => ({
    code,
    title,
    text: `# ${title}\n\n\`${code}\`, ${severity}\n\n${help}\n`,
  }));
}

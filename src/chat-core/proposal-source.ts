import { foldName } from '#base/file-names.ts';
import { addedLines, mergedInto, smallestChange, type ProposedText } from './proposal-merge.ts';
import type { AskEngine, Classification, ProposalFiles, ProposalClassifier } from './proposal-ports.ts';
import type { ProposalRecords } from './proposal-records.ts';
import { type ProposedBlock, pathProblem } from './proposed-files.ts';

/** The blocks of an answer, and the model's folder. */
export interface ProposalInput {
  readonly turn: string;
  readonly blocks: readonly ProposedBlock[];
  readonly modelPath: string;
}

export interface ProposalPorts {
  readonly files: ProposalFiles;
  readonly records: ProposalRecords;
  readonly classifier: ProposalClassifier;
  /** Absent if there is no engine. */
  readonly engine?: AskEngine | undefined;
}

export type ClassifiedProposal =
  | Exclude<Classification, { kind: 'change' }>
  | ({ readonly kind: 'change' } & ProposedText);

/** Determines how the blocks of an answer relate to the files that they are based on. */
export class ProposalSource {
  readonly #ports: ProposalPorts;
  readonly #input: ProposalInput;
  readonly #classified = new Map<string, Promise<ClassifiedProposal>>();

  constructor(ports: ProposalPorts, input: ProposalInput) {
    this.#ports = ports;
    this.#input = input;
  }

  /** The paths that the answer has blocks for. */
  get paths(): readonly string[] {
    return [...new Set(this.#input.blocks.map(({ path }) => path))];
  }

  known(paths: readonly string[]): readonly string[] {
    return this.paths.filter((path) => paths.includes(path));
  }

  /** Returns the answer's code for a file. */
  code(path: string): string {
    const texts = this.#blocksOf(path).map(({ text }) => text);
    return texts.join('\n');
  }

  /** Returns a sentence if no file may be written at a path, otherwise `undefined`. */
  refusal(path: string): string | undefined {
    const variant = this.paths.find((other) => foldName(other) === foldName(path)) ?? path;
    if (variant !== path) return `${variant} is proposed too, and the names differ only in letter case.`;
    return pathProblem(path, this.code(path), this.#input.modelPath) ?? this.#ports.files.refusalOf?.(path);
  }

  classified(path: string): Promise<ClassifiedProposal> {
    const known = this.#classified.get(path) ?? this.#classify(path);
    this.#classified.set(path, known);
    known.catch(() => this.#classified.delete(path));
    return known;
  }

  /**
   * Merges the proposal into the current file. If both the proposal and the user only add lines in the same position, the model
   * places them: by lines it would be a conflict.
   */
  async merged(path: string, proposed: ProposedText, now: string | undefined): Promise<ReturnType<typeof mergedInto>> {
    const byLines = mergedInto(now, proposed);
    if (byLines.conflicts === 0 || now === undefined || proposed.base === undefined) return byLines;
    const placed = await this.#ports.classifier.classify(path, now, this.#blocksOf(path));
    if (placed.kind !== 'change') return byLines;
    const [meant, made] = [addedLines(proposed.base, proposed.text), addedLines(now, placed.text)];
    return meant !== undefined && meant === made ? { text: placed.text, conflicts: 0 } : byLines;
  }

  async #classify(path: string): Promise<ClassifiedProposal> {
    const { records, classifier, files } = this.#ports;
    const { turn } = this.#input;
    const blocks = this.#blocksOf(path);
    await records.keepFiles(turn, this.paths);
    const versions = await records.versions(turn, path);
    if (!versions) {
      const now = await classifier.classify(path, (await files.read(path))?.text, blocks);
      if (now.kind === 'quote') return now;
      return { kind: 'draft', reason: 'The version of the file that this answer is based on is unknown.' };
    }
    const classified = await Promise.all(
      versions.map(async (base): Promise<ClassifiedProposal> => {
        const found = await classifier.classify(path, base, blocks);
        return found.kind === 'change' ? { ...found, base } : found;
      }),
    );
    const changes = classified.filter((one) => one.kind === 'change');
    return smallestChange(changes) ?? classified.find(({ kind }) => kind === 'draft') ?? { kind: 'quote' };
  }

  #blocksOf(path: string): readonly ProposedBlock[] {
    return this.#input.blocks.filter((block) => block.path === path);
  }
}

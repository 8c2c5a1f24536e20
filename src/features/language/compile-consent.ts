import { plural } from '#base/words.ts';
import { pathInside } from '#base/path.ts';
import type { CompileAnswer, CompileQuestion } from './messages.ts';
import type { ScriptChoice, SeenFiles } from './seen-files.ts';

export interface ConsentPorts {
  readonly seen: SeenFiles;
  readonly isTrusted: () => boolean;
  /** Notes the texts that are visible in editors now. */
  readonly noteShown: () => Promise<void>;
  /**
   * Asks whether scripts of a root may run: at once for a command, otherwise in turn with other questions. Resolves to
   * `undefined` without an answer.
   */
  readonly askScripts: (root: string, byCommand: boolean) => Promise<ScriptChoice | undefined>;
  /** Asks whether to check files that the user has not seen as well. */
  readonly askUnseen: (count: number) => Promise<boolean>;
}

/**
 * Decides whether a model may be compiled now. A save never waits for the user: the status item reports what is missing. The
 * question about scripts is asked once per window until the user answers it.
 */
export class CompileConsent {
  readonly #ports: ConsentPorts;
  readonly #asked = new Set<string>();

  constructor(ports: ConsentPorts) {
    this.#ports = ports;
  }

  async answer({ root, files, hasScripts, byCommand }: CompileQuestion): Promise<CompileAnswer> {
    const { seen, isTrusted, noteShown } = this.#ports;
    if (!isTrusted()) return refused('this workspace is in Restricted Mode.');
    if (hasScripts) {
      const choice = await this.#scripts(root, byCommand);
      if (choice === 'skip') return refused('you chose not to run the JavaScript files of this model.');
      if (choice === undefined)
        return refused('run Check Model with the Engine to choose whether its JavaScript files may run.');
    }
    if (!seen.knows(root)) await seen.accept(root, files);
    await noteShown();
    const unseen = seen.unseen(root, files);
    if (unseen.length > 0 && !(byCommand && (await this.#ports.askUnseen(unseen.length)))) {
      return refused(notSeen(unseen.map(({ uri }) => nameIn(root, uri))));
    }
    await seen.accept(root, files);
    return { may: true };
  }

  async #scripts(root: string, byCommand: boolean): Promise<ScriptChoice | undefined> {
    const known = this.#ports.seen.scripts(root);
    if (known === 'run' || (known === 'skip' && !byCommand)) return known;
    if (byCommand) return this.#ask(root, byCommand);
    if (!this.#asked.has(root)) void this.#ask(root, byCommand);
    return undefined;
  }

  async #ask(root: string, byCommand: boolean): Promise<ScriptChoice | undefined> {
    this.#asked.add(root);
    const choice = await this.#ports.askScripts(root, byCommand);
    if (choice !== undefined) await this.#ports.seen.chooseScripts(root, choice);
    return choice;
  }
}

function refused(reason: string): CompileAnswer {
  return { may: false, reason };
}

const MOST_NAMES = 3;

function notSeen(names: readonly string[]): string {
  const named = names.slice(0, MOST_NAMES).join(', ');
  const more = names.length - MOST_NAMES;
  const what = more > 0 ? `${named} and ${plural(more, 'other file')}` : named;
  const [have, them] = names.length === 1 ? ['has', 'it'] : ['have', 'them'];
  return `${what} ${have} changed outside of the editor since you last saw ${them}. Open ${them}, or run Check Model with the Engine.`;
}

function nameIn(root: string, uri: string): string {
  return decodedUri(pathInside(uri, root) ?? uri);
}

/** Decodes a portion of a URI for display; returns it unchanged if it cannot be decoded. */
export function decodedUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

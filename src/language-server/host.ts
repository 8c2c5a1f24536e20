import type { ListedFiles } from '#features/language/messages.ts';
import type { TemplateAnswer, TemplateQuestion } from '#model/templates/model-templates.ts';
import type { Excerpt } from '#language-server/documents/edited-document.ts';
import type { EngineError, EngineFile, EngineQuery, EngineQueryAnswer } from './engine/messages.ts';

/** The engine with which the platform compiles models, where it can run. */
export interface Engine {
  /** Whether it may compile the model of a root (a URI). */
  canCompile(root: string): boolean;
  /**
   * Resolves to the errors of the whole model of a root; rejects if the engine itself failed. With a signal, the check runs in
   * another process than without one, and the signal cancels only this check.
   */
  check(root: string, files: readonly EngineFile[], signal?: AbortSignal): Promise<readonly EngineError[]>;
}

/** The same engine, where it can compile queries. */
export interface QueryEngine extends Pick<Engine, 'canCompile'> {
  /** Compiles a query in a process of its own; rejects if the engine itself failed. The signal ends that process. */
  query(root: string, question: QueryQuestion, signal: AbortSignal): Promise<EngineQueryAnswer>;
}
export interface QueryQuestion {
  readonly files: readonly EngineFile[];
  readonly query: EngineQuery;
  /** A database that the engine has a dialect for. */
  readonly dialect: string;
}

/** The platform's template engine, where it can run. */
export interface TemplateEngine {
  /** Renders templates of one model; rejects if the engine itself failed or took too long. */
  render(templates: readonly TemplateQuestion[]): Promise<TemplateAnswer>;
}

/** A text that is being worked on. */
export interface NotedText {
  readonly text: string;
  /** The piece around the last edit of a long text, by which it is recognised: reading all of it would take too long for each key. */
  readonly excerpt?: Excerpt | undefined;
}

/** Stores which file is being worked on, where a later process can read it. */
export interface FileNotes {
  /** Whether the server crashed the last time it worked on exactly this text, or on one of its length with the same excerpt. */
  isSkipped(uri: string, text: string): boolean;
  /** Runs work on a file and notes the file meanwhile, so that it is known if the work ends the process. */
  during<T>(uri: string, noted: NotedText, work: () => T): T;
}

/** The server's access to its environment: the Node entry reads disks, the browser entry asks the client. */
export interface LanguageHost {
  /** Resolves to the URIs of all files of a kind below a root (of a model, by default), without folders of dependencies. */
  listFiles(root: string, kind?: ListedFiles): Promise<readonly string[]>;
  /** Resolves to the text of a file; `undefined` if it does not exist or cannot be read. */
  readFile(uri: string): Promise<string | undefined>;
  /** Resolves to the size of a file in bytes, where it is known without reading the file. */
  readonly fileSize?: ((uri: string) => Promise<number | undefined>) | undefined;
  /**
   * Returns the URI of a file or folder as the disk has it: links resolved, names in their letter case and Unicode form. `undefined` if it
   * does not exist, or where no disk is.
   */
  readonly realUri?: ((uri: string) => string | undefined) | undefined;
  /** Lets messages in: resolves in a later turn of the event loop. */
  yield(): Promise<void>;
  /** Returns a monotonic time in milliseconds. */
  now(): number;
  readonly engine?: Engine | undefined;
  readonly queryEngine?: QueryEngine | undefined;
  readonly templates?: TemplateEngine | undefined;
  readonly notes?: FileNotes | undefined;
  /** Whether the server ends before warming up would pay off. */
  readonly isShortLived?: boolean | undefined;
  /** Called when the server has read everything for the first time and is idle: there is time for longer work. */
  readonly onIdle?: (() => void) | undefined;
  /** Called when the first reading of all files begins or ends: until then, speed matters more than thoroughness. */
  readonly reading?: ((isUnderWay: boolean) => void) | undefined;
}

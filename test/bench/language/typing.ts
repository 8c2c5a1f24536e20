import { ServerProcess, type ServerKind } from './client.ts';

/** What one server needs for one document, in ms (memory in MB). */
export interface Typing {
  readonly opened: number;
  readonly diagnosed: readonly number[];
  /** Processor time of the thread for the same, which other load does not lengthen. */
  readonly busy: readonly number[];
  /** Processor time of all other threads for all of these keys. */
  readonly beside: number;
  readonly completed: readonly number[];
  readonly hovered: readonly number[];
  readonly outlined: readonly number[];
  /** Semantic tokens of the whole document, of a screen of it, and after a key; empty where a server has none. */
  readonly coloured: readonly number[];
  readonly colouredLines: readonly number[];
  readonly recoloured: readonly number[];
  readonly memory: number;
}

export interface TypingOptions {
  readonly keys: number;
  /** Whether diagnostics carry the version that they belong to. */
  readonly versioned: boolean;
  /** Whether it has semantic tokens. */
  readonly colours: boolean;
}

/** Types into the SQL of a member in the middle of a document; asks for completions after each key, for a hover, for the outline. */
export async function typing(kind: ServerKind, text: string, options: TypingOptions): Promise<Typing> {
  const server = new ServerProcess(kind);
  try {
    await server.initialized();
    const document = new OpenDocument(server, text, options.versioned);
    const opened = await document.open();
    // A user looks before typing; what either server has left to do is done by then.
    await server.idle();
    const diagnosed: number[] = [];
    const busy: number[] = [];
    const besideBefore = server.busyBeside();
    for (let key = 0; key < options.keys; key++) {
      const before = server.busy();
      diagnosed.push(await document.typed());
      busy.push(server.busy() - before);
    }
    const beside = server.busyBeside() - besideBefore;
    const completed: number[] = [];
    for (let key = 0; key < options.keys; key++) completed.push(await document.typedAndCompleted());
    const hovered: number[] = [];
    const outlined: number[] = [];
    for (let time = 0; time < 5; time++) {
      hovered.push(await document.asked('textDocument/hover', true));
      outlined.push(await document.asked('textDocument/documentSymbol', false));
    }
    const colours = options.colours ? await document.coloured(5) : { coloured: [], colouredLines: [], recoloured: [] };
    return { opened, diagnosed, busy, beside, completed, hovered, outlined, ...colours, memory: server.memory() };
  } finally {
    server.stop();
  }
}

class OpenDocument {
  readonly #server: ServerProcess;
  readonly #text: string;
  readonly #versioned: boolean;
  readonly #uri = 'file:///bench/model.yml';
  readonly #line: number;
  readonly #character: number;
  #version = 1;

  constructor(server: ServerProcess, text: string, versioned: boolean) {
    this.#server = server;
    this.#text = text;
    this.#versioned = versioned;
    const lines = text.split('\n');
    const places = lines.flatMap((each, at) => (each.includes('{CUBE.id} END') ? [at] : []));
    const middle = places[places.length >> 1];
    if (middle === undefined) throw new Error('The document has no line to type into.');
    this.#line = middle;
    this.#character = (lines[this.#line] ?? '').indexOf('{CUBE.id} END') + '{CUBE.id} '.length;
  }

  async open(): Promise<number> {
    const done = this.#server.diagnostics(this.#uri, this.#versioned ? 1 : '');
    const from = performance.now();
    await this.#server.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri: this.#uri, languageId: 'yaml', version: 1, text: this.#text },
    });
    await done;
    return performance.now() - from;
  }

  /** One key, until its diagnostics are there. */
  async typed(): Promise<number> {
    const done = this.#server.diagnostics(this.#uri, this.#versioned ? this.#version + 1 : '');
    const from = performance.now();
    await this.#type();
    await done;
    return performance.now() - from;
  }

  /** One key and at once a question for completions (of `type:` on the next line); what comes of the key comes to rest. */
  async typedAndCompleted(): Promise<number> {
    const done = this.#server.diagnostics(this.#uri, this.#versioned ? this.#version + 1 : '');
    const from = performance.now();
    await this.#type();
    await this.#ask('textDocument/completion', { line: this.#line + 1, character: 14 });
    const needed = performance.now() - from;
    await done;
    return needed;
  }

  async asked(method: string, atCursor: boolean): Promise<number> {
    const from = performance.now();
    await this.#ask(method, atCursor ? { line: this.#line + 1, character: 16 } : undefined);
    return performance.now() - from;
  }

  /** Semantic tokens: all of them, those of a screen in the middle, and what one key changes of them. */
  async coloured(times: number): Promise<Pick<Typing, 'coloured' | 'colouredLines' | 'recoloured'>> {
    const textDocument = { uri: this.#uri };
    const ask = (method: string, params: object): Promise<Tokens> =>
      this.#server.connection.sendRequest<Tokens>(`textDocument/semanticTokens/${method}`, { textDocument, ...params });
    const start = { line: this.#line - 30, character: 0 };
    const range = { start, end: { line: this.#line + 30, character: 0 } };
    const coloured: number[] = [];
    const colouredLines: number[] = [];
    const recoloured: number[] = [];
    for (let time = 0; time < times; time++) {
      let from = performance.now();
      const { resultId } = await ask('full', {});
      coloured.push(performance.now() - from);
      from = performance.now();
      await ask('range', { range });
      colouredLines.push(performance.now() - from);
      await this.typed();
      from = performance.now();
      await ask('full/delta', { previousResultId: resultId });
      recoloured.push(performance.now() - from);
    }
    return { coloured, colouredLines, recoloured };
  }

  async #type(): Promise<void> {
    this.#version++;
    const position = { line: this.#line, character: this.#character };
    await this.#server.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri: this.#uri, version: this.#version },
      contentChanges: [{ range: { start: position, end: position }, text: 'x' }],
    });
  }

  async #ask(
    method: string,
    position: { readonly line: number; readonly character: number } | undefined,
  ): Promise<void> {
    await this.#server.connection.sendRequest(method, { textDocument: { uri: this.#uri }, position });
  }
}

interface Tokens {
  readonly resultId: string;
}

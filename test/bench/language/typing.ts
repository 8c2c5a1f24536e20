import { ServerProcess, type ServerKind } from './client.ts';

/** What one server needs for one document, in ms (memory in MB). */
export interface Typing {
  readonly opened: number;
  readonly diagnosed: readonly number[];
  /** Processor time of the thread for the same, which other load does not lengthen. */
  readonly busy: readonly number[];
  readonly completed: readonly number[];
  readonly hovered: readonly number[];
  readonly outlined: readonly number[];
  readonly memory: number;
}

export interface TypingOptions {
  readonly keys: number;
  /** Whether diagnostics carry the version that they belong to. */
  readonly versioned: boolean;
}

/** Types into the SQL of a member in the middle of a document; asks for completions after each key, for a hover, for the outline. */
export async function typing(kind: ServerKind, text: string, options: TypingOptions): Promise<Typing> {
  const server = new ServerProcess(kind);
  try {
    await server.initialized();
    const document = new OpenDocument(server, text, options.versioned);
    const opened = await document.open();
    const diagnosed: number[] = [];
    const busy: number[] = [];
    for (let key = 0; key < options.keys; key++) {
      const before = server.busy();
      diagnosed.push(await document.typed());
      busy.push(server.busy() - before);
    }
    const completed: number[] = [];
    for (let key = 0; key < options.keys; key++) completed.push(await document.typedAndCompleted());
    const hovered: number[] = [];
    const outlined: number[] = [];
    for (let time = 0; time < 5; time++) {
      hovered.push(await document.asked('textDocument/hover', true));
      outlined.push(await document.asked('textDocument/documentSymbol', false));
    }
    return { opened, diagnosed, busy, completed, hovered, outlined, memory: server.memory() };
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

import { parseEnv } from 'node:util';
import { stripComments } from 'jsonc-parser';
import { FormSession } from '#features/administration/form-session.ts';
import type { FormState } from '#features/administration/messages.ts';
import { ContestedFields } from '#features/administration/contested-fields.ts';
import type { DocumentProblem } from '#shell/env-vars.ts';
import type { JsonSchema } from '#shell/request-schema.ts';

/** A form of a document in memory, with a stand-in for its host. */
export class EditedForm {
  text: string;
  saved: string;
  refused: readonly DocumentProblem[] = [];
  problems: (value: unknown) => readonly DocumentProblem[] = () => [];
  readonly asked: string[] = [];
  /** What another editor makes of the text before the next edit is applied: VS Code then refuses that edit. */
  typedElsewhere: ((text: string) => string) | undefined;
  /** Fields whose conflicts were resolved, and the platform's values of them. */
  readonly adopted: [field: string, theirs: unknown][] = [];
  readonly contested = new ContestedFields((...adopted) => void this.adopted.push(adopted));
  readonly states: FormState[] = [];
  readonly session: FormSession;

  constructor(
    schema: JsonSchema,
    value: unknown,
    {
      title = 'User “ada@shop.example”',
      post,
    }: { readonly title?: string; readonly post?: (state: FormState) => void } = {},
  ) {
    this.text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
    this.saved = this.text;
    this.session = new FormSession({
      object: {
        title,
        owner: 'Shop analytics',
        schema: () => Promise.resolve(schema),
        problems: (edited) => this.problems(edited),
        conflicts: this.contested,
      },
      document: {
        text: () => this.text,
        isDirty: () => this.text !== this.saved,
        apply: (edits) => {
          const { typedElsewhere } = this;
          if (typedElsewhere) {
            this.typedElsewhere = undefined;
            this.text = typedElsewhere(this.text);
            return Promise.resolve(false);
          }
          for (const { offset, length, content } of edits.toSorted((one, other) => other.offset - one.offset)) {
            this.text = this.text.slice(0, offset) + content + this.text.slice(offset + length);
          }
          return Promise.resolve(true);
        },
        refused: () => this.refused,
        save: async () => {
          this.asked.push('save');
          this.saved = this.text;
          // Notifies the host as any other save would.
          void this.session.update();
          return Promise.resolve();
        },
        showJson: () => Promise.resolve(void this.asked.push('json')),
      },
      readLines: (lines) => parseEnv(lines),
      post: (state) => {
        this.states.push(state);
        post?.(state);
      },
    });
  }

  /** The current content of the document. */
  get value(): unknown {
    return JSON.parse(stripComments(this.text)) as unknown;
  }

  /** The state that was last posted to the page. */
  get state(): FormState {
    const last = this.states.at(-1);
    if (!last) throw new Error('Nothing was posted yet.');
    return last;
  }
}

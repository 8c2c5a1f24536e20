/** A `{{ … }}`, `{% … %}` or `{# … #}` in a file; offsets are the file's. */
export interface JinjaSpan {
  readonly kind: 'expression' | 'statement' | 'comment';
  readonly start: number;
  readonly end: number;
  /** A statement's first word: `for`, `endif`, `set` … */
  readonly word: string;
  /** Whether nothing else is on its line(s): it may then render to any number of lines. */
  readonly alone: boolean;
}

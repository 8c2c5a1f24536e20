import { type SemanticTokens, SemanticTokensBuilder, type SemanticTokensDelta } from 'vscode-languageserver';

/** How many documents keep their last tokens for deltas. */
const KEPT = 30;

/** Remembers the tokens that were sent last for each document, so that only differences travel. */
export class TokenCache {
  readonly #builders = new Map<string, SemanticTokensBuilder>();

  full(uri: string, fill: (builder: SemanticTokensBuilder) => void): SemanticTokens {
    const builder = this.#builder(uri);
    // Starting on an unknown result drops the old one: all tokens go out.
    builder.previousResult('');
    fill(builder);
    return builder.build();
  }

  delta(
    uri: string,
    previousResultId: string,
    fill: (builder: SemanticTokensBuilder) => void,
  ): SemanticTokens | SemanticTokensDelta {
    const builder = this.#builder(uri);
    builder.previousResult(previousResultId);
    fill(builder);
    return builder.buildEdits();
  }

  #builder(uri: string): SemanticTokensBuilder {
    const builder = this.#builders.get(uri) ?? new SemanticTokensBuilder();
    this.#builders.delete(uri);
    this.#builders.set(uri, builder);
    for (const oldest of this.#builders.keys()) {
      if (this.#builders.size <= KEPT) break;
      this.#builders.delete(oldest);
    }
    return builder;
  }
}

/** Version of the engine that compiles models on this machine (docs/model-language.md); a test compares it with the package. */
export const engineVersion = '1.7.43';

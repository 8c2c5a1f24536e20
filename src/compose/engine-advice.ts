import type { LazyLanguage } from '#features/language/opened-language.ts';
import type { EngineAdvice } from '#features/playground/ports.ts';

/** Connects the playground to the engine, which the language features run. */
export function engineAdvice(language: LazyLanguage): EngineAdvice {
  return {
    members: async (folder) => (await language()).membersAsWritten(folder),
    explain: async (folder, query, signal) => (await language()).explainQuery(folder, query, signal),
    propose: async (folder, query, signal) => (await language()).proposePreAggregation(folder, query, signal),
  };
}

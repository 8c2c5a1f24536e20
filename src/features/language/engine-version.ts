import { engineVersion } from '#model/engine/engine-version.ts';

/**
 * Returns a sentence to add to this engine's result if the deployment runs an engine with other rules; `undefined` if both have
 * the same rules or the deployment’s version is unknown. Versions with the same first two numbers have the same rules.
 */
export function versionNote(deployed: string | undefined): string | undefined {
  if (deployed === undefined || rulesOf(deployed) === rulesOf(engineVersion)) return undefined;
  return `The deployment runs ${deployed}, whose rules may differ.`;
}

function rulesOf(version: string): string {
  return version.replace(/^v/, '').split('.').slice(0, 2).join('.');
}

import { engineVersion } from '#model/engine-version.ts';

/**
 * What to say beside a verdict of this engine where the deployment runs another one: a sentence, or undefined where both
 * have the same rules or the deployment’s version is not known. Versions with the same first two numbers have the same rules.
 */
export function versionNote(deployed: string | undefined): string | undefined {
  if (deployed === undefined || rulesOf(deployed) === rulesOf(engineVersion)) return undefined;
  return `The deployment runs ${deployed}, whose rules may differ.`;
}

function rulesOf(version: string): string {
  return version.replace(/^v/, '').split('.').slice(0, 2).join('.');
}

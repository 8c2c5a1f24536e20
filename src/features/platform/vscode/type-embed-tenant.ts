import { askChecked } from '#shell/vscode/checked-input.ts';

/** Asks for the name of an embed tenant if the platform does not list them. */
export async function typeEmbedTenant(): Promise<string | undefined> {
  const validate = (typed: string): string | undefined => (typed.trim() === '' ? 'Enter a name.' : undefined);
  return (await askChecked({ title: 'Embed Tenant', prompt: 'Name of the embed tenant', validate }))?.trim();
}

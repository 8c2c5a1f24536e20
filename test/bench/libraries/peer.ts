/** A library that the repository does not depend on: `npm install --no-save NAME` puts it beside the others for a comparison. */
export async function peerModule<T>(name: string): Promise<T | undefined> {
  try {
    return (await import(name)) as T;
  } catch {
    console.log(`Without its peer: npm install --no-save ${name}`);
    return undefined;
  }
}

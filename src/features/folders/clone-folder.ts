/**
 * Returns the name of the folder for a clone: the deployment's name in lower case, with `-` for anything that is not a letter or
 * a digit, and a number after it while `isTaken`. Never empty; `deploymentName` may be any text.
 */
export function cloneFolderName(deploymentName: string, isTaken: (name: string) => boolean): string {
  const base =
    deploymentName
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number}]+/gu, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 60) || 'model';
  let name = base;
  for (let count = 2; isTaken(name); count += 1) name = `${base}-${count}`;
  return name;
}

/** Why nothing certain can be made of a text: a sentence for the user. */
export class Unsure extends Error {
  override readonly name = 'Unsure';
}

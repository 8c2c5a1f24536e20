/** The reason why a text cannot be placed with certainty: a sentence for the user. */
export class Unsure extends Error {
  override readonly name = 'Unsure';
}

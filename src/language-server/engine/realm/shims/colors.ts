/** Replaces the colours of a command line, in which the engine writes warnings: those of the realm are not shown in a terminal. */
const plain = (text: string): string => text;
const colors = { cyan: plain, red: plain, yellow: plain };
export default colors;

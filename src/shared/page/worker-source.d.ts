/** The bundled code of a module, as text: pages may start a worker from text that they contain, but cannot load one. */
declare module 'worker:*' {
  const source: string;
  export default source;
}

/** The bundled code of a module, as text: pages may start a worker from text they hold, but load none. */
declare module 'worker:*' {
  const source: string;
  export default source;
}

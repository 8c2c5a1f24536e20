// What the protocol's library takes for its own shims in the bundle: a validator of JSON Schema without code generation, at a
// sixth of the size. It checks only what clients are asked for, and nothing is asked of them.
export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
export { default as process } from 'node:process';

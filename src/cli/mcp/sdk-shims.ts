// Replaces the shims of the protocol's library in the bundle: a validator of JSON Schema without code generation, at a sixth of
// the size. The library uses it only for the input that a server requests from clients, and this one requests none.
export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
export { default as process } from 'node:process';

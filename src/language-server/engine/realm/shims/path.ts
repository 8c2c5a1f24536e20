// Paths in the realm are names: there is no disk below them.
export { basename, dirname, extname, isAbsolute, join, normalize, relative, resolve, sep } from 'path-browserify';
// oxlint-disable-next-line import/no-default-export -- the engine asks for the module as a whole
export { default } from 'path-browserify';

// Paths in the realm are names: there is no disk below them.
export { basename, dirname, extname, isAbsolute, join, normalize, relative, resolve, sep } from 'path-browserify';
export { default } from 'path-browserify';

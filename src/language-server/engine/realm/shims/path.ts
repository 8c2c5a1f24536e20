// Paths in the realm are only names: there is no disk.
export { basename, dirname, extname, isAbsolute, join, normalize, relative, resolve, sep } from 'path-browserify';
export { default } from 'path-browserify';

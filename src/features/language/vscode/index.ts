export { openPlace } from './open-place.ts';

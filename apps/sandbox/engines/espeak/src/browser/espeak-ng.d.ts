// Written by build-for-browsers.ts beside the worker.
export { default } from '@echogarden/espeak-ng-emscripten';

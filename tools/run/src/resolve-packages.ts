// Loaded before a program of `npm run try`: the packages of this clone are found from any folder.
import { registerHooks } from 'node:module';

/** The workspace that depends on every package. */
const everything = new URL('../../e2e/package.json', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('@speech-api/')
      ? next(specifier, { ...context, parentURL: everything })
      : next(specifier, context),
});

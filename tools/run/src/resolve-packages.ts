// Loaded before a program of `npm run try`: the packages of this clone are found from any folder.
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('@speech-api/')
      ? next(specifier, { ...context, parentURL: import.meta.url })
      : next(specifier, context),
});

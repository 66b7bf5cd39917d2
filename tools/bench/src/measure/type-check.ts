import { fileURLToPath } from 'node:url';

/** Arguments of `tsc` for one file of `consumers`, with what an application of today has in its settings. */
export function typeCheckArguments(name: 'fetch' | 'client'): string[] {
  const file = fileURLToPath(new URL(`../../consumers/${name}.ts`, import.meta.url));
  return [
    ...['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--exactOptionalPropertyTypes'],
    ...['--target', 'es2023', '--module', 'nodenext', '--lib', 'es2023,dom,dom.iterable,dom.asynciterable'],
    ...['--types', '', file],
  ];
}

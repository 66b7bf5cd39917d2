import { turbo } from '../turbo.ts';

/** Writes what is generated and committed: the types and constants of `packages/types`. */
export function run(): Promise<number> {
  return turbo(['run', 'generate', '--filter=@speech-api/codegen', '--output-logs=new-only']);
}

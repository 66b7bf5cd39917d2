import { facts } from './facts.mjs';

const [address] = globalThis.Deno?.args ?? process.argv.slice(2);
console.log(JSON.stringify(await facts(address)));
// An open timer of the runtime's own must not hold the program.
(globalThis.Deno ?? process).exit(0);

import { sessions } from './live.mjs';

const process = globalThis.process;
console.log(JSON.stringify(await sessions({ baseUrl: process.argv[2] })));
// An open timer of the runtime's own must not hold the program.
process.exit(0);

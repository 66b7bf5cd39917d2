// The program for runtimes with a command line: the address comes as the one argument.
import { live } from './live.mjs';
import { smoke } from './smoke.mjs';

const process = globalThis.process;
console.log(`${await smoke(process.argv[2])}, ${await live(process.argv[2])}`);
// An open timer of the runtime's own must not hold the program.
process.exit(0);

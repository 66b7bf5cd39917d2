// The program for runtimes with a command line: its only argument is the address.
import { live } from './live.mjs';
import { smoke } from './smoke.mjs';

const process = globalThis.process;
console.log(`${await smoke(process.argv[2])}, ${await live(process.argv[2])}`);
// An open timer of the runtime must not keep the program running.
process.exit(0);

// The program as a worker, which runs on request.
import { live } from './live.mjs';
import { smoke } from './smoke.mjs';

export default {
  async fetch(_request, env) {
    try {
      return new Response(`${await smoke(env.TARGET)}, ${await live(env.TARGET)}`);
    } catch (error) {
      return new Response(String(error?.stack ?? error), { status: 500 });
    }
  },
};

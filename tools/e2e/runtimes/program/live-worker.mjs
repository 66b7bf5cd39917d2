import { sessions } from './live.mjs';

export default {
  async fetch(_request, env) {
    return Response.json(await sessions({ baseUrl: env.TARGET }));
  },
};

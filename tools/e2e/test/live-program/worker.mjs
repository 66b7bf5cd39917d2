import { facts } from './facts.mjs';

export default {
  async fetch(_request, environment) {
    return Response.json(await facts(environment.BASE_URL));
  },
};

import {
  createApiError,
  explain,
  parseError,
  parseJson,
  plainBody,
  shorten
} from "./chunk-X6WY7WDV.js";
export {
  createApiError,
  explain,
  parseError,
  parseJson,
  plainBody,
  shorten
};

// What only some calls need, loaded with the first of them.

/** Loads when it is first asked; a failure is tried again. Asking a runtime for a module at each call is slow. */
function once<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loaded: Promise<Value> | undefined;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}

/** The operations that are answered with JSON. */
export const loadOperations: () => Promise<typeof import('./operations.ts')> = /* @__PURE__ */ once(
  () => import('./operations.ts'),
);

/** The rules between the fields of a synthesis request, generated from the specification. */
export const loadRules: () => Promise<typeof import('../generated/rules.ts')> = /* @__PURE__ */ once(
  () => import('../generated/rules.ts'),
);

/** Streams with timestamps. */
export const loadSpeechStream: () => Promise<typeof import('./speech-stream.ts')> = /* @__PURE__ */ once(
  () => import('./speech-stream.ts'),
);

/** The look into a clip that is too short to hold a word. */
export const loadShortClip: () => Promise<typeof import('./short-clip.ts')> = /* @__PURE__ */ once(
  () => import('./short-clip.ts'),
);

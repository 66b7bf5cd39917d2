export default {
  build: {
    lib: { entry: 'smoke.mjs', formats: ['es'], fileName: () => 'vite.mjs' },
    outDir: 'bundles',
    emptyOutDir: false,
    rolldownOptions: { output: { codeSplitting: false } },
  },
};

/// <reference types="astro/client" />
/// <reference types="@astrojs/starlight" />

// The theme resolves these to its own components, or to ours where the configuration names one.
declare module 'virtual:starlight/components/*' {
  const component: typeof import('@astrojs/starlight/components/Search.astro').default;
  export default component;
}

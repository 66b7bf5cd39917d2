/// <reference types="astro/client" />
/// <reference types="@astrojs/starlight" />

declare namespace App {
  interface Locals {
    /** Label of the section that the page belongs to; a page such as the start belongs to none. */
    section?: string | undefined;
  }
}

// The theme resolves these to its own components, or to ours where the configuration names one.
declare module 'virtual:starlight/components/*' {
  const component: typeof import('@astrojs/starlight/components/Search.astro').default;
  export default component;
}

/// <reference types="astro/client" />
/// <reference types="@astrojs/starlight" />

declare namespace App {
  interface Locals {
    /** Label of the section that the page belongs to; a page such as the start belongs to none. */
    section?: string | undefined;
  }
}

/** The screens every picture is taken on. */
export const screens = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  wide: { colorScheme: 'dark', viewport: { width: 1920, height: 1080 } },
} as const;

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#5b4fd6"/><path d="M8 22V10.5l8 7 8-7V22" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>'

/**
 * `<link>` element with the icon, for the head of each page, so that no browser requests `/favicon.ico`. A page's
 * content security policy must allow `img-src data:`.
 */
export const ICON_LINK = `<link rel="icon" type="image/svg+xml" href="data:image/svg+xml,${encodeURIComponent(ICON)}" />`

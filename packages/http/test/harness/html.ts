/** The paths that a page of a path leads to. */
export const linksOf = (html: string, path: string): string[] =>
  [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(
    ([, href = '']) => new URL(href.replaceAll('&amp;', '&'), `http://localhost${path}`).pathname,
  )

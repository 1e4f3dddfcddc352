/** Returns the paths to which a page links. `path` is the page's own path. */
export const linksOf = (html: string, path: string): string[] =>
  [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(
    ([, href = '']) => new URL(href.replaceAll('&amp;', '&'), `http://localhost${path}`).pathname,
  )

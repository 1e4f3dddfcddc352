import type { Rendered } from './render.ts'

/** Path of the page that lists all pages by their readers. */
const INDEX = 'index.html'

/** Files of the built script and its styles, with paths from `/docs/`. */
export interface Assets {
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
  /** Script that runs before the first paint and sets the theme. */
  readonly theme: string
  /** Sections that the search reads. */
  readonly sections: string
  readonly icon: string
}

/** Group of links beside each page. */
export interface Group {
  readonly title: string
  readonly links: readonly { readonly path: string; readonly title: string }[]
}

/** Returns the groups of the index page, each with the pages to which it links, and the pages without a link in a last group. */
export function groupsOf(rendered: ReadonlyMap<string, Rendered>): readonly Group[] {
  const seen = new Set([INDEX])
  const linkTo = (path: string) => {
    const page = rendered.get(path)
    if (page === undefined || seen.has(path)) return []
    seen.add(path)
    return [{ path, title: page.title }]
  }
  // A link to a part of a page (with `#`) is no path of a page, and does not decide the group of the page.
  const groups = (rendered.get(INDEX)?.links ?? []).map(({ heading, links }) => ({
    title: heading,
    links: links.flatMap(linkTo),
  }))
  const others = [...rendered.keys()].flatMap(linkTo)
  return [...groups, { title: 'More', links: others }].filter(({ links }) => links.length > 0)
}

/** Returns the HTML document of a page. */
export function documentOf(
  path: string,
  { title, html }: Rendered,
  groups: readonly Group[],
  { scripts, styles, theme, sections, icon }: Assets,
): string {
  const up = '../'.repeat(path.split('/').length - 1)
  return `<!doctype html>
<html lang="en" data-theme="light">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="referrer" content="no-referrer" />
    <title>${escaped(title)} · Matchyard</title>
    <link rel="icon" href="${up}${icon}" type="image/svg+xml" />
    <script src="${up}${theme}"></script>
${styles.map((file) => `    <link rel="stylesheet" href="${up}${file}" />`).join('\n')}
${scripts.map((file) => `    <script type="module" src="${up}${file}"></script>`).join('\n')}
  </head>
  <body data-root="${up || './'}" data-sections="${up}${sections}">
    <a class="skip" href="#text">Skip to the text</a>
    <header>
      <a class="home" href="${up}index.html">Matchyard docs</a>
      <search><input type="search" placeholder="Search the docs" aria-label="Search the docs" autocomplete="off" /></search>
      <nav aria-label="Other pages of the service"><a href="${up}../console/">Console</a> <a href="${up}../reference">API reference</a></nav>
    </header>
    <div class="columns">
      <nav aria-label="Pages">
        <details open>
          <summary>Pages</summary>
${groups.map((group) => navOf(group, path, up)).join('\n')}
        </details>
      </nav>
      <main id="text" tabindex="-1">
${html}
      </main>
    </div>
  </body>
</html>
`
}

const navOf = ({ title, links }: Group, path: string, up: string): string => `          <section>
            <h2>${escaped(title)}</h2>
            <ul>
${links.map((link) => `              <li><a href="${up}${link.path}"${link.path === path ? ' aria-current="page"' : ''}>${escaped(link.title)}</a></li>`).join('\n')}
            </ul>
          </section>`

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

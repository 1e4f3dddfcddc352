/** Elements that have no end. */
const VOID = new Set(['meta', 'br', 'hr', 'img', 'input', 'link'])

/** What is wrong with the elements of a page: not closed, closed twice, crossed, or a text with a bare `<` or `&`. */
export function faultsOfHtml(html: string): string[] {
  const faults: string[] = html.startsWith('<!doctype html>\n') ? [] : ['no doctype']
  const open: string[] = []
  const ids = new Set<string>()
  const body = html.replace(/^<!doctype html>\n/, '').replace(/<style>[^<]*<\/style>/g, '<style></style>')
  for (const [, text = '', tag = ''] of body.matchAll(/([^<]*)(<[^>]*>)?/g)) {
    if (/>/.test(text)) faults.push(`a bare > in ${JSON.stringify(text.trim())}`)
    if (/&(?!(?:amp|lt|gt|quot|#\d+);)/.test(text)) faults.push(`a bare & in ${JSON.stringify(text.trim())}`)
    if (tag === '') continue
    const [, end, name = '', attributes = ''] =
      /^<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"<]*")?)* ?\/?)>$/.exec(tag) ?? []
    if (name === '') faults.push(`no element: ${tag}`)
    else if (end === '/') {
      const last = open.pop()
      if (last !== name) faults.push(`</${name}> ends ${last}`)
    } else if (!VOID.has(name)) open.push(name)
    const id = / id="([^"]*)"/.exec(attributes)?.[1]
    if (id !== undefined && ids.has(id)) faults.push(`the id ${id} twice`)
    if (id !== undefined) ids.add(id)
  }
  return [...faults, ...open.map((name) => `<${name}> is not closed`)]
}

/** The paths that a page of a path leads to. */
export const linksOf = (html: string, path: string): string[] =>
  [...html.matchAll(/ href="([^"]*)"/g)].map(
    ([, href = '']) => new URL(href.replaceAll('&amp;', '&'), `http://localhost${path}`).pathname,
  )

/** The largest number of words in a table cell that counts as a label. */
const LABEL_WORDS = 6

const SLASHES = /(?<![\w'"`/*])\/\*\*?[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n?)+/gm
const HASHES = /(?:^[ \t]*#.*\n?)+/gm

/**
 * Returns the comments of a source in TypeScript, C# or GDScript as `{ line, text }`. The ending of `file` decides the
 * language. Directives of tools and tags of XML documentation are left out.
 */
export function commentsOf(source, file = '') {
  let [line, counted] = [1, 0]
  const found = source.matchAll(file.endsWith('.gd') ? HASHES : SLASHES)
  return [...found].flatMap(({ index, 0: comment }) => {
    line += source.slice(counted, index).split('\n').length - 1
    counted = index
    const text = comment
      .replace(/\*\/\s*$/, '')
      .replace(/^\s*(?:\/\*\*?|\*|\/\/\/?|#+)[ \t]?/gm, '')
      .replace(file.endsWith('.cs') ? /<\/?\w[^>]*>/g : '', '')
      .replace(/\s+/g, ' ')
      .trim()
    if (text === '' || /^(?:!|biome-ignore|@ts-|@vitest|<reference)/.test(text)) return []
    return [{ line, text }]
  })
}

/**
 * Returns the paragraphs, list items and cells of a Markdown page as `{ line, text }`, without blocks of code and comments. Headings and short
 * cells are left out: a label such as "What it does" is plain.
 */
export function paragraphsOf(page) {
  const blank = (text) => text.replace(/[^\n]/g, '')
  const prose = page.replace(/^ *```[\s\S]*?^ *```/gm, blank).replace(/<!--[\s\S]*?-->/g, blank)
  const all = []
  let open
  for (const [index, line] of prose.split('\n').entries()) {
    const text = line.trim()
    const begins = /^(?:[-*] |\d+\. |#|\||>)/.test(text)
    if (text === '' || begins) open = undefined
    if (text === '') continue
    // Each cell of a table is a separate text.
    if (text.startsWith('|')) {
      const cells = text.split('|').map((cell) => ({ line: index + 1, text: cell.trim() }))
      all.push(...cells.filter((cell) => cell.text.split(' ').length > LABEL_WORDS))
      continue
    }
    if (/^#/.test(text)) continue
    if (open === undefined) {
      open = { line: index + 1, text: text.replace(/^(?:[-*>] |\d+\. )/, '') }
      all.push(open)
    } else open.text += ` ${text}`
  }
  return all.filter(({ text }) => text !== '' && !/^:?-+:?$/.test(text))
}

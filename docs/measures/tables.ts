import { CHANGES } from './changes'
import { type EntryPoint, entryPoints } from './exports'
import { measureWalks, type Size } from './walks/walks'

/** A generated table of docs/architecture.md and the marks around it. */
interface PageTable {
  readonly marks: { readonly from: string; readonly to: string }
  readonly text: () => string
}

/** Kept out of `TABLES`, because measuring the calls takes seconds. */
export const WALKS_TABLE: PageTable = {
  marks: { from: '<!-- walks: npm run generate -->', to: '<!-- walks end -->' },
  text: () => {
    const cell = (size: Size | undefined) => (size === undefined ? '' : `${size.files} files, ${size.lines} lines`)
    return markdown([
      ['walk', 'with storage', 'without', 'its own', 'goal', 'at most'],
      ...measureWalks().map(({ walk, withStorage, withoutStorage, own }) => [
        walk.name,
        ...[withStorage, withoutStorage, own, walk.goal, walk.atMost].map(cell),
      ]),
    ])
  },
}

const exported: PageTable = {
  marks: { from: '<!-- exports: npm run generate -->', to: '<!-- exports end -->' },
  text: () =>
    markdown([
      ['import from', 'values', 'types'],
      ...entryPoints().map(({ name, values, types }: EntryPoint) => [
        `\`${name}\``,
        String(values.length),
        String(types.length),
      ]),
    ]),
}

const changes: PageTable = {
  marks: { from: '<!-- changes: npm run generate -->', to: '<!-- changes end -->' },
  text: () =>
    markdown([
      ['to add', 'files', 'at most'],
      ...CHANGES.map(({ name, touches, atMost }) => [name, String(touches.length), String(atMost)]),
    ]),
}

export const TABLES: readonly PageTable[] = [changes, exported]

/** Returns the section of the page from the table's first mark to its last. */
export const sectionOf = ({ marks, text }: PageTable): string => `${marks.from}\n\n${text()}\n\n${marks.to}`

/** Returns docs/architecture.md with newly measured tables. */
export const withTables = (page: string): string =>
  [WALKS_TABLE, ...TABLES].reduce((text, table) => {
    const [before = '', rest = ''] = text.split(table.marks.from)
    const [, after = ''] = rest.split(table.marks.to)
    return `${before}${sectionOf(table)}${after}`
  }, page)

/** Returns a Markdown table of rows, the first of which is the head, with columns of equal width. */
function markdown(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows
  const widths = head.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)))
  const line = (cells: readonly string[]) => `| ${cells.map((text, i) => text.padEnd(widths[i] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n')
}

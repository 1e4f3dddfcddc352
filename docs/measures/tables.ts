import { CHANGES } from './changes'
import { type EntryPoint, entryPoints } from './exports'
import { measure } from './measure'
import { WALKS } from './walks'

/** A table of docs/architecture.md, which stands there between its marks. */
interface PageTable {
  readonly marks: { readonly from: string; readonly to: string }
  readonly text: () => string
}

const walks: PageTable = {
  marks: { from: '<!-- walks: npm run generate -->', to: '<!-- walks end -->' },
  text: () => {
    const cell = ({ files, lines }: { files: number; lines: number }) => `${files} files, ${lines} lines`
    return markdown([
      ['walk', 'first storey', 'now', 'at most'],
      ...WALKS.map((walk) => [walk.name, cell(walk.before), cell(measure(walk)), cell(walk.atMost)]),
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

const TABLES: readonly PageTable[] = [walks, changes, exported]

/** Returns docs/architecture.md with each of its tables as it is measured now. */
export const withTables = (page: string): string =>
  TABLES.reduce((text, { marks, text: table }) => {
    const [before = '', rest = ''] = text.split(marks.from)
    const [, after = ''] = rest.split(marks.to)
    return `${before}${marks.from}\n\n${table()}\n\n${marks.to}${after}`
  }, page)

/** Rows of cells, the first of which is the head, in columns as wide as they need to be. */
function markdown(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows
  const widths = head.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)))
  const line = (cells: readonly string[]) => `| ${cells.map((text, i) => text.padEnd(widths[i] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n')
}

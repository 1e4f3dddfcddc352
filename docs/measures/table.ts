import { measure } from './measure'
import { WALKS } from './walks'

/** The table of walks in docs/architecture.md, between its marks. */
export function walksTable(): string {
  const rows = WALKS.map((walk) => {
    const now = measure(walk)
    const cell = ({ files, lines }: { files: number; lines: number }) => `${files} files, ${lines} lines`
    return [walk.name, cell(walk.before), cell(now), cell(walk.atMost)]
  })
  const all = [['walk', 'first storey', 'now', 'at most'], ...rows]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0)))
  const line = (cells: readonly string[]) => `| ${cells.map((text, i) => text.padEnd(widths[i] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = all
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n')
}

export const MARKS = { from: '<!-- walks: npm run measure:walks -->', to: '<!-- walks end -->' } as const

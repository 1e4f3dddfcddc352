/** A cell of a table that is downloaded. */
export type Cell = string | number | null

/** Beginning of a text that spreadsheets would run as a formula. */
const FORMULA = /^[=+\-@\t\r]/

/**
 * Returns rows as CSV (RFC 4180). A text from another person that begins like a formula gets an apostrophe before it,
 * so that no spreadsheet runs it.
 */
export const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((row) => `${row.map(written).join(',')}\r\n`).join('')

function written(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const safe = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

import { type Cell, csvOf } from './csv'

/** Saves rows as a CSV file of the browser's downloads. */
export const downloadCsv = (name: string, rows: readonly (readonly Cell[])[]): void =>
  download(name, csvOf(rows), 'text/csv')

/** Saves a text as a file of the browser's downloads. */
export function download(name: string, text: string, type: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

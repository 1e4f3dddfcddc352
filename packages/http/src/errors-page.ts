import { HTTP_ERRORS } from './error-status'

const HEAD = `# Errors

Every refusal is \`application/problem+json\` (RFC 9457). \`code\` and \`number\` are its stable identity: numbers are never used
again and rows are only added. \`detail\` says in a sentence what happened, \`details\` holds what a client may need to act.
`

const NOTES = `
\`PLAYER_NOT_IN_LOBBY\` is 403 for the acting player and 404 for an addressed one. \`SERVER_LAUNCH_FAILED\` is only ever a reason
in events and logs. \`RATE_LIMITED\` and \`UNAVAILABLE\` come with \`retry-after\`, \`METHOD_NOT_ALLOWED\` with \`allow\`.

Made by \`npm run docs:generate\` from the error catalogue; do not edit.
`

/** The catalogue as a page, in the order of the numbers. */
export function errorsPage(): string {
  const rows = Object.entries(HTTP_ERRORS)
    .sort(([, a], [, b]) => a.number - b.number)
    .map(([code, { number, status, title }]) => [code, String(number), String(status), title])
  return `${HEAD}\n${table([['code', 'number', 'status', 'title'], ...rows])}\n${NOTES}`
}

/** A table in the columns that the formatter wants. */
function table([head = [], ...rows]: string[][]): string {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

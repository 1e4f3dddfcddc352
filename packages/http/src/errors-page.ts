import { errorPages } from './error-pages/error-pages'
import { errorSections } from './error-pages/markdown'
import { RETRY_WORDS } from './error-pages/retry-words'
import { refusable } from './openapi/refusals'
import { ENDPOINTS } from './routes/index'

const head = () => `# Errors

Every refusal is \`application/problem+json\` (RFC 9457). \`code\` and \`number\` identify the error and never change; codes may be
added. \`detail\` is a sentence about the cause; \`details\` has data that a client may need.

\`type\` is the path of a page of the service with the text below and an example: \`GET /errors/NOT_HOST\`. \`GET /errors\` lists all errors. The pages are HTML for browsers, text for requests that accept
\`text/markdown\`, and JSON for others.

Meaning of the advice about repeating a request:

${again()}
`

const FOOT = `
\`PLAYER_NOT_IN_LOBBY\` is 403 for the acting player and 404 for an addressed one. \`SERVER_LAUNCH_FAILED\` is in no answer: a lobby
says \`launch_failed\` in its \`last_exit\`. \`RATE_LIMITED\` and \`UNAVAILABLE\` come with \`retry-after\`, \`METHOD_NOT_ALLOWED\` with \`allow\`.

Written by \`npm run generate\` from \`packages/core/src/errors/codes\`; not to be edited by hand.
`

/** Returns the error catalogue as a Markdown page: a table in the order of the numbers, and a section for each code. */
export function errorsPage(): string {
  const pages = errorPages(refusable(ENDPOINTS))
  const rows = pages.all.map(({ code, number, status, title }) => [
    `[${code}](#${code.toLowerCase()})`,
    String(number),
    String(status),
    title,
  ])
  const all = table([['code', 'number', 'status', 'title'], ...rows])
  return `${head()}\n${all}\n${FOOT}\n${errorSections(pages)}\n`
}

/** Returns a list with each kind of advice about repeating a request. */
const again = () =>
  [...new Map(Object.values(RETRY_WORDS).map(({ short, long }) => [short, long]))]
    .map(([short, long]) => `- **${short}**: ${long}`)
    .join('\n')

/** Returns a Markdown table whose columns are padded in the same way as by the project's formatter. */
function table([head = [], ...rows]: string[][]): string {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

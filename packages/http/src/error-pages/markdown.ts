import { type ErrorExample, type ErrorPage, type ErrorPages, groupsOf } from './error-pages'
import { RETRY_WORDS } from './retry-words'

/** Maximum number of operations that are listed by name. If there are more, only their number is shown. */
const FEW = 12

const sentencesOf = ({ happened, mend, details, retry }: ErrorPage): readonly (readonly [string, string])[] => [
  ['What happened', happened],
  ['What to do', mend],
  ...(details === undefined ? [] : [['In `details`', details] as const]),
  ['Can the request be repeated?', RETRY_WORDS[retry].long],
]

/** Returns one line about the operations that may be refused with a code. */
function whereOf({ operations, isEverywhere, also }: ErrorPage): string {
  const said = also === undefined ? '' : `${also} `
  if (isEverywhere || operations.length === 0) return said.trim()
  if (operations.length > FEW) return `${said}${operations.length} operations.`
  return `${said}${operations.map(({ operation }) => `\`${operation}\``).join(' · ')}`
}

const linkTo = (code: string) => `[\`${code}\`](#${code.toLowerCase()})`

function section(page: ErrorPage): string {
  const { code, status, number, title, near, example } = page
  const said = example?.answer.detail
  return [
    `### ${code}`,
    `**${status} · ${number}** ${title}`,
    `**What happened** ${page.happened}`,
    `**What to do** ${page.mend}`,
    ...(page.details === undefined ? [] : [`**In \`details\`** ${page.details}`]),
    `**Can the request be repeated?** ${RETRY_WORDS[page.retry].short}.`,
    ...(typeof said !== 'string' ? [] : [`**For example** ${codeOf(said)}`]),
    `**Operations** ${whereOf(page)}`,
    `**Related errors** ${near.map(linkTo).join(' · ')}`,
  ].join('\n\n')
}

/** Returns a text as Markdown code, even if it contains backticks. */
const codeOf = (text: string) => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``)

/** Returns one section per error code: the part of docs/errors.md between the introduction and the end of the page. */
export const errorSections = (pages: ErrorPages): string =>
  groupsOf(pages)
    .map(({ title, pages: group }) => [`## ${title}`, ...group.map(section)].join('\n\n'))
    .join('\n\n')

/** Returns the page of one error code as text for a terminal. */
export function errorAsText(page: ErrorPage): string {
  const { code, status, number, title, near, operations, isEverywhere, also, example } = page
  const where = isEverywhere ? [] : operations.map(({ method, path }) => `- \`${method.toUpperCase()} ${path}\``)
  const parts = [
    `# ${code}`,
    `${status} · ${number} · ${title}`,
    ...sentencesOf(page).flatMap(([about, text]) => [`## ${about}`, text]),
    ...(example === undefined ? [] : ['## Example', `\`\`\`http\n${exampleText(example)}\n\`\`\``]),
    '## Operations with this error',
    ...(also === undefined ? [] : [also]),
    ...(where.length === 0 ? [] : [where.join('\n')]),
    '## Related errors',
    near.map((other) => `- [${other}](./${other})`).join('\n'),
  ]
  return `${parts.join('\n\n')}\n`
}

/** Returns the list of error codes as text for a terminal. */
export const errorIndexAsText = (pages: ErrorPages): string =>
  `${[
    '# Errors',
    ...groupsOf(pages).flatMap(({ title, pages: group }) => [
      `## ${title}`,
      group.map((page) => `- [${page.code}](./errors/${page.code}) ${page.status} ${page.title}`).join('\n'),
    ]),
  ].join('\n\n')}\n`

const headerLines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`)

/**
 * Returns a request and its answer as text, as they are sent over the network, without the headers that all requests
 * have.
 */
export function exampleText(example: ErrorExample): string {
  return `${requestText(example)}\n\n${answerText(example)}`
}

export const requestText = ({ method, path, sent, body }: ErrorExample): string =>
  [
    `${method} ${path}`,
    ...headerLines(sent),
    ...(body === undefined ? [] : ['', typeof body === 'string' ? body : JSON.stringify(body, null, 2)]),
  ].join('\n')

export const answerText = ({ status, headers, answer }: ErrorExample): string =>
  [`HTTP ${status}`, ...headerLines(headers), '', JSON.stringify(answer, null, 2)].join('\n')
